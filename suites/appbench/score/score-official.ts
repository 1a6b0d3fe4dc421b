/**
 * Scores like the benchmark's `evaluation.py`, which its test driver calls and its main table is based on. Its faults
 * are kept: at most one app hit and one API hit per sample, values matched by substring, references compared as text,
 * repeated calls of one API collapsed to the last.
 */
import type { Arguments } from "./call-text.ts";
import { type Counters, f1, lowerCased, ratio, sameMultiset, zeros } from "./count.ts";
import type { Gold } from "../data/gold.ts";
import { referenceOf, type ScoredPlan } from "./scored-plan.ts";
import { acceptance, isReference } from "./values.ts";

/** Upstream's counter names; the last three are differences of the others. */
export const officialCounters = [
  "app_em_count",
  "app_hit_count",
  "total_pred_apps",
  "total_ground_apps",
  "api_em_count",
  "api_hit_count",
  "total_pred_apis",
  "total_ground_apis",
  "api_argu_em",
  "api_argu_hit_count",
  "total_pred_api_argu",
  "total_ground_api_argu",
  "depend_argu_em",
  "depend_argu_hit",
  "total_depend_argus",
  "non_total_depend_argus",
  "total_pred_depend_args",
  "pred_api_depending",
  "total_k_missing",
  "total_value_missing",
  "total_depend_k_missing",
  "total_depend_value_missing",
  "total_match",
  "total_pred_non_depend_args",
  "total_ground_non_depend_args",
  "non_depend_argu_hit",
] as const;
export type OfficialCounters = Counters<(typeof officialCounters)[number]>;
const none = zeros(officialCounters);

/** Upstream's report for a file; null if it ends in a division by zero. */
export type OfficialEvaluation = {
  readonly app_hit_f1: number;
  readonly api_hit_f1: number;
  readonly argu_hit_f1: number;
  readonly complete_match: number;
  readonly depend_argu_hit_f1: number;
  readonly non_depend_argu_hit_f1: number;
};

/** Counts one sample. */
export function countOfficial(plan: ScoredPlan, gold: Gold): OfficialCounters {
  const count = { ...none };
  const reference = referenceOf(gold);
  const named = plan.apps.filter((app) => app !== "");
  count.total_pred_apps = named.length;
  count.total_ground_apps = gold.used_app.length;
  count.app_em_count = exact(lowerCased(named), lowerCased(gold.used_app));
  count.app_hit_count = anyHit(lowerCased(named), lowerCased(gold.used_app));
  const { names } = plan;
  const goldNames = reference.names;
  count.total_pred_apis = names.length;
  count.total_ground_apis = goldNames.length;
  count.api_em_count = exact(names, goldNames);
  count.api_hit_count = anyHit(names, goldNames);

  const predicted = plan.arguments;
  const expected = reference.arguments;
  for (const given of predicted.values()) {
    count.total_pred_api_argu += given.size;
    for (const value of given.values()) if (isReference(value)) count.total_pred_depend_args += 1;
  }
  for (const needed of expected.values()) count.total_ground_api_argu += needed.size;
  const allExact = compareArguments(predicted, expected, gold, count);
  if (allExact && count.app_em_count === 1 && count.api_em_count === 1) count.total_match = 1;

  count.total_pred_non_depend_args = count.total_pred_api_argu - count.total_pred_depend_args;
  count.total_ground_non_depend_args = count.total_ground_api_argu - count.total_depend_argus;
  count.non_depend_argu_hit = count.api_argu_hit_count - count.depend_argu_hit;
  return count;
}

const exact = (predicted: readonly string[], expected: readonly string[]): number =>
  predicted.length > 0 && sameMultiset(predicted, expected) ? 1 : 0;

/** Returns 0 or 1, because upstream's hit counter ends its loop after the first hit. */
const anyHit = (predicted: readonly string[], expected: readonly string[]): number =>
  predicted.some((name) => expected.includes(name)) ? 1 : 0;

