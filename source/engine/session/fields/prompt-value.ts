/** Reads texts in a run cell, written in the cell or in a file of the notebook. Prompts are checked for their slots. */
import type { PromptTemplate } from "../../protocol.ts";
import { Problem } from "../../problem.ts";
import type { Strategy } from "../../strategy.ts";
import type { Suite } from "../../suite.ts";
import { promptSlots, promptsOf, slotsOf } from "../../settings/prompt-template.ts";
import { similarName } from "../../text/similar-name.ts";
import type { OwnPrompts } from "../../run-settings.ts";
import type { Json, RunSpec } from "../../types.ts";
import { shown } from "./run-options.ts";
import { namesFile } from "./text-file.ts";

/** Returns the text of a file in the folder of the notebook. Throws `Problem` if the file does not exist, or cannot be read. */
type ReadText = (file: string) => string;

type Report = (field: string, message: string) => void;

/**
 * Returns a text, or the text of the file that it names, without the last line break. Reports a missing file and returns
 * undefined. Without access to the notebook's folder, returns a file name unchanged.
 */
export function readNotebookText(field: string, written: string, text: ReadText | undefined, report: Report) {
  if (text === undefined || !namesFile(written)) return written;
  try {
    const read = text(written).replaceAll("\r\n", "\n").replace(/\n$/, "");
    return read.trim() === "" ? void report(field, `Expected a text in \`${written}\`, which is empty`) : read;
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    return void report(field, thrown.message);
  }
}

/** Reads prompts by their names; `templates` are those that may be replaced, and `of` names the benchmark. */
export function readPrompts(
  item: Json,
  {
    of,
    templates: all,
    text: textOf,
  }: { readonly of: string; readonly templates: readonly PromptTemplate[]; readonly text: ReadText | undefined },
  report: Report,
): OwnPrompts | undefined {
  if (item === null || typeof item !== "object" || Array.isArray(item))
    return void report("prompts", `Expected \`prompts\` to name prompts and their texts, got ${shown(item)}`);
  const known = Map.groupBy(all, ({ name }) => name);
  const read: Record<string, string> = {};
  let isWhole = true;
  const refuse = (field: string, message: string) => {
    isWhole = false;
    report(field, message);
  };
  for (const [name, written] of Object.entries(item)) {
    const field = `prompts.${name}`;
    const templates = known.get(name);
    if (templates === undefined) refuse(field, unknownPrompt(name, [...known.keys()], of));
    else if (typeof written !== "string" || written.trim() === "")
      refuse(field, `Expected \`${field}\` to be a string or a file of the notebook, got ${shown(written as Json)}`);
    else {
      const text = readNotebookText(field, written, textOf, refuse);
      if (text === undefined) continue;
      reportSlots(field, text, templates, namesFile(written) ? written : undefined, refuse);
      read[name] = text;
    }
  }
  return isWhole ? read : undefined;
}

function unknownPrompt(name: string, known: readonly string[], of: string): string {
  const similar = similarName(name, known);
  const expected =
    known.length === 0
      ? `no prompts, as none of \`${of}\` are templates here`
      : similar === undefined
        ? `the prompts ${known.join(", ")}`
        : `prompts such as \`${similar}\``;
  return `Expected \`prompts\` to name ${expected}, got \`${name}\``;
}

/** Reports the first slot of a text for which none of these templates has values. */
function reportSlots(
  field: string,
  text: string,
  templates: readonly PromptTemplate[],
  file: string | undefined,
  report: Report,
): void {
  const known = [...new Set(templates.flatMap(promptSlots))];
  const unknown = [...slotsOf(text)].find(([slot]) => !known.includes(slot));
  if (unknown === undefined) return;
  const [slot, line] = unknown;
  const similar = similarName(slot, known);
  const slots = known.map((each) => `{{${each}}}`).join(", ");
  const expected =
    known.length === 0
      ? "no slots"
      : similar === undefined
        ? `the slots ${slots}`
        : `a slot such as \`{{${similar}}}\``;
  const place = file === undefined ? `line ${line} of the text` : `line ${line} of ${file}`;
  report(field, `Expected \`${field}\` to have ${expected}, got \`{{${slot}}}\` in ${place}`);
}

/**
 * Separates a run's own prompts from those of its judge. Omits prompts that the run never uses, and prompts that equal the
 * benchmark's, so that they do not make another run.
 */
export function ownPrompts(
  prompts: OwnPrompts,
  suite: Suite,
  strategy: Strategy,
  { options, split }: Pick<RunSpec, "options" | "split">,
): Pick<RunSpec, "prompts" | "judgePrompts"> {
  const templates = Map.groupBy(promptsOf(suite, strategy, { ...options, split }), ({ name }) => name);
  const own = Object.entries(prompts).filter(([name, text]) =>
    templates.get(name)?.some((template) => template.text !== text),
  );
  const isJudges = ([name]: readonly [string, string]) => templates.get(name)![0]!.role === "judge";
  const [judges, others] = [own.filter(isJudges), own.filter((each) => !isJudges(each))];
  return {
    ...(others.length > 0 && { prompts: Object.fromEntries(others) }),
    ...(judges.length > 0 && { judgePrompts: Object.fromEntries(judges) }),
  };
}
