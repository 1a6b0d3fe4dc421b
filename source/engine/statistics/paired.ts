/** Comparing two runs on the same tasks. */
import { mean, sum } from "simple-statistics";
import { bootstrapMean, type Interval } from "./interval.ts";
import { randomFrom } from "./random.ts";

/**
 * McNemar's exact test: two-sided binomial probability of a split at least as uneven as this one between the `gained` and the
 * `lost` tasks, were both equally likely. 1 when nothing differs.
 */
export function mcnemarExact(gained: number, lost: number): number {
  const n = gained + lost;
  if (n === 0) return 1;
  let tail = 0;
  // Sums binomial probabilities in logarithms, so that thousands of tasks do not underflow.
  let logTerm = -n * Math.LN2;
  for (let k = 0; k <= Math.min(gained, lost); k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * tail);
}

/** Differences up to this many are enumerated exactly, more are sampled. */
const enumerated = 16;

/**
 * Paired permutation test of a mean difference: how often random sign flips give a mean at least as far from zero. Exact for
 * up to 16 non-zero differences, else with `rounds` seeded draws and the observed one counted in, so it is never 0.
 */
export function pairedPermutation(differences: readonly number[], seed: number | string = 0, rounds = 10_000): number {
  const nonZero = differences.filter((difference) => difference !== 0);
  if (nonZero.length === 0) return 1;
  const observed = Math.abs(sum(nonZero));
  const slack = 1e-12 * sum(nonZero.map(Math.abs));
  let extreme = 0;
  if (nonZero.length <= enumerated) {
    const all = 2 ** nonZero.length;
    for (let signs = 0; signs < all; signs++) {
      let flipped = 0;
      for (const [index, value] of nonZero.entries()) flipped += (signs >> index) & 1 ? value : -value;
      if (Math.abs(flipped) >= observed - slack) extreme += 1;
    }
    return extreme / all;
  }
  const random = randomFrom(seed);
  for (let round = 0; round < rounds; round++) {
    let flipped = 0;
    for (const value of nonZero) flipped += random() < 0.5 ? value : -value;
    if (Math.abs(flipped) >= observed - slack) extreme += 1;
  }
  return (extreme + 1) / (rounds + 1);
}

export type Comparison = {
  /** Tasks with a value in both. */
  readonly n: number;
  readonly difference: number;
  readonly interval: Interval | undefined;
  readonly gained: number;
  readonly lost: number;
  /** McNemar's exact test where all values are 0 or 1, else the permutation test. */
  readonly p: number;
  readonly test: "McNemar exact" | "paired permutation";
};

/** Compares `after` with `before`, value by value of the same task. */
export function comparePaired(
  pairs: readonly (readonly [before: number, after: number])[],
  seed: number | string = 0,
): Comparison {
  const differences = pairs.map(([before, after]) => after - before);
  const gained = differences.filter((value) => value > 0).length;
  const lost = differences.filter((value) => value < 0).length;
  const binary = pairs.every((pair) => pair.every((value) => value === 0 || value === 1));
  const n = pairs.length;
  return {
    n,
    gained,
    lost,
    difference: n === 0 ? 0 : mean(differences),
    interval: bootstrapMean(differences, seed),
    p: binary ? mcnemarExact(gained, lost) : pairedPermutation(differences, seed),
    test: binary ? "McNemar exact" : "paired permutation",
  };
}

/** Holm's step-down correction for many comparisons: adjusted p-values in the order given, each at most 1. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted: number[] = Array.from({ length: pValues.length });
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (pValues.length - rank)));
    adjusted[index] = least;
  }
  return adjusted;
}
