/** Whether an answer counts as right, wherever tasks are counted or marked. */
import type { Mistake, Score } from "../../types.ts";

export type Verdict = "right" | "wrong" | "unscored";

/**
 * What a saved score counts as. Version 0.1.0 scored dialogues whose model had failed: they say nothing about the model and
 * are unscored.
 */
export function countedScore(score: Score): Score {
  if (score.labels?.["end"] !== "model-error") return withNumbers(score);
  return { value: undefined, metrics: {}, checks: [], errors: [], labels: score.labels };
}

/** A number of a scorer that is none, for which a log has null, counts as one that is not there. */
function withNumbers(score: Score): Score {
  const { value, metrics } = score;
  const isThere = value === undefined || Number.isFinite(value);
  if (isThere && Object.values(metrics).every(Number.isFinite)) return score;
  const numbers = Object.entries(metrics).filter(([, number]) => Number.isFinite(number));
  return { ...score, value: isThere ? value : undefined, metrics: Object.fromEntries(numbers) };
}

/** The kind of what a scorer took for a mistake and a person says is none. */
export const noMistake = "no-mistake";

/** The mistakes of a score but those a person says are none. */
export function standingErrors(errors: readonly Mistake[]): readonly Mistake[] {
  return errors.some(({ kind }) => kind === noMistake) ? errors.filter(({ kind }) => kind !== noMistake) : errors;
}

/** Right from a value of 1, or from what the scorer says is as good as the reference; unscored where there is no value. */
export function verdictOf(score: Score | undefined): Verdict {
  if (score?.value === undefined) return "unscored";
  // Means of a judge's scores may miss a sum of tenths by a rounding error.
  return score.value >= (score.rightFrom ?? 1) - 1e-9 ? "right" : "wrong";
}
