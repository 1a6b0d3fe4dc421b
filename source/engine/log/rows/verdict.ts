/** Decides whether an answer counts as right. */
import type { Mistake, Score } from "../../types.ts";

export type Verdict = "right" | "wrong" | "unscored";

/**
 * Returns the score that measures count. Version 0.1.0 scored dialogues whose model had failed; these scores are meaningless, so
 * they count as unscored.
 */
export function countedScore(score: Score): Score {
  if (score.labels?.["end"] !== "model-error") return withNumbers(score);
  return { value: undefined, metrics: {}, checks: [], errors: [], labels: score.labels };
}

/** Removes numbers that are NaN, which a log writes as null. */
function withNumbers(score: Score): Score {
  const { value, metrics } = score;
  const isThere = value === undefined || Number.isFinite(value);
  if (isThere && Object.values(metrics).every(Number.isFinite)) return score;
  const numbers = Object.entries(metrics).filter(([, number]) => Number.isFinite(number));
  return { ...score, value: isThere ? value : undefined, metrics: Object.fromEntries(numbers) };
}

/** The kind of an error that a person rejected. */
export const noMistake = "no-mistake";

/** Returns the mistakes of a score without the mistakes that a person rejected. */
export const standingErrors = (errors: readonly Mistake[]): readonly Mistake[] =>
  errors.some(({ kind }) => kind === noMistake) ? errors.filter(({ kind }) => kind !== noMistake) : errors;

/**
 * Returns the verdict of a score: right from a value of 1 on, or from the scorer's threshold for an answer equal to the
 * reference; unscored without a value.
 */
export function verdictOf(score: Score | undefined): Verdict {
  if (score?.value === undefined) return "unscored";
  // Rounding may put the mean of a judge's scores slightly below a sum of tenths.
  return score.value >= (score.rightFrom ?? 1) - 1e-9 ? "right" : "wrong";
}
