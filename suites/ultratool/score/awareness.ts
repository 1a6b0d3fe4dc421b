/** Key-value accuracy of both awareness tasks: is a tool needed for this step, must one be made. */
import { entryOf, isDict, type PythonDict, type PythonValue } from "../../../source/engine/python/value.ts";
import { entriesByNumber, stepNumber } from "./steps.ts";

export type GoldFlag = { readonly step: string; readonly tool: string };

export type Judged<Value> = {
  /** One for each reference step, in order; for a step without a usable entry the wrong value. */
  readonly predicted: readonly Value[];
  readonly gold: readonly Value[];
  /** Whether the answer had a usable entry for the step at all. */
  readonly found: readonly boolean[];
  readonly correct: number;
  readonly total: number;
  /** 1 when every step is right, else 0. */
  readonly global: number;
};

/** Scores a read answer against the reference. Anything but a list answers no step. */
export function scoreAwareness(value: PythonValue, reference: readonly GoldFlag[]): Judged<number> {
  const entries = entriesByNumber(value);
  const gold = reference.map((step) => Number(step.tool));
  const found: boolean[] = [];
  const predicted = reference.map((step, index) => {
    const flag = firstFlag(entries.get(stepNumber(step.step)) ?? []);
    found.push(flag !== undefined);
    return flag ?? 1 - gold[index]!;
  });
  return judged(predicted, gold, found);
}

export function judged<Value>(
  predicted: readonly Value[],
  gold: readonly Value[],
  found: readonly boolean[],
): Judged<Value> {
  const correct = gold.filter((value, index) => predicted[index] === value).length;
  return { predicted, gold, found, correct, total: gold.length, global: correct === gold.length ? 1 : 0 };
}

/** Entries whose tool is no number are passed over, as upstream does. */
function firstFlag(entries: readonly PythonDict[]): number | undefined {
  for (const entry of entries) {
    const tool = entryOf(entry, "tool");
    const flag = tool === undefined ? undefined : pythonInt(tool);
    if (flag !== undefined) return flag;
  }
  return undefined;
}

/** Python's `int(value)`; undefined where it would raise. */
export function pythonInt(value: PythonValue): number | undefined {
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return Number(value);
  if (typeof value === "string") return intOfText(value);
  if (value === null || isDict(value) || !("kind" in value)) return undefined;
  return value.kind === "float" && Number.isFinite(value.value) ? Math.trunc(value.value) : undefined;
}

/** Blanks around, a sign, digits of any script, single underscores between digits. */
const written = /^[+-]?\p{Nd}(?:_?\p{Nd})*$/u;

function intOfText(text: string): number | undefined {
  const trimmed = text.trim();
  // Longer texts are no flags, and Python refuses integers of more than 4300 digits.
  if (trimmed.length > 4300 || !written.test(trimmed)) return undefined;
  let ascii = "";
  for (const letter of trimmed) {
    if (letter !== "_") ascii += letter === "+" || letter === "-" ? letter : digitOf(letter);
  }
  return Number(ascii);
}

/** Value of a decimal digit of any script: they come in runs of ten, so the start of the run is found by stepping back. */
function digitOf(letter: string): number {
  const code = letter.codePointAt(0)!;
  if (code < 128) return code - 48;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}
