/** The paired permutation test of a mean difference, and the interval of differences it does not reject. */
import { gammaln } from "simple-statistics";
import { isConstant } from "./constancy.ts";
import type { Interval } from "./interval.ts";
import { drawBinomial } from "./binomial.ts";
import { randomFrom, randomWordsFrom } from "./random.ts";

/**
 * Sets of tasks: for each entry, the sum and number of its differences and the number of sets that it represents; also the total
 * number of sets.
 */
type Subsets = {
  readonly sums: Float64Array;
  readonly sizes: Int32Array;
  readonly counts: Float64Array;
  readonly all: number;
  /** Number of empty sets besides those listed. */
  readonly empty: number;
};

/** Number of sets that are drawn if there are too many to enumerate; their complements about double this number. */
const draws = 9_999;
/** Maximum number of sets that are enumerated: enumerating them takes no longer than drawing. */
const mostListed = 2 * draws + 2;
const mostExact = 1000;
/**
 * Number of equal differences from which the count of flipped differences is drawn at once, because drawing 32 separately is
 * faster.
 */
const mostTogether = 128;
/** Relative to the range of the differences. */
const precision = 1e-7;

/**
 * Returns how often random signs would give a mean difference at least as far from zero (two-sided), with the interval of the
 * same test: the shifts of all differences that it would not reject at `level`. The interval excludes zero exactly if `p` is
 * below that; there is none if the test gives no limits: fewer than six differences, or all of them the same.
 *
 * A shift `d` below the mean is as extreme as observed with those signs whose flipped differences average at most `d`, so the
 * limits are quantiles of means of subsets (Hartigan 1969). Equal differences are only counted; if that leaves more than 20,000
 * sets, 9,999 and their complements are drawn by seed, plus the observed signs, so `p` is never zero. Measured on a busy
 * machine: 15 ms for 1,000 differences and 50 ms for 10,000.
 */
export function pairedPermutation(differences: readonly number[], seed: number | string = 0, level = 0.05) {
  const values = differences.filter((difference) => difference !== 0);
  if (values.length === 0) return { p: 1, interval: undefined };
  const sum = values.reduce((all, value) => all + value, 0);
  const subsets = subsetsOf(values, sum, seed);
  const zeros = coins(differences.length - values.length);
  const test = new Test(differences, sum, subsets, zeros);
  return { p: test.p(), interval: test.interval(level) };
}

class Test {
  readonly #n: number;
  readonly #sum: number;
  readonly #least: number;
  readonly #most: number;
  /** Tolerance for sums that should be equal but differ by rounding. */
  readonly #slack: number;
  readonly #subsets: Subsets;
  /** For each number up to that of zero differences, the probability that at most this many are flipped. */
  readonly #zeros: Float64Array;

  constructor(differences: readonly number[], sum: number, subsets: Subsets, zeros: Float64Array) {
    this.#n = differences.length;
    this.#sum = sum;
    this.#least = differences.reduce((least, value) => Math.min(least, value), Infinity);
    this.#most = differences.reduce((most, value) => Math.max(most, value), -Infinity);
    this.#slack = 1e-12 * differences.reduce((all, value) => all + Math.abs(value), 0);
    this.#subsets = subsets;
    this.#zeros = zeros;
  }

