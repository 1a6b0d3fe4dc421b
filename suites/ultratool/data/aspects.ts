/** The six abilities, the two languages, and the nine columns of the paper's table. */
import type { Language } from "../score/dimensions.ts";
import type { Ladder } from "../score/rewriting.ts";

export const aspects = [
  "planning",
  "tool_creation_awareness",
  "tool_creation",
  "tool_usage_awareness",
  "tool_selection",
  "tool_usage",
] as const;
export type Aspect = (typeof aspects)[number];

export const languages = ["en", "zh"] as const satisfies readonly Language[];

export const aspectTitles: Readonly<Record<Aspect, string>> = {
  planning: "Planning",
  tool_creation_awareness: "Tool creation awareness",
  tool_creation: "Tool creation",
  tool_usage_awareness: "Tool usage awareness",
  tool_selection: "Tool selection",
  tool_usage: "Tool usage",
};

/** Test sets that the publishers' files lack; they are built from the base file instead. */
export const homeMadeAspects: readonly Aspect[] = ["tool_creation_awareness", "tool_selection"];

/** How answers of each aspect are rewritten and repaired; plans are not parsed. */
export const ladderOf: Readonly<Record<Exclude<Aspect, "planning">, Ladder>> = {
  tool_creation_awareness: "A",
  tool_creation: "C",
  tool_usage_awareness: "A",
  tool_selection: "A",
  tool_usage: "P",
};

export type Split = { readonly language: Language; readonly aspect: Aspect };

export const splitName = ({ language, aspect }: Split): string => `${language}/${aspect}`;

/** Parses the name of a split. Throws for any other name. */
export function parseSplit(name: string): Split {
  const [language, aspect] = name.split("/");
  const known = languages.find((each) => each === language);
  const found = aspects.find((each) => each === aspect);
  if (known === undefined || found === undefined)
    throw new RangeError(`Expected a split such as \`en/planning\`, got \`${name}\``);
  return { language: known, aspect: found };
}

/** A column of the paper's table, in its order. */
export type Column = { readonly name: string; readonly title: string; readonly short: string; readonly aspect: Aspect };

const shorts = {
  planning: "Plan",
  "tool_creation_awareness.global": "CrAw G",
  "tool_creation_awareness.local": "CrAw L",
  tool_creation: "Create",
  "tool_usage_awareness.global": "UsAw G",
  "tool_usage_awareness.local": "UsAw L",
  "tool_selection.global": "Select G",
  "tool_selection.local": "Select L",
  tool_usage: "Usage",
};
export const columns: readonly Column[] = Object.entries(shorts).map(([name, short]) => {
  const [aspect, level] = name.split(".") as [Aspect, string?];
  return { name, title: [aspectTitles[aspect], level ?? []].flat().join(", "), short, aspect };
});
