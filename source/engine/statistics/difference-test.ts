/** A difference of two means tested against a bound, on the same tasks or on different ones. */
import type { Interval } from "./interval.ts";
import { pairedProportion, pairedProportionP } from "./paired-proportion.ts";
import { pairedPermutation } from "./permutation.ts";
import { newcombe, newcombeP, welch } from "./unpaired.ts";

export type DifferenceTest = {
  readonly difference: number;
  /** Two-sided, of the difference being the bound. */
  readonly p: number;
  readonly test: string;
  /** Excludes the bound exactly where p is below `level`; undefined where the test bounds nothing. */
  interval(level: number): Interval | undefined;
};

const rounded = (value: number) => (Math.abs(value) < 1e-12 ? 0 : value);
const isBinary = (values: readonly number[]) => values.every((value) => value === 0 || value === 1);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How much larger the first values are than the second, task by task in the same order. Undefined without tasks. */
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
  if (isBinary(one) && isBinary(other)) {
    const more = differences.filter((value) => value > 0).length;
    const less = differences.filter((value) => value < 0).length;
    return {
      difference,
      p: pairedProportionP(more, less, n, bound),
      test: "paired shares: Tango's score test and the exact conditional one, the larger p",
      interval: (level) => pairedProportion(more, less, n, level),
    };
  }
  const shifted = differences.map((value) => rounded(value - bound));
  const { p } = pairedPermutation(shifted, seed);
  return {
    difference,
    p,
    test: "paired permutation",
    interval: (level) => shiftedBy(pairedPermutation(shifted, seed, level).interval, bound),
  };
}

function shiftedBy(interval: Interval | undefined, by: number): Interval | undefined {
  return interval && { low: interval.low + by, high: interval.high + by };
}

/** How much larger the first values are than the second, of different tasks. Undefined without values of both. */
export function unpairedDifference(
  one: readonly number[],
  other: readonly number[],
  bound: number,
): DifferenceTest | undefined {
  if (one.length === 0 || other.length === 0) return undefined;
  const difference = rounded(mean(one) - mean(other));
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
    };
  }
  return {
    difference,
    p: welch(one, other, bound)?.p ?? 1,
    test: "Welch's test",
    interval: (level) => welch(one, other, bound, level)?.interval,
  };
}
