/** Estimates the true rate of successes from a judge's verdicts and a part of the tasks that people labelled. */
import { agreementOf, type VerdictPair } from "./agreement.ts";
import { isConstant } from "./constancy.ts";
import { type Interval, wilson, z } from "./interval.ts";

/** Verdicts on one task; means of its repeats are between 0 and 1. */
export type RatePair = { readonly people: boolean | number; readonly judge: boolean | number };

export type RateEstimate = { readonly estimate: number; readonly error: number; readonly interval: Interval };

/** Returns the success rate according to people in the labelled part alone, with Wilson's interval. */
export function peopleRate(labelled: readonly RatePair[]) {
  const successes = labelled.reduce((total, { people }) => total + Number(people), 0);
  const interval = wilson(successes, labelled.length);
  if (interval === undefined) return undefined;
  return { successes, n: labelled.length, rate: successes / labelled.length, interval };
}

/**
 * Corrects the judge's rate over the unlabelled tasks by its sensitivity and specificity in the labelled part (Rogan and Gladen
 * 1978), with an interval by the delta method. Valid if both carry over. Undefined if the judge is uninformative (sensitivity
 * and specificity sum to at most 1), or if a part has no tasks.
 */
export function roganGladen(labelled: readonly VerdictPair[], unlabelled: readonly (boolean | number)[]) {
  const { sensitivity, specificity, tp, fn, fp, tn } = agreementOf(labelled);
  const n = unlabelled.length;
  if (sensitivity === undefined || specificity === undefined || n === 0) return undefined;
  const [se, sp] = [sensitivity.share, specificity.share];
  const known = se + sp - 1;
  if (known <= 0) return undefined;
  const p = meanOf(unlabelled.map(Number));
  const unclipped = (p + sp - 1) / known;
  const variance =
    (p * (1 - p)) / (n * known ** 2) +
    ((se * (1 - se)) / (tp + fn)) * (unclipped / known) ** 2 +
    ((sp * (1 - sp)) / (fp + tn)) * ((1 - unclipped) / known) ** 2;
  const error = Math.sqrt(variance);
  const interval = { low: clipped(unclipped - z * error), high: clipped(unclipped + z * error) };
  return { estimate: clipped(unclipped), unclipped, error, interval };
}

/**
 * Prediction-powered estimate (Angelopoulos et al. 2023): the judge's rate over the unlabelled tasks plus its mean error in the
 * labelled part, which must be drawn at random. Power-tuned (PPI++, Angelopoulos, Duchi and Zrnic 2023), the judge counts by `weight`
 * from 0 to 1, so that the estimate is hardly ever worse than people alone. Intervals may pass 0 and 1. Undefined if a part has no
 * tasks.
 */
export function predictionPowered(labelled: readonly RatePair[], unlabelled: readonly (boolean | number)[]) {
  if (labelled.length === 0 || unlabelled.length === 0) return undefined;
  const people = labelled.map((each) => Number(each.people));
  const judge = labelled.map((each) => Number(each.judge));
  const others = unlabelled.map(Number);
  const weighted = (weight: number): RateEstimate => {
    const errors = people.map((value, task) => value - weight * judge[task]!);
    const estimate = weight * meanOf(others) + meanOf(errors);
    const error = Math.sqrt((weight ** 2 * varianceOf(others)) / others.length + varianceOf(errors) / errors.length);
    return { estimate, error, interval: { low: estimate - z * error, high: estimate + z * error } };
  };
  const spread = varianceOf([...judge, ...others]);
  const [meanPeople, meanJudge] = [meanOf(people), meanOf(judge)];
  const covariance = meanOf(people.map((value, task) => (value - meanPeople) * (judge[task]! - meanJudge)));
  const weight = isConstant([...judge, ...others])
    ? 0
    : clipped(covariance / ((1 + labelled.length / others.length) * spread));
  return { ...weighted(1), tuned: { weight, ...weighted(weight) } };
}

const clipped = (share: number) => Math.min(1, Math.max(0, share));
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** With divisor n. */
function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return meanOf(values.map((value) => (value - mean) ** 2));
}
