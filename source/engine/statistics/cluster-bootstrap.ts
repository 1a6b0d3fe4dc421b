/**
 * Intervals of statistics on clustered data. Repeats of one task are one cluster, so the bootstrap resamples tasks, not
 * verdicts.
 */
import type { Interval } from "./interval.ts";
import { randomFrom } from "./random.ts";

/** With this number of samples, the ends for different seeds differ by about a hundredth of the width. */
const samples = 2_000;

/**
 * Returns the percentile interval (95 %) of a statistic of sums: each cluster has the same list of sums, such as numbers of
 * verdicts, which are added up over clusters drawn with replacement. Samples in which the statistic is undefined are omitted.
 * Undefined if fewer than half of the samples have a value, or with fewer than two clusters.
 */
export function clusterBootstrap(
  clusters: readonly (readonly number[])[],
  statistic: (sums: readonly number[]) => number | undefined,
  seed: number | string = 0,
): Interval | undefined {
  const [first] = clusters;
  if (first === undefined || clusters.length < 2) return undefined;
  const random = randomFrom(seed);
  const found: number[] = [];
  const sums = [...first];
  for (let sample = 0; sample < samples; sample++) {
    sums.fill(0);
    for (let drawn = 0; drawn < clusters.length; drawn++) {
      const cluster = clusters[Math.floor(random() * clusters.length)]!;
      for (let at = 0; at < sums.length; at++) sums[at]! += cluster[at]!;
    }
    const value = statistic(sums);
    if (value !== undefined) found.push(value);
  }
  if (found.length * 2 < samples) return undefined;
  found.sort((one, other) => one - other);
  const at = (share: number) => found[Math.round(share * (found.length - 1))]!;
  return { low: at(0.025), high: at(0.975) };
}
