/** 95 % intervals. */
import { quantileSorted } from "simple-statistics";
import { randomFrom } from "./random.ts";

export type Interval = { readonly low: number; readonly high: number };

/** The 97.5 % point of the standard normal distribution. */
export const z = 1.959963984540054;

/** Wilson's score interval for a proportion (Wilson 1927); undefined without trials. Throws when successes exceed trials. */
export function wilson(successes: number, trials: number): Interval | undefined {
  if (trials === 0) return undefined;
  if (successes < 0 || successes > trials)
    throw new RangeError(`Expected successes from 0 to ${trials}, got ${successes}`);
  return wilsonShare(successes / trials, trials);
}

/**
 * Wilson's interval for a share of `trials`, which need not be a whole number (an effective sample size); of other levels with
 * another `point` of the normal distribution.
 */
export function wilsonShare(share: number, trials: number, point = z): Interval {
  const square = point * point;
  const centre = share + square / (2 * trials);
  const spread = point * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials * trials));
  const scale = 1 + square / trials;
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

/**
 * Percentile bootstrap of a mean: resamples `values` with replacement `rounds` times. Seeded, so the same values give the same
 * interval. Undefined without values.
 */
export function bootstrapMean(
  values: readonly number[],
  seed: number | string = 0,
  rounds = 2000,
): Interval | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  const random = randomFrom(seed);
  const means: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let draw = 0; draw < n; draw++) sum += values[Math.floor(random() * n)]!;
    means.push(sum / n);
  }
  means.sort((a, b) => a - b);
  return { low: quantileSorted(means, 0.025), high: quantileSorted(means, 0.975) };
}

/** Wilson for zeros and ones, bootstrap for anything else. */
export function intervalOf(values: readonly number[], seed: number | string = 0): Interval | undefined {
  const successes = values.filter((value) => value === 1).length;
  if (values.every((value) => value === 0 || value === 1)) return wilson(successes, values.length);
  return bootstrapMean(values, seed);
}
