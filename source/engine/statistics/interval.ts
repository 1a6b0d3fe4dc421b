/** 95 % intervals. */
import { quantileSorted } from "simple-statistics";
import { drawBinomial } from "./binomial.ts";
import { randomFrom } from "./random.ts";

export type Interval = { readonly low: number; readonly high: number };

/** The 97.5 % point of the standard normal distribution. */
export const z = 1.959963984540054;

/**
 * Returns Wilson's score interval for a proportion (Wilson 1927); undefined without trials. Throws when successes exceed
 * trials.
 */
export function wilson(successes: number, trials: number): Interval | undefined {
  if (trials === 0) return undefined;
  if (successes < 0 || successes > trials)
    throw new RangeError(`Expected successes from 0 to ${trials}, got ${successes}`);
  return wilsonShare(successes / trials, trials);
}

/**
 * Returns Wilson's interval for a share of `trials`, which need not be a whole number (an effective sample size); for other
 * levels use another `point` of the normal distribution.
 */
export function wilsonShare(share: number, trials: number, point = z): Interval {
  const square = point * point;
  const centre = share + square / (2 * trials);
  const spread = point * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials * trials));
  const scale = 1 + square / trials;
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

/** Up to this many values each draw is made separately; beyond, equal values are drawn together. */
const mostByThemselves = 1000;

/**
 * Returns the percentile bootstrap interval of a mean: resamples `values` with replacement `rounds` times. Seeded, so the same
 * values give the same interval. If many values are equal, a round draws the count of each (a multinomial distribution), which
 * is equivalent and takes no longer for more values. Undefined without values.
 */
export function bootstrapMean(
  values: readonly number[],
  seed: number | string = 0,
  rounds = 2000,
): Interval | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  const random = randomFrom(seed);
  const counts = n <= mostByThemselves ? undefined : countsOf(values, n / 16);
  const means = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    means[round] = counts === undefined ? drawnMean(values, random) : drawnMeanOf(counts, n, random);
  }
  const sorted = Array.from(means.sort());
  return { low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975) };
}

/** Returns the count of each value; undefined if there are more than `most` different ones. */
function countsOf(values: readonly number[], most: number): ReadonlyMap<number, number> | undefined {
  const counts = new Map<number, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (counts.size > most) return undefined;
  }
  return counts;
}

function drawnMean(values: readonly number[], random: () => number): number {
  let sum = 0;
  for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)]!;
  return sum / values.length;
}

/** Each value takes its share of the draws left by earlier ones. */
function drawnMeanOf(counts: ReadonlyMap<number, number>, n: number, random: () => number): number {
  let [sum, draws, left] = [0, n, n];
  for (const [value, count] of counts) {
    const taken = drawBinomial(draws, count / left, random);
    sum += taken * value;
    draws -= taken;
    left -= count;
  }
  return sum / n;
}

/** Returns Wilson's interval for zeros and ones, and the bootstrap's for other values. */
export function intervalOf(values: readonly number[], seed: number | string = 0): Interval | undefined {
  const successes = values.filter((value) => value === 1).length;
  if (values.every((value) => value === 0 || value === 1)) return wilson(successes, values.length);
  return bootstrapMean(values, seed);
}
