/**
 * Scores like the benchmark's `analysis.py`: macro F1 and the error shares of the paper's Table 4. Stricter on values
 * than `evaluation.py`, because its lookup of the user's values never succeeds.
 */
import type { Arguments } from "./call-text.ts";
import { type Counters, f1, lowerCased, ratio, sameMultiset, zeros } from "./count.ts";
import type { Gold } from "../data/gold.ts";
import { referenceOf, type ScoredPlan } from "./scored-plan.ts";
import { acceptance } from "./values.ts";

export const analysisCounters = [
  "succ_count",
  "depend_argument_correct_count",
  "key_missing",
  "depend_key_missing",
  "key_value_mismatch",
  "depend_key_value_mismatch",
  "total_argument_count",
  "date_related_value_error",
  "location_related_value_error",
  "key_missing_error",
  "depend_key_missing_error",
  "key_value_mismatch_error",
  "depend_key_value_mismatch_error",
] as const;
export type AnalysisCounters = Counters<(typeof analysisCounters)[number]>;
const none = zeros(analysisCounters);

/** Counters, exact matches and F1 of one sample (the official program reports their means). */
export type AnalysisScore = {
  readonly counters: AnalysisCounters;
  readonly app_em: number;
  readonly app_f1: number;
  readonly api_em: number;
  readonly api_f1: number;
  readonly succ: number;
};

export type AnalysisEvaluation = {
  readonly app: { readonly em: number; readonly f1: number };
  readonly api: { readonly em: number; readonly f1: number };
  readonly succ: number;
  readonly analysis: Readonly<Record<string, number>>;
};

export function scoreAnalysis(plan: ScoredPlan, gold: Gold): AnalysisScore {
  const predicted = plan.forAnalysis;
  const expected = referenceOf(gold).forAnalysis;
  const counters = { ...none };
  compareArguments(predicted.byName, expected.byName, returnedNames(gold), counters);
  const app = overlap(lowerCased(plan.apps), lowerCased(gold.used_app));
  const api = overlap(lowerCased(predicted.names), lowerCased(expected.names));
  if (app.em === 1 && api.em === 1 && counters.key_missing === 0 && counters.key_value_mismatch === 0) {
    counters.succ_count = 1;
  }
  counters.key_missing_error = Math.min(1, counters.key_missing);
  counters.depend_key_missing_error = Math.min(1, counters.depend_key_missing);
  counters.key_value_mismatch_error = Math.min(1, counters.key_value_mismatch);
  counters.depend_key_value_mismatch_error = Math.min(1, counters.depend_key_value_mismatch);
  return {
    counters,
    app_em: app.em,
    app_f1: app.f1,
    api_em: api.em,
    api_f1: api.f1,
    succ: counters.succ_count,
  };
}

const returnedNames = (gold: Gold): Set<string> => new Set(gold.result_arguments.flat());

/** Counts hits once per name, while both totals count repeats, so that a plan that repeats a name cannot reach 1. */
function overlap(predicted: readonly string[], expected: readonly string[]): { em: number; f1: number } {
  const hits = new Set(predicted).intersection(new Set(expected)).size;
  return {
    em: predicted.length > 0 && sameMultiset(predicted, expected) ? 1 : 0,
    f1: f1(ratio(hits, predicted.length), ratio(hits, expected.length)),
  };
}

/**
 * The user's values, among which the official program finds none, because it searches by keys with `#` in a table without `#`.
 */
const noUserValues = {};

function compareArguments(
  predicted: ReadonlyMap<string, Arguments>,
  expected: ReadonlyMap<string, Arguments>,
  returned: ReadonlySet<string>,
  count: AnalysisCounters,
): void {
  const remembered = new Map<string, string>();
  for (const [name, needed] of expected) {
    const given = predicted.get(name);
    if (given === undefined) continue;
    for (const [key, value] of needed) {
      count.total_argument_count += 1;
      const dependent = returned.has(value) ? 1 : 0;
      const text = given.get(key);
      if (text === undefined) {
        count.key_missing += 1;
        count.depend_key_missing += dependent;
      } else if (acceptance(key, value, text, noUserValues, remembered) !== undefined) {
        count.depend_argument_correct_count += dependent;
      } else {
        count.key_value_mismatch += 1;
        count.depend_key_value_mismatch += dependent;
        if (isTimeKey(key)) count.date_related_value_error += 1;
        if (isPlaceKey(key)) count.location_related_value_error += 1;
      }
    }
  }
}

/** Reports whether a mismatch on this key is a time error in the paper's sense. */
export const isTimeKey = (key: string): boolean => key.includes("date") || key.includes("time");

/** Reports whether it is a place error. Upstream matches parts of names, so `total` and `customer` count. */
export const isPlaceKey = (key: string): boolean =>
  ["from", "to", "city", "where_to", "destination"].some((part) => key.includes(part));

/**
 * Returns upstream's report for a file of samples; undefined if upstream divides by zero (without any mismatch, for
 * example).
 */
export function evaluateAnalysis(
  count: AnalysisCounters,
  means: Omit<AnalysisScore, "counters">,
  samples: number,
): AnalysisEvaluation | undefined {
  const args = count.total_argument_count;
  const mismatches = count.key_value_mismatch;
  if (args === 0 || mismatches === 0 || samples === 0) return undefined;
  return {
    app: { em: means.app_em, f1: means.app_f1 },
    api: { em: means.api_em, f1: means.api_f1 },
    succ: means.succ,
    analysis: {
      all_key_missing: count.key_missing / args,
      depend_key_missing: count.depend_key_missing / args,
      // Upstream's spelling.
      indendpent_key_missing: (count.key_missing - count.depend_key_missing) / args,
      all_key_value_mismatch: mismatches / args,
      depend_key_value_mismatch: count.depend_key_value_mismatch / args,
      independent_key_value_mismatch: (mismatches - count.depend_key_value_mismatch) / args,
      date_value_error: count.date_related_value_error / mismatches,
      location_value_error: count.location_related_value_error / mismatches,
      percent_key_missing: count.key_missing_error / samples,
      percent_depend_key_missing: count.depend_key_missing_error / samples,
      percent_key_value_mismatch: count.key_value_mismatch_error / samples,
      percent_depend_key_value_mismatch: count.depend_key_value_mismatch_error / samples,
    },
  };
}
