/** Key-value Levenshtein of tool usage: similarity of the arguments of each call to the reference. */
import { editDistance } from "./levenshtein.ts";
import { pairwiseMean } from "./pairwise-mean.ts";
import { pythonStr } from "../../../source/engine/python/text.ts";
import {
  codesOf,
  entryOf,
  isDict,
  isList,
  type PythonDict,
  type PythonValue,
} from "../../../source/engine/python/value.ts";
import { entriesByNumber, stepNumber } from "./steps.ts";

export type GoldCall = {
  readonly step: string;
  readonly tool: string;
  readonly param: Readonly<Record<string, string>>;
};

export type StepUsage = {
  /** Mean over the reference arguments, from 0 to 1. */
  readonly score: number;
  readonly found: boolean;
  /** One item per reference argument; `value` is undefined if the answer lacks the key. */
  readonly keys: readonly { readonly key: string; readonly score: number; readonly value: PythonValue | undefined }[];
};

/** Scores a parsed answer, with one result per reference step. A list that starts with a list is read as that list. */
export function scoreUsage(value: PythonValue, reference: readonly GoldCall[]): StepUsage[] {
  const first = isList(value) ? value[0] : undefined;
  const entries = entriesByNumber(isList(first) ? first : value);
  return reference.map((call) => {
    const candidates = entries.get(stepNumber(call.step)) ?? [];
    const entry = candidates.find((candidate) => entryOf(candidate, "param") !== undefined);
    const param = entry === undefined ? undefined : entryOf(entry, "param");
    return scoreCall(param, call);
  });
}

function scoreCall(param: PythonValue | undefined, call: GoldCall): StepUsage {
  const names = Object.keys(call.param);
  if (!isDict(param)) {
    return { score: 0, found: false, keys: names.map((key) => ({ key, score: 0, value: undefined })) };
  }
  const keys = names.map((key) => {
    const value = argumentOf(param, key);
    return { key, value, score: value === undefined ? 0 : argumentScore(call.param[key]!, value) };
  });
  return { score: pairwiseMean(keys.map((key) => key.score)), found: true, keys };
}

/** Returns the value of the first key that equals `name` after replacing `\_` by `_`. */
function argumentOf(param: PythonDict, name: string): PythonValue | undefined {
  const plain = entryOf(param, name);
  if (plain !== undefined) return plain;
  for (const { key, value } of param.entries.values()) {
    if (typeof key === "string" && key.replaceAll("\\_", "_") === name) return value;
  }
  return undefined;
}

/**
 * Returns 1 - distance / longer length, over code points of Python's `str`. For an empty reference returns 1 for an
 * empty value, otherwise 0 (a number crashes the official scorer).
 */
export function argumentScore(gold: string, value: PythonValue): number {
  if (gold === "") return isEmpty(value) ? 1 : 0;
  const text = pythonStr(value);
  if (text === gold) return 1;
  const expected = codesOf(gold);
  const got = codesOf(text);
  return 1 - editDistance(expected, got) / Math.max(expected.length, got.length);
}

function isEmpty(value: PythonValue): boolean {
  if (typeof value === "string" || isList(value)) return value.length === 0;
  if (isDict(value)) return value.entries.size === 0;
  return pythonStr(value) === "()";
}
