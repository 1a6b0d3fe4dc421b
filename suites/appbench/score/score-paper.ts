/** Scoring by the paper's own definitions: every hit counts, and success needs the structure too. Strict success is our reading. */
import { namesOf } from "./call-text.ts";
import { canonicalCall, canonicalText } from "./canonical-call.ts";
import type { Counters } from "./count.ts";
import { commonCount, lowerCased, ratio, sameMultiset } from "./count.ts";
import type { Gold } from "../data/gold.ts";

export const paperCounters = ["app_hit", "app_pred", "app_gold", "api_hit", "api_pred", "api_gold"] as const;
export type PaperCounters = Counters<(typeof paperCounters)[number]>;
export type PaperScore = PaperCounters & { readonly em_app: number; readonly em_api: number; readonly succ: number };

/** Scores one sample from the plan's app names (placeholders already replaced) and call texts. */
export function scorePaper(apps: readonly string[], calls: readonly string[], gold: Gold): PaperScore {
  const predictedApps = lowerCased(apps.filter((app) => app !== ""));
  const goldApps = lowerCased(gold.used_app);
  const predictedApis = namesOf(calls);
  const goldApis = namesOf(gold.api_results);
  return {
    app_hit: commonCount(predictedApps, goldApps),
    app_pred: predictedApps.length,
    app_gold: goldApps.length,
    api_hit: commonCount(predictedApis, goldApis),
    api_pred: predictedApis.length,
    api_gold: goldApis.length,
    em_app: predictedApps.length > 0 && sameMultiset(predictedApps, goldApps) ? 1 : 0,
    em_api: predictedApis.length > 0 && sameMultiset(predictedApis, goldApis) ? 1 : 0,
    succ: sameStructure(predictedApps, calls, gold) ? 1 : 0,
  };
}

/** Whether both plans hold the same calls as often, in any order, with the same arguments, references as references. */
function sameStructure(apps: readonly string[], calls: readonly string[], gold: Gold): boolean {
  if (apps.length !== calls.length || gold.used_app.length !== gold.api_results.length) return false;
  const predicted = readable(apps, calls);
  const expected = expectedTexts(gold);
  // A call that cannot be read is missing in the list.
  const isWhole = predicted.length === calls.length && expected.length === gold.api_results.length;
  return isWhole && sameMultiset(predicted, expected);
}

/** The calls of a plan in canonical form, without those that cannot be read; none where apps and calls do not stand beside each other. */
function readable(apps: readonly string[], calls: readonly string[]): readonly string[] {
  if (apps.length !== calls.length) return [];
  return calls.flatMap((text, index) => {
    const call = canonicalCall(apps[index]!, text);
    return call === undefined ? [] : [canonicalText(call)];
  });
}

const expected = new WeakMap<Gold, readonly string[]>();

/** Of the reference: read once, however many answers are compared with it. */
function expectedTexts(gold: Gold): readonly string[] {
  const known = expected.get(gold);
  if (known !== undefined) return known;
  const texts = readable(gold.used_app, gold.api_results);
  expected.set(gold, texts);
  return texts;
}

export const callCounters = ["call_hit", "call_pred"] as const;
export type CallCounters = Counters<(typeof callCounters)[number]>;

/**
 * Calls that are right in every argument, compared as strict success compares them, and calls made. A call that cannot be
 * read is made but never right; where apps and calls do not stand beside each other (a plan with a placeholder for no app, or
 * the one published reference with more calls than apps) none is.
 */
export function countCalls(apps: readonly string[], calls: readonly string[], gold: Gold): CallCounters {
  const hits = commonCount(readable(apps, calls), expectedTexts(gold));
  return { call_hit: hits, call_pred: calls.length };
}

/** Micro F1: twice the hits over all predicted and gold names; 0 where there are none. */
export function paperF1(hits: number, predicted: number, expected: number): number {
  return ratio(2 * hits, predicted + expected);
}
