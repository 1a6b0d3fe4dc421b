/** The difference of two means measured on different tasks. */
import { betaShare, studentQuantile } from "./beta.ts";
import { type Interval, wilsonShare } from "./interval.ts";
import { normalPoint, normalTails } from "./normal.ts";

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

/** Returns the level at which Newcombe's interval begins to exclude this difference, which is its p. */
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
 * Undefined with fewer than two values of either, and if neither varies, because their error is unknown then.
 */
export function welch(
  one: readonly number[],
  other: readonly number[],
  difference = 0,
  level = 0.05,
): WelchTest | undefined {
  const [a, b] = [errorOf(one), errorOf(other)];
  const square = a.square + b.square;
  if (one.length < 2 || other.length < 2 || square === 0) return undefined;
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
