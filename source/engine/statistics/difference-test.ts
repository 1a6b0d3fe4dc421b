/** Tests a difference of two means against a bound, on the same tasks or on different ones. */
import { isConstant } from "./constancy.ts";
import { type Interval, wilsonShare } from "./interval.ts";
import { pairedProportion, pairedProportionP } from "./paired-proportion.ts";
import { pairedPermutation } from "./permutation.ts";
import { betaShare, studentQuantile } from "./beta.ts";
import { detectableBetween, detectableMean, detectableShare } from "./detectable-difference.ts";
import { normalPoint, normalTails } from "./normal.ts";

export type DifferenceTest = {
  readonly difference: number;
  /** The two-sided p-value of the hypothesis that the difference equals the bound. */
  readonly p: number;
  readonly test: string;
  /** Excludes the bound exactly if p is below `level`; undefined if the test gives no limits. */
  interval(level: number): Interval | undefined;
  /**
   * Returns the smallest distance from the bound that such a comparison detects with 80 % power at the 5 % level, given the
   * variance of these values. Undefined if there is no such distance.
   */
  detectable(): number | undefined;
};

const rounded = (value: number) => (Math.abs(value) < 1e-12 ? 0 : value);
const isBinary = (values: readonly number[]) => values.every((value) => value === 0 || value === 1);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Tests how much larger the first values are than the second, task by task in the same order. Undefined without tasks. */
export function pairedDifference(
  one: readonly number[],
  other: readonly number[],
  bound: number,
  seed: number | string,
): DifferenceTest | undefined {
  const n = one.length;
  if (n === 0) return undefined;
  const differences = one.map((value, at) => rounded(value - other[at]!));
  const difference = rounded(mean(differences));
  const deviation = Math.sqrt(errorOf(differences).square * n);
  const detectable = () => (isConstant(differences) ? undefined : detectableMean(n, deviation));
  if (isBinary(one) && isBinary(other)) {
    const more = differences.filter((value) => value > 0).length;
    const less = differences.filter((value) => value < 0).length;
    return {
      difference,
      p: pairedProportionP(more, less, n, bound),
      test: "paired shares: the larger p of Tango's score test and the exact conditional test",
      interval: (level) => pairedProportion(more, less, n, level),
      // The exact test's power is known against no difference alone.
      detectable: bound === 0 ? () => detectableShare(n, (more + less) / n) : detectable,
    };
  }
  const shifted = differences.map((value) => rounded(value - bound));
  const { p } = pairedPermutation(shifted, seed);
  return {
    difference,
    p,
    test: "paired permutation",
    interval: (level) => shiftedBy(pairedPermutation(shifted, seed, level).interval, bound),
    detectable,
  };
}

const shiftedBy = (interval: Interval | undefined, by: number): Interval | undefined =>
  interval && { low: interval.low + by, high: interval.high + by };

/** Tests how much larger the first values are than the second, on different tasks. Undefined without values of both. */
export function unpairedDifference(
  one: readonly number[],
  other: readonly number[],
  bound: number,
): DifferenceTest | undefined {
  if (one.length === 0 || other.length === 0) return undefined;
  const difference = rounded(mean(one) - mean(other));
  const detectable = () => detectableBetween(Math.sqrt(errorOf(one).square + errorOf(other).square));
  if (isBinary(one) && isBinary(other)) {
    const [a, b] = [one, other].map((values) => ({
      right: values.filter((value) => value === 1).length,
      n: values.length,
    }));
    return {
      difference,
      p: newcombeP(a!, b!, bound),
      test: "unpaired shares: Newcombe's interval",
      interval: (level) => newcombe(a!, b!, level),
      detectable,
    };
  }
  const tested = welch(one, other, bound);
  if (tested === undefined)
    return {
      difference,
      p: 1,
      test: "no test, because the scores vary too little",
      interval: () => undefined,
      detectable,
    };
  return {
    difference,
    p: tested.p,
    test: "Welch's test",
    interval: (level) => welch(one, other, bound, level)?.interval,
    detectable,
  };
}

/** Beyond this point the normal distribution is zero. */
const farthest = 38;

/**
 * Returns Newcombe's interval for the difference of two shares of independent tasks (Newcombe 1998, Statistics in Medicine 17:
 * 873-890, method 10): Wilson's limits of each, combined. `right` of `n` tasks each; undefined without tasks in either.
 */
export function newcombe(
  one: { readonly right: number; readonly n: number },
  other: { readonly right: number; readonly n: number },
  level = 0.05,
): Interval | undefined {
  return one.n === 0 || other.n === 0 ? undefined : newcombeAt(one, other, normalPoint(level));
}

type Share = Parameters<typeof newcombe>[0];

function newcombeAt(one: Share, other: Share, point: number): Interval {
  const [p, q] = [one.right / one.n, other.right / other.n];
  const [a, b] = [wilsonShare(p, one.n, point), wilsonShare(q, other.n, point)];
  return { low: p - q - Math.hypot(p - a.low, b.high - q), high: p - q + Math.hypot(a.high - p, q - b.low) };
}

/** Returns the level at which Newcombe's interval starts to exclude this difference, which is its p value. */
export function newcombeP(one: Share, other: Share, difference: number): number {
  const observed = one.right / one.n - other.right / other.n;
  const excludes = (point: number) => {
    const { low, high } = newcombeAt(one, other, point);
    return difference < observed ? low > difference : high < difference;
  };
  if (difference === observed) return 1;
  if (excludes(farthest)) return 0;
  let [low, high] = [0, farthest];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return normalTails(middle);
    if (excludes(middle)) low = middle;
    else high = middle;
  }
}

export type WelchTest = { readonly p: number; readonly interval: Interval };

/**
 * Returns Welch's test of two means against a `difference`, two-sided, with its interval (Welch 1947, Biometrika 34: 28-35).
 * Undefined with fewer than two values of either, and if neither varies, because their error is then unknown.
 */
export function welch(
  one: readonly number[],
  other: readonly number[],
  difference = 0,
  level = 0.05,
): WelchTest | undefined {
  if (one.length < 2 || other.length < 2 || (isConstant(one) && isConstant(other))) return undefined;
  const [a, b] = [errorOf(one), errorOf(other)];
  const square = a.square + b.square;
  const degrees = square ** 2 / (a.square ** 2 / (one.length - 1) + b.square ** 2 / (other.length - 1));
  const observed = a.mean - b.mean;
  const t = (observed - difference) / Math.sqrt(square);
  const reach = studentQuantile(1 - level / 2, degrees) * Math.sqrt(square);
  return {
    p: betaShare(degrees / (degrees + t * t), degrees / 2, 0.5),
    interval: { low: observed - reach, high: observed + reach },
  };
}

/** Returns the mean, and the square of its standard error. */
function errorOf(values: readonly number[]): { readonly mean: number; readonly square: number } {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, square: squares / (n - 1) / n };
}
