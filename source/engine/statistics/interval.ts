/** 95 % intervals. */

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
    throw new RangeError(`Expected the number of successes to be from 0 to ${trials}, got ${successes}`);
  return wilsonShare(successes / trials, trials);
}

/**
 * Returns the largest share that an outcome that occurred in none of `trials` may have at 95 %, one-sided (Clopper and Pearson
 * 1934): with 5 trials 0.45.
 */
export const mostUnseen = (trials: number): number => 1 - 0.05 ** (1 / trials);

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
