/** The second measure of every suite: each answer taken out of its wrapping, scored officially. */
import type { Measure } from "../benchmark.ts";
import type { Row } from "../types.ts";

/** The name of the measure and of its metric; only wrapped answers have the metric. */
export const unwrappedMetric = "unwrapped";

/** A wrapped answer without that metric could not be scored again: its wrapped reply was not the last, or a judge decides. */
function each({ score, cause }: Row): number | undefined {
  if (score?.value === undefined) return undefined;
  return cause?.cause === "wrapped" ? score.metrics[unwrappedMetric] : (score.metrics[unwrappedMetric] ?? score.value);
}

export const unwrappedMeasure: Measure = {
  kind: "mean",
  name: unwrappedMetric,
  title: "Unwrapped",
  mode: "unwrapped",
  note: "The score with answers taken out of their wrapping (fences, bullets, bold, prose around), scored officially.",
  unit: "percent",
  better: "higher",
  each,
};
