/** Statistics of n trials of a task: the expected result of k tries, and how often trials differ. */

/**
 * Returns pass@k: the probability that at least one of `k` tries succeeds, by the unbiased estimator 1 - C(n - c, k) / C(n, k)
 * of Chen et al. 2021 (Evaluating Large Language Models Trained on Code, section 2.1). Undefined with fewer than `k` trials.
 */
export function passAtK(trials: number, successes: number, k: number): number | undefined {
  const allFail = passHatK(trials, trials - successes, k);
  return allFail === undefined ? undefined : 1 - allFail;
}

/**
 * Returns pass^k: the probability that all of `k` tries succeed, by the unbiased estimator C(c, k) / C(n, k) of Yao et al. 2024
 * (tau-bench, section 4). Undefined with fewer than `k` trials.
 */
export function passHatK(trials: number, successes: number, k: number): number | undefined {
  if (successes < 0 || successes > trials)
    throw new RangeError(`Expected the number of successes to be from 0 to ${trials}, got ${successes}`);
  if (k < 1 || k > trials) return undefined;
  let share = 1;
  // C(c, k) / C(n, k) as a product, so that no binomial coefficient overflows; 0 once there are fewer successes than tries.
  for (let tried = 0; tried < k; tried++) share *= Math.max(0, successes - tried) / (trials - tried);
  return share;
}

/** Returns how often two of these values differ, drawn without replacement; undefined with fewer than two values. */
export function disagreement(values: readonly (number | string)[]): number | undefined {
  const n = values.length;
  if (n < 2) return undefined;
  const counts = new Map<number | string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const equal = [...counts.values()].reduce((pairs, count) => pairs + count * (count - 1), 0);
  return 1 - equal / (n * (n - 1));
}
