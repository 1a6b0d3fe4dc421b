/** Comparing two runs on the same tasks. */
import { mean } from "simple-statistics";
import { eachInTurn, inSlices, type Pieces } from "../work/pieces.ts";
import type { Interval } from "./interval.ts";
import { pairedProportion } from "./paired-proportion.ts";
import { pairedPermutation } from "./permutation.ts";

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

export type Comparison = {
  /** Tasks with a value in both. */
  readonly n: number;
  readonly difference: number;
  /** The 95 % interval that belongs to the test: it excludes 0 exactly where `p` is below 0.05. */
  readonly interval: Interval | undefined;
  readonly gained: number;
  readonly lost: number;
  /** McNemar's exact test where all values are 0 or 1, else the permutation test. */
  readonly p: number;
  readonly test: "McNemar exact" | "paired permutation";
};

/** Compares what tasks came to after with what they came to before, in the same order. */
export function* comparePaired(
  before: readonly number[],
  after: readonly number[],
  seed: number | string = 0,
): Pieces<Comparison> {
  let binary = true;
  let gained = 0;
  let lost = 0;
  yield* eachInTurn(before, (one, at) => {
    const other = after[at]!;
    binary &&= (one === 0 || one === 1) && (other === 0 || other === 1);
    const difference = rounded(other - one);
    if (difference > 0) gained += 1;
    if (difference < 0) lost += 1;
  });
  const n = before.length;
  const counts = { n, gained, lost };
  if (binary) {
    const difference = n === 0 ? 0 : (gained - lost) / n;
    const interval = pairedProportion(gained, lost, n);
    return { ...counts, difference, p: mcnemarExact(gained, lost), interval, test: "McNemar exact" };
  }
  const differences = yield* inSlices(before, (slice, from) =>
    slice.map((one, at) => rounded(after[from + at]! - one)),
  );
  const tested = yield* pairedPermutation(differences, seed);
  return { ...counts, difference: rounded(mean(differences)), ...tested, test: "paired permutation" };
}

/** Means of the same numbers in another order differ in their last bits: that is no difference. */
const rounded = (value: number) => (Math.abs(value) < 1e-12 ? 0 : value);

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
