/** The second measure of every suite: the official score of each answer without its wrapping. */
import { type Measure, unwrappedMetric } from "../benchmark.ts";
import type { Row } from "../types.ts";

/**
 * Returns the metric, or the score for other answers. A wrapped answer without the metric could not be scored again: its wrapped
 * reply was not the last one, or only a judge can score it.
 */
function each({ score, cause }: Row): number | undefined {
  if (score?.value === undefined) return undefined;
  return cause?.cause === "wrapped" ? score.metrics[unwrappedMetric] : (score.metrics[unwrappedMetric] ?? score.value);
}

export const unwrappedMeasure: Measure = {
  kind: "mean",
  name: unwrappedMetric,
  title: "Unwrapped",
  mode: "unwrapped",
  note: "The score, by the official rules, of answers without their wrapping (fences, bullets, bold, surrounding prose).",
  unit: "percent",
  better: "higher",
  each,
};
