/**
 * Scores by the paper's own definitions: every hit counts, and success includes the structure. The paper does not define strict
 * success; this file interprets it.
 */
import { type Counters, commonCount, lowerCased, ratio, sameMultiset } from "./count.ts";
import type { Gold } from "../data/gold.ts";
import { referenceOf, type ScoredPlan } from "./scored-plan.ts";

export const paperCounters = ["app_hit", "app_pred", "app_gold", "api_hit", "api_pred", "api_gold"] as const;
export type PaperCounters = Counters<(typeof paperCounters)[number]>;
export type PaperScore = PaperCounters & { readonly em_app: number; readonly em_api: number; readonly succ: number };

export function scorePaper(plan: ScoredPlan, gold: Gold): PaperScore {
  const predictedApps = lowerCased(plan.apps.filter((app) => app !== ""));
  const goldApps = lowerCased(gold.used_app);
  const predictedApis = plan.names;
  const goldApis = referenceOf(gold).names;
  return {
    app_hit: commonCount(predictedApps, goldApps),
    app_pred: predictedApps.length,
    app_gold: goldApps.length,
    api_hit: commonCount(predictedApis, goldApis),
    api_pred: predictedApis.length,
    api_gold: goldApis.length,
    em_app: predictedApps.length > 0 && sameMultiset(predictedApps, goldApps) ? 1 : 0,
    em_api: predictedApis.length > 0 && sameMultiset(predictedApis, goldApis) ? 1 : 0,
    succ: sameStructure(plan, referenceOf(gold)) ? 1 : 0,
  };
}

/**
 * Reports whether both plans contain the same calls equally often, in any order, with the same arguments and
 * references.
 */
function sameStructure(plan: ScoredPlan, reference: ScoredPlan): boolean {
  // An unreadable call is missing from the list; all calls are missing if apps and calls differ in number.
  const isWhole = [plan, reference].every(
    ({ apps, calls, canonical }) => apps.length === calls.length && canonical.length === calls.length,
  );
  return isWhole && sameMultiset(plan.canonical, reference.canonical);
}

export const callCounters = ["call_hit", "call_pred"] as const;
export type CallCounters = Counters<(typeof callCounters)[number]>;

/**
 * Counts all calls and the calls that are right in every argument, compared as in strict success. An unreadable call counts but
 * is never right; no call is right if apps and calls differ in number (after a placeholder for no app, or in the one published
 * reference with more calls than apps).
 */
export const countCalls = ({ canonical, calls }: ScoredPlan, gold: Gold): CallCounters => ({
  call_hit: commonCount(canonical, referenceOf(gold).canonical),
  call_pred: calls.length,
});

/** Returns the micro F1: twice the hits over all predicted and gold names; 0 without names. */
export const paperF1 = (hits: number, predicted: number, expected: number): number =>
  ratio(2 * hits, predicted + expected);
