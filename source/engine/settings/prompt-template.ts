/**
 * Prompts as texts with named slots, `{{slot}}`, and no other syntax. A run may replace each prompt by its own text; the value of
 * a slot is never searched for slots.
 */
import { holds } from "../option.ts";
import type { PromptTemplate } from "../protocol.ts";
import type { Message, RunSpec } from "../types.ts";

/** The texts for the slots of a template. */
export type Slots = Readonly<Record<string, string>>;

/** Spaces inside the braces are accepted, as in other notations. */
const slot = /\{\{[ \t]{0,9}([A-Za-z][\w-]{0,60})[ \t]{0,9}\}\}/g;

/** Returns the slots of a text, each once, with the line of the first use from 1. */
export function slotsOf(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let [line, from] = [1, 0];
  for (const { 1: name, index } of text.matchAll(slot)) {
    for (; from < index; from++) if (text[from] === "\n") line += 1;
    if (!found.has(name!)) found.set(name!, line);
  }
  return found;
}

/** Returns a text in parts: every second part is a slot, with its braces. */
export function slotPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: whole, index } of text.matchAll(slot)) {
    pieces.push(text.slice(from, index), whole);
    from = index + whole.length;
  }
  return [...pieces, text.slice(from)];
}

/** Returns the slots that have values in a request with this prompt. */
export const promptSlots = ({ text, slots = [] }: PromptTemplate): readonly string[] => [
  ...new Set([...slotsOf(text).keys(), ...slots]),
];

/** Returns the text with its slots filled; a slot without a value stays unchanged. */
export const filled = (text: string, slots: Slots): string =>
  text.replaceAll(slot, (written, name: string) => (Object.hasOwn(slots, name) ? slots[name]! : written));

type Replacing = Pick<RunSpec, "prompts" | "judgePrompts">;

/** Returns the text of a prompt in a run: the run's own, or the template's. */
const promptText = ({ prompts, judgePrompts }: Replacing, { name, text }: PromptTemplate): string =>
  prompts?.[name] ?? judgePrompts?.[name] ?? text;

/** Returns a prompt of a run with its slots filled. */
export const prompted = (spec: Replacing, template: PromptTemplate, slots: Slots): string =>
  filled(promptText(spec, template), slots);

/**
 * Returns the messages of these templates in their order, with their slots filled; templates that fill slots of others are not
 * messages.
 */
export function promptMessages(
  spec: Replacing,
  templates: readonly PromptTemplate[],
  slots: Slots,
): readonly Message[] {
  return templates.flatMap((template) =>
    template.message === undefined ? [] : [{ role: template.message, content: prompted(spec, template, slots) }],
  );
}

type Common = Omit<PromptTemplate, "name" | "text" | "message">;

/** Returns the two messages of most requests: the system message, and the user message as `NAME.user`. */
export function promptPair(
  name: string,
  { system, user, ...common }: Common & { readonly system: string; readonly user: string },
) {
  return [
    { ...common, name, message: "system", text: system },
    { ...common, name: `${name}.user`, message: "user", text: user },
  ] as const satisfies readonly PromptTemplate[];
}

type Publishing = { readonly prompts?: readonly PromptTemplate[] };
type PublishingStrategy = Publishing & { readonly name: string; readonly needs: PromptTemplate["protocol"] };

/** Returns the stage of a prompt, under which its requests are logged. */
export const stageOfPrompt = ({ name }: Pick<PromptTemplate, "name">): string => name.split(".", 1)[0]!;

/**
 * Returns the prompts that a suite and a strategy send. A strategy that gives a stage to another role words it itself; otherwise
 * the suite's wording of a prompt replaces the strategy's. `given` are the run's options and split by name; absent for all
 * prompts.
 */
export function promptsOf(
  suite: Publishing & { readonly options?: readonly { readonly name: string }[] },
  strategy: PublishingStrategy,
  given?: Readonly<Record<string, string | number>>,
): readonly PromptTemplate[] {
  const values = { ...given, strategy: strategy.name };
  const { options = [] } = suite;
  const isAsked = (option: string) =>
    (given === undefined || (given[option] ?? "none") !== "none") && options.some(({ name }) => name === option);
  const applying = ({ protocol, when = {}, modelOption }: PromptTemplate) =>
    (protocol === undefined || protocol === strategy.needs) &&
    holds(when, values) &&
    (modelOption === undefined || isAsked(modelOption));
  const own = (strategy.prompts ?? []).filter(applying);
  const roles = new Map(own.map(({ name, role }) => [name, role]));
  const ofSuite = (suite.prompts ?? []).filter((each) => {
    const role = roles.get(stageOfPrompt(each));
    return applying(each) && (role === undefined || role === each.role);
  });
  const worded = new Set(ofSuite.map(({ name }) => name));
  return [...own.filter(({ name }) => !worded.has(name)), ...ofSuite];
}
