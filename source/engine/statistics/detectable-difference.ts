/** The smallest difference between two runs on the same tasks that a test detects: 80 % power at 0.05, two-sided. */
import { betaShare, studentQuantile } from "./beta.ts";
import { z } from "./interval.ts";

const level = 0.05;
const power = 0.8;
/** The 80 % point of the standard normal distribution. */
const zPower = 0.8416212335729143;

/**
 * Returns the smallest difference of two shares that McNemar's exact test finds in four of five studies with `tasks` tasks,
 * if the runs differ on the share `disagreement` of them. Undefined if even runs that differ in one direction only cannot be
 * distinguished.
 *
 * By the exact power: the test's rejections over the binomial numbers of differing and of gained tasks (Duffy 1984, Biometrics
 * 40: 1005-1015), without the negligible ones in the wrong direction. Precise to 0.0001.
 */
export function detectableShare(tasks: number, disagreement: number): number | undefined {
  const rejected = rejections(tasks, disagreement);
  const isSeen = (difference: number): boolean => powerOf(difference, disagreement, rejected) >= power;
  if (!isSeen(disagreement)) return undefined;
  // Connor's approximation is a little too low; the exact value is bracketed from there.
  let low = Math.min(connor(tasks, disagreement), disagreement) * 0.9;
  let high = Math.min(disagreement, low * 1.25);
  while (isSeen(low)) low *= 0.9;
  while (!isSeen(high)) high = Math.min(disagreement, high * 1.1);
  while (high - low > 0.00005) {
    const middle = (low + high) / 2;
    if (isSeen(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * Returns the probability that McNemar's exact test rejects at 0.05 if the runs differ on a share `disagreement` of `tasks`
 * tasks and the second is better by `difference`.
 */
export const mcnemarPower = (tasks: number, disagreement: number, difference: number): number =>
  powerOf(difference, disagreement, rejections(tasks, disagreement));

/**
 * Returns the smallest mean difference that a paired test finds, from the standard deviation of the differences (Student's
 * quantiles).
 */
export function detectableMean(tasks: number, deviation: number): number | undefined {
  if (tasks < 2) return undefined;
  const degrees = tasks - 1;
  return ((studentQuantile(0.975, degrees) + studentQuantile(power, degrees)) * deviation) / Math.sqrt(tasks);
}

/**
 * Returns the smallest distance from a claimed difference of means of different tasks that a test detects, from the standard
 * error of their difference (normal approximation). Undefined if all values are equal, because the error is then unknown.
 */
export const detectableBetween = (error: number): number | undefined => (error > 0 ? (z + zPower) * error : undefined);

/** Solves Connor 1987 (Biometrics 43: 207-211) for the difference; needs four tasks, and McNemar's test rejects from six on. */
function connor(tasks: number, disagreement: number): number {
  const root = Math.sqrt(tasks + zPower * zPower - z * z);
  return (Math.sqrt(disagreement) * (z * Math.sqrt(tasks) + zPower * root)) / (tasks + zPower * zPower);
}

/** A number of differing tasks, its probability, and the maximum number of lost tasks at which the test still rejects. */
type Rejection = { readonly differing: number; readonly chance: number; readonly lost: number };

function rejections(tasks: number, disagreement: number): readonly Rejection[] {
  const found: Rejection[] = [];
  const spread = 6 * Math.sqrt(tasks * disagreement * (1 - disagreement)) + 1;
  const first = Math.max(1, Math.floor(tasks * disagreement - spread));
  const last = Math.min(tasks, Math.ceil(tasks * disagreement + spread));
  let lost = -1;
  for (let differing = first; differing <= last; differing++) {
    // McNemar's exact p is twice this tail; each further differing task raises the limit by one at most.
    while (2 * betaShare(0.5, differing - lost - 1, lost + 2) < level) lost += 1;
    const below = (k: number) => (k >= tasks ? 1 : betaShare(1 - disagreement, tasks - k, k + 1));
    found.push({ differing, chance: below(differing) - below(differing - 1), lost });
  }
  return found;
}

function powerOf(difference: number, disagreement: number, rejected: readonly Rejection[]): number {
  // The share of lost tasks among differing tasks.
  const lostShare = (disagreement - difference) / (2 * disagreement);
  let sum = 0;
  for (const { differing, chance, lost } of rejected) {
    if (lost >= 0) sum += chance * betaShare(1 - lostShare, differing - lost, lost + 1);
  }
  return sum;
}