/** Returns true if of every gold API that was predicted all keys were hit. */
function compareArguments(
  predicted: ReadonlyMap<string, Arguments>,
  expected: ReadonlyMap<string, Arguments>,
  gold: Gold,
  count: OfficialCounters,
): boolean {
  const remembered = new Map<string, string>();
  let all = true;
  for (const [name, needed] of expected) {
    const given = predicted.get(name);
    // The names are then not all right either, which the caller counts.
    if (given === undefined) continue;
    const before = { hits: count.api_argu_hit_count, dependent: count.depend_argu_hit };
    let dependent = 0;
    for (const [key, value] of needed) {
      if (isReference(value)) dependent += 1;
      compareValue(key, value, given.get(key), gold, remembered, count);
    }
    if (count.api_argu_hit_count - before.hits === needed.size) count.api_argu_em += 1;
    else all = false;
    if (dependent === 0) continue;
    count.pred_api_depending += 1;
    if (count.depend_argu_hit - before.dependent === dependent) count.depend_argu_em += 1;
  }
  return all;
}

function compareValue(
  key: string,
  goldText: string,
  given: string | undefined,
  gold: Gold,
  remembered: Map<string, string>,
  count: OfficialCounters,
): void {
  const dependent = isReference(goldText) ? 1 : 0;
  if (dependent === 1) count.total_depend_argus += 1;
  else count.non_total_depend_argus += 1;
  if (given === undefined) {
    // Upstream adds its misses twice in all, immediately and once per API; dependent misses once.
    count.total_k_missing += 2;
    count.total_depend_k_missing += dependent;
    return;
  }
  const how = acceptance(key, goldText, given, gold.user_aware_arguments, remembered);
  if (how === undefined) {
    count.total_value_missing += 2;
    count.total_depend_value_missing += dependent;
    return;
  }
  count.api_argu_hit_count += 1;
  count.depend_argu_hit += dependent;
  if (how !== "gold") count.total_pred_depend_args += dependent;
}

/**
 * Returns the official report for the summed counters of `samples` samples; undefined if the official program divides by zero.
 */
export function evaluateOfficial(count: OfficialCounters, samples: number): OfficialEvaluation | undefined {
  if (count.total_pred_apps === 0 || count.total_pred_apis === 0) return undefined;
  const nonDependent = nonDependentF1(count);
  if (nonDependent === undefined || count.total_ground_api_argu === 0) return undefined;
  return {
    app_hit_f1: appF1(count),
    api_hit_f1: apiF1(count),
    argu_hit_f1: argumentF1(count),
    complete_match: ratio(count.total_match, samples),
    depend_argu_hit_f1: dependentF1(count),
    non_depend_argu_hit_f1: nonDependent,
  };
}

/** Returns the F1 of apps, with an upper limit, because a sample has at most one hit. */
export const appF1 = (
  count: Pick<OfficialCounters, "app_hit_count" | "total_pred_apps" | "total_ground_apps">,
): number => f1(ratio(count.app_hit_count, count.total_pred_apps), ratio(count.app_hit_count, count.total_ground_apps));

/** Returns the F1 of API names; capped like that of apps. */
export const apiF1 = (
  count: Pick<OfficialCounters, "api_hit_count" | "total_pred_apis" | "total_ground_apis">,
): number => f1(ratio(count.api_hit_count, count.total_pred_apis), ratio(count.api_hit_count, count.total_ground_apis));

export function argumentF1(
  count: Pick<OfficialCounters, "api_argu_hit_count" | "total_pred_api_argu" | "total_ground_api_argu">,
): number {
  const hits = count.api_argu_hit_count;
  return f1(ratio(hits, count.total_pred_api_argu), ratio(hits, count.total_ground_api_argu));
}

export function dependentF1(
  count: Pick<OfficialCounters, "depend_argu_hit" | "total_pred_depend_args" | "total_depend_argus">,
): number {
  const hits = count.depend_argu_hit;
  return f1(ratio(hits, count.total_pred_depend_args, 1), ratio(hits, count.total_depend_argus, 1));
}

/** Returns undefined if the official program divides by zero: it checks the dependent total instead of the independent total. */
export function nonDependentF1(
  count: Pick<
    OfficialCounters,
    "non_depend_argu_hit" | "total_pred_non_depend_args" | "total_depend_argus" | "total_ground_non_depend_args"
  >,
): number | undefined {
  const hits = count.non_depend_argu_hit;
  if (count.total_depend_argus !== 0 && count.total_ground_non_depend_args === 0) return undefined;
  const recall = count.total_depend_argus === 0 ? 1 : hits / count.total_ground_non_depend_args;
  return f1(ratio(hits, count.total_pred_non_depend_args, 1), recall);
}
