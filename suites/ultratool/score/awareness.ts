/**
 * Key-value accuracy of both awareness tasks (whether a tool is needed, whether a new tool must be created) and of tool
 * selection.
 */
import {
  entryOf,
  isDict,
  type PythonDict,
  type PythonValue,
  isList,
  kindOf,
  type PythonTuple,
} from "../../../source/engine/python/value.ts";
import { entriesByNumber, stepNumber } from "./steps.ts";

export type GoldFlag = { readonly step: string; readonly tool: string };

export type Judged<Value> = {
  /** One value per reference step, in order; a wrong value if the step has no usable entry. */
  readonly predicted: readonly Value[];
  readonly gold: readonly Value[];
  /** True if the answer has a usable entry for the step. */
  readonly found: readonly boolean[];
  readonly correct: number;
  readonly total: number;
  /** 1 if every step is right, otherwise 0. */
  readonly global: number;
};

/** Scores a parsed answer against the reference. Anything but a list answers no step. */
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

/** Returns the first flag; like upstream, skips entries whose tool is not a number. */
function firstFlag(entries: readonly PythonDict[]): number | undefined {
  for (const entry of entries) {
    const tool = entryOf(entry, "tool");
    const flag = tool === undefined ? undefined : pythonInt(tool);
    if (flag !== undefined) return flag;
  }
  return undefined;
}

/** Python's `int(value)`; returns undefined if Python would raise. */
export function pythonInt(value: PythonValue): number | undefined {
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return Number(value);
  if (typeof value === "string") return intOfText(value);
  if (value === null || isDict(value) || !("kind" in value)) return undefined;
  return value.kind === "float" && Number.isFinite(value.value) ? Math.trunc(value.value) : undefined;
}

/** An optional sign and digits of any script, with single underscores between digits. */
const written = /^[+-]?\p{Nd}(?:_?\p{Nd})*$/u;

function intOfText(text: string): number | undefined {
  const trimmed = text.trim();
  // Longer texts are not flags, and Python refuses integers of more than 4300 digits.
  if (trimmed.length > 4300 || !written.test(trimmed)) return undefined;
  let ascii = "";
  for (const letter of trimmed) {
    if (letter !== "_") ascii += letter === "+" || letter === "-" ? letter : digitOf(letter);
  }
  return Number(ascii);
}

/**
 * Returns the value of a decimal digit of any script. Digits come in sequences of ten, some directly one after the other; stepping
 * back finds the start of the first.
 */
function digitOf(letter: string): number {
  const code = letter.codePointAt(0)!;
  let zero = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

export type GoldName = { readonly step: string; readonly tool: string };

/** Counted as the choice of a step without an answer. */
const noTool = "no_good";

/**
 * Scores a parsed answer. A tuple is read as its first item, a list of one list as the inner list. Names are compared exactly,
 * after replacing `\_` by `_`. A tool that is not a string (the official scorer crashes) makes the step wrong.
 */
export function scoreSelection(value: PythonValue, reference: readonly GoldName[]): Judged<PythonValue> {
  const entries = entriesByNumber(unwrapped(value));
  const gold: PythonValue[] = reference.map((step) => step.tool);
  const found: boolean[] = [];
  const predicted = reference.map((step): PythonValue => {
    const entry = (entries.get(stepNumber(step.step)) ?? []).find(
      (candidate) => entryOf(candidate, "tool") !== undefined,
    );
    const tool = entry === undefined ? undefined : entryOf(entry, "tool");
    found.push(tool !== undefined);
    return typeof tool === "string" ? tool.replaceAll("\\_", "_") : (tool ?? noTool);
  });
  return judged(predicted, gold, found);
}

function unwrapped(value: PythonValue): PythonValue {
  const list = kindOf(value) === "tuple" ? ((value as PythonTuple).items[0] ?? []) : value;
  const [only] = isList(list) && list.length === 1 ? list : [];
  return isList(only) ? only : list;
}