  p(): number {
    if (Math.abs(this.#sum) <= this.#slack) return 1;
    return this.#twoSided(0, this.#sum < 0);
  }

  interval(level: number): Interval | undefined {
    if (isConstant([this.#least, this.#most])) return undefined;
    const low = this.#limit(false, level);
    const high = this.#limit(true, level);
    return low === undefined || high === undefined ? undefined : { low, high };
  }

  /** Returns the smallest shift that is not rejected, or the largest for differences with flipped signs (`mirrored`). */
  #limit(mirrored: boolean, level: number): number | undefined {
    const sign = mirrored ? -1 : 1;
    const range = this.#most - this.#least;
    let low = (mirrored ? -this.#most : this.#least) - range;
    let high = (sign * this.#sum) / this.#n;
    if (this.#twoSided(low, mirrored) >= level) return undefined;
    // Zero comes first, with the very numbers that make `p`, so that interval and test never disagree.
    if (low < 0 && high > this.#slack) {
      if (this.#twoSided(0, mirrored) >= level) high = 0;
      else low = 0;
    }
    while (high - low > precision * range) {
      const middle = (low + high) / 2;
      if (this.#twoSided(middle, mirrored) >= level) high = middle;
      else low = middle;
    }
    return sign * high;
  }

  /** Returns the p of a shift below the mean: twice the share of sets whose differences average at most `shift`. */
  #twoSided(shift: number, mirrored: boolean): number {
    const { sums, sizes, counts, all, empty } = this.#subsets;
    const sign = mirrored ? -1 : 1;
    let count = empty;
    for (let index = 0; index < sums.length; index++) {
      const sum = sign * sums[index]! - this.#slack;
      // Any number of zero differences may be in the set as well: sum <= shift * (size + zeros).
      const zeros = sum / shift - sizes[index]!;
      if (shift > 0) count += (1 - this.#atMost(Math.ceil(zeros) - 1)) * counts[index]!;
      else if (shift < 0) count += this.#atMost(Math.floor(zeros)) * counts[index]!;
      else if (sum <= 0) count += counts[index]!;
    }
    return Math.min(1, (2 * count) / all);
  }

  #atMost(zeros: number): number {
    if (zeros < 0) return 0;
    return this.#zeros[Math.min(zeros, this.#zeros.length - 1)]!;
  }
}

/**
 * Returns the probability of at most each number of heads with `n` fair coins; in logarithms, so that thousands do not
 * underflow.
 */
function coins(n: number): Float64Array {
  const whole = gammaln(n + 1) - n * Math.LN2;
  const atMost = new Float64Array(n + 1);
  let sum = 0;
  for (let k = 0; k <= n; k++) {
    sum += Math.exp(whole - gammaln(k + 1) - gammaln(n - k + 1));
    atMost[k] = sum;
  }
  return atMost;
}

function subsetsOf(values: readonly number[], sum: number, seed: number | string): Subsets {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, equal]) => [value, equal.length] as const);
  const listed = counts.reduce((product, [, times]) => product * (times + 1), 1);
  if (listed <= mostListed && values.length <= mostExact) return allSubsets(counts);
  const isOfFew = counts.length * mostTogether <= values.length;
  return isOfFew ? drawnCounts(counts, sum, seed) : drawnSubsets(values, sum, seed);
}

function allSubsets(values: readonly (readonly [value: number, times: number])[]): Subsets {
  let sets = [{ sum: 0, size: 0, count: 1 }];
  for (const [value, times] of values) {
    const ways = binomials(times);
    sets = sets.flatMap(({ sum, size, count }) =>
      ways.map((way, k) => ({ sum: sum + k * value, size: size + k, count: count * way })),
    );
  }
  return {
    sums: Float64Array.from(sets, ({ sum }) => sum),
    sizes: Int32Array.from(sets, ({ size }) => size),
    counts: Float64Array.from(sets, ({ count }) => count),
    all: 2 ** values.reduce((all, [, times]) => all + times, 0),
    empty: 0,
  };
}

/** Returns the number of ways to choose 0, 1, ... n of n. */
function binomials(n: number): number[] {
  const ways = [1];
  for (let k = 0; k < n; k++) ways.push((ways[k]! * (n - k)) / (k + 1));
  return ways;
}

/** Draws random sets and their complements from differences among which many are equal: counts of each value in a set. */
function drawnCounts(values: readonly (readonly [value: number, times: number])[], sum: number, seed: number | string) {
  const random = randomFrom(seed);
  const sums = new Float64Array(2 * draws);
  const sizes = new Int32Array(2 * draws);
  for (let draw = 0; draw < draws; draw++) {
    for (const [value, times] of values) {
      const taken = drawBinomial(times, 0.5, random);
      sums[draw]! += taken * value;
      sizes[draw]! += taken;
    }
  }
  const size = values.reduce((all, [, times]) => all + times, 0);
  return withComplements(sums, sizes, sum, size);
}

/** Draws random sets and their complements, eight differences at a time, whose 256 sums are computed once. */
function drawnSubsets(values: readonly number[], sum: number, seed: number | string): Subsets {
  const sums = new Float64Array(2 * draws);
  const sizes = new Int32Array(2 * draws);
  const fill = randomWordsFrom(seed);
  const words = new Int32Array(draws);
  const rest = values.values();
  for (let from = 0; from < values.length; from += 32) {
    fill(words);
    const [a, b, c, d] = [nextSums(rest), nextSums(rest), nextSums(rest), nextSums(rest)];
    const left = values.length - from;
    const mask = left >= 32 ? -1 : 2 ** left - 1;
    for (let draw = 0; draw < draws; draw++) {
      const bits = words[draw]! & mask;
      sums[draw]! += a[bits & 255]! + b[(bits >>> 8) & 255]! + c[(bits >>> 16) & 255]! + d[bits >>> 24]!;
      sizes[draw]! += onesIn(bits);
    }
  }
  return withComplements(sums, sizes, sum, values.length);
}

/** Fills the second half of the arrays with the complements of the first. */
function withComplements(sums: Float64Array, sizes: Int32Array, sum: number, size: number): Subsets {
  for (let draw = 0; draw < draws; draw++) {
    sums[draws + draw] = sum - sums[draw]!;
    sizes[draws + draw] = size - sizes[draw]!;
  }
  // The observed signs, and all of them flipped, count among those drawn: the empty set, and the full one, never as extreme.
  return { sums, sizes, counts: new Float64Array(2 * draws).fill(1), all: 2 * draws + 2, empty: 1 };
}

/** Computes the sums of all sets of the next eight values (fewer at the end), each at the index whose bits are its members. */
function nextSums(rest: IteratorObject<number>): Float64Array {
  let sums = [0];
  for (const value of rest.take(8)) sums = [...sums, ...sums.map((sum) => sum + value)];
  return Float64Array.from(sums);
}

/** Returns the number of bits set in 32. */
function onesIn(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
