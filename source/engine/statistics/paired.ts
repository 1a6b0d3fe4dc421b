/** Compares two runs on the same tasks. */
import { mean } from "simple-statistics";
import type { Interval } from "./interval.ts";
import { pairedProportion } from "./paired-proportion.ts";
import { pairedPermutation } from "./permutation.ts";

/**
 * Returns p of McNemar's exact test: the two-sided binomial probability of a split at least as uneven as this split between
 * `gained` and `lost` tasks, if both were equally likely. 1 if no task differs.
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

export type Comparison = {
  /** Tasks with a value in both. */
  readonly n: number;
  readonly difference: number;
  /** The 95 % interval that belongs to the test: it excludes 0 exactly if `p` is below 0.05. */
  readonly interval: Interval | undefined;
  readonly gained: number;
  readonly lost: number;
  /** McNemar's exact test if all values are 0 or 1, otherwise the permutation test. */
  readonly p: number;
  readonly test: "McNemar exact" | "paired permutation";
};

/** Compares the tasks' values after with those before, in the same order. */
export function comparePaired(before: readonly number[], after: readonly number[], seed: number | string = 0) {
  const tally = new PairTally();
  for (const [at, one] of before.entries()) tally.add(one, after[at]!);
  const differences = () => before.map((one, at) => gain(one, after[at]!));
  return comparisonOf(tally, differences, seed);
}

/** Counts pairs one by one. For zeros and ones, a comparison needs only these counts. */
export class PairTally {
  n = 0;
  gained = 0;
  lost = 0;
  /** True if all values so far are 0 or 1. */
  isBinary = true;

  add(before: number, after: number): void {
    this.n += 1;
    this.isBinary &&= (before === 0 || before === 1) && (after === 0 || after === 1);
    if (before === after) return;
    const difference = gain(before, after);
    if (difference > 0) this.gained += 1;
    if (difference < 0) this.lost += 1;
  }

  join({ n, gained, lost, isBinary }: PairTally): void {
    this.n += n;
    this.gained += gained;
    this.lost += lost;
    this.isBinary &&= isBinary;
  }
}

/** Compares the pairs of a tally; `differences` returns them in order, unless all are zeros and ones. */
export function comparisonOf(
  { n, gained, lost, isBinary }: PairTally,
  differences: () => readonly number[],
  seed: number | string = 0,
): Comparison {
  const counts = { n, gained, lost };
  if (isBinary) {
    const difference = n === 0 ? 0 : (gained - lost) / n;
    const interval = pairedProportion(gained, lost, n);
    return { ...counts, difference, p: mcnemarExact(gained, lost), interval, test: "McNemar exact" };
  }
  const all = differences();
  const tested = pairedPermutation(all, seed);
  return { ...counts, difference: rounded(mean(all)), ...tested, test: "paired permutation" };
}

/** Returns the increase from before to after. */
export const gain = (before: number, after: number): number => rounded(after - before);

/** Rounds a mean. Means of the same numbers in another order differ in their last bits, which must not count as a difference. */
const rounded = (value: number) => (Math.abs(value) < 1e-12 ? 0 : value);

/** Returns p-values adjusted by Holm's step-down correction, in the given order, each at most 1. */
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
