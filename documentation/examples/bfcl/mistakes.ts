/** Mistakes that can be made in right calls, one of each kind: what `builtin/slips` does, and what the checker is tried with. */
import type { Call } from "./checker.ts";
import { isList, isRecord, type Value } from "./value.ts";

/** Makes the mistake somewhere; undefined where it cannot be made. */
type Mistake = (calls: readonly Call[], random: () => number) => readonly Call[] | undefined;

export const mistakes: Readonly<Record<MistakeName, Mistake>> = {
  "lost-call": (calls, random) => (calls.length === 0 ? undefined : calls.toSpliced(indexIn(calls, random), 1)),
  "repeated-call": (calls, random) => (calls.length === 0 ? undefined : [...calls, calls[indexIn(calls, random)]!]),
  "other-function": (calls, random) => changedCall(calls, random, ([name, given]) => [`${name}_2`, given]),
  "lost-argument": (calls, random) =>
    changedCall(calls, random, ([name, given]) => {
      const entries = Object.entries(given);
      return entries.length === 0
        ? undefined
        : [name, Object.fromEntries(entries.toSpliced(indexIn(entries, random), 1))];
    }),
  "invented-argument": (calls, random) =>
    changedCall(calls, random, ([name, given]) => [name, { ...given, invented_argument: true }]),
  "other-type": (calls, random) => changedValue(calls, random, otherType),
  "other-value": (calls, random) => changedValue(calls, random, otherValue),
};

export type MistakeName =
  | "lost-call"
  | "repeated-call"
  | "other-function"
  | "lost-argument"
  | "invented-argument"
  | "other-type"
  | "other-value";

/** The calls with another value somewhere. */
export function changedValue(
  calls: readonly Call[],
  random: () => number,
  change: (value: Value, random: () => number) => Value,
): readonly Call[] | undefined {
  return changedCall(calls, random, ([name, given]) => {
    const entries = Object.entries(given);
    if (entries.length === 0) return undefined;
    const index = indexIn(entries, random);
    const [key, value] = entries[index]!;
    return [name, Object.fromEntries(entries.with(index, [key, change(value, random)]))];
  });
}

type Parts = [name: string, given: Call[string]];

function changedCall(
  calls: readonly Call[],
  random: () => number,
  change: (parts: Parts) => Parts | undefined,
): readonly Call[] | undefined {
  const index = indexIn(calls, random);
  const [parts] = Object.entries(calls[index] ?? {});
  const changed = parts && change(parts);
  return changed === undefined ? undefined : calls.with(index, Object.fromEntries([changed]));
}

function indexIn(list: readonly unknown[], random: () => number): number {
  return Math.floor(random() * list.length);
}

function otherType(value: Value): Value {
  if (typeof value === "string") return 7n;
  if (typeof value === "bigint") return Number(value) + 0.5;
  if (isList(value)) return { items: value };
  if (isRecord(value)) return [value];
  return String(value);
}

function otherValue(value: Value, random: () => number): Value {
  if (typeof value === "string") return `${value}#`;
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (isList(value)) {
    if (value.length === 0) return ["#"];
    const index = indexIn(value, random);
    return random() < 0.5 ? value.toSpliced(index, 1) : value.with(index, otherValue(value[index]!, random));
  }
  if (isRecord(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return { invented: 1n };
    const index = indexIn(entries, random);
    const [key, each] = entries[index]!;
    const changed: [string, Value] = [key, otherValue(each, random)];
    return Object.fromEntries(random() < 0.5 ? entries.toSpliced(index, 1) : entries.with(index, changed));
  }
  return "#";
}
