/** Intervals for the difference of two shares measured on the same tasks, and the tests to which they belong. */
import { betaQuantile, betaShare } from "./beta.ts";
import { normalPoint, normalTails } from "./normal.ts";
import { z, type Interval } from "./interval.ts";

/**
 * Returns the interval shown with McNemar's exact test: the hull of Tango's score interval and the exact conditional interval.
 *
 * Tango's alone excludes zero although the exact test does not reject (5 gained, none lost); the conditional one alone has no
 * width if no task differs. The hull excludes zero exactly if McNemar's exact p is below 0.05.
 *
 * `gained` and `lost` are the tasks right in the second or the first run only, of `n` in all. Undefined without tasks.
 */
export function pairedProportion(gained: number, lost: number, n: number, level = 0.05): Interval | undefined {
  if (n === 0) return undefined;
  const [score, exact] = [tango(gained, lost, n, level), conditional(gained, lost, n, level)];
  return { low: Math.min(score.low, exact.low), high: Math.max(score.high, exact.high) };
}

/**
 * Returns the two-sided p of a difference to which that interval belongs: it excludes the difference exactly if p is below the
 * interval's level. This is the larger p of Tango's score test and the exact conditional test (McNemar's if the difference is 0).
 */
export function pairedProportionP(gained: number, lost: number, n: number, difference: number): number {
  check(gained, lost, n);
  return Math.max(normalTails(score(gained, lost, n, difference)), conditionalP(gained, lost, n, difference));
}

function conditionalP(gained: number, lost: number, n: number, difference: number): number {
  const differing = gained + lost;
  if (differing === 0) return difference === 0 ? 1 : 0;
  const share = ((difference * n) / differing + 1) / 2;
  if (share < 0 || share > 1) return 0;
  const atMost = gained === differing ? 1 : 1 - betaShare(share, gained + 1, differing - gained);
  const atLeast = gained === 0 ? 1 : betaShare(share, gained, differing - gained + 1);
  return Math.min(1, 2 * atMost, 2 * atLeast);
}

/**
 * Returns Tango's score interval (Tango 1998, Statistics in Medicine 17: 891-908): the differences that a score test, with the
 * other parameter at its most likely value, does not reject.
 */
export function tango(gained: number, lost: number, n: number, level = 0.05): Interval {
  check(gained, lost, n);
  const point = level === 0.05 ? z : normalPoint(level);
  // By symmetry the lower limit is the upper one of the swapped runs.
  return { low: -upperTango(lost, gained, n, point), high: upperTango(gained, lost, n, point) };
}

function upperTango(gained: number, lost: number, n: number, point: number): number {
  let low = (gained - lost) / n;
  let high = 1;
  // The score falls from 0 at the observed difference; 1 may still be within the limits.
  if (score(gained, lost, n, 1) >= -point) return 1;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (score(gained, lost, n, middle) >= -point) low = middle;
    else high = middle;
  }
}

/** Returns how many standard errors the observed difference exceeds `difference` by. */
function score(gained: number, lost: number, n: number, difference: number): number {
  const linear = -gained - lost + (2 * n - gained + lost) * difference;
  const constant = -lost * difference * (1 - difference);
  const lostShare = (Math.sqrt(linear * linear - 8 * n * constant) - linear) / (4 * n);
  const variance = n * (2 * lostShare + difference * (1 - difference));
  const distance = gained - lost - n * difference;
  return variance > 0 ? distance / Math.sqrt(variance) : distance < 0 ? -Infinity : 0;
}

/**
 * Returns the exact interval given the number of differing tasks: Clopper and Pearson's for the share of gained tasks among them,
 * scaled to all tasks. It excludes zero exactly if McNemar's exact p is below 0.05.
 */
export function conditional(gained: number, lost: number, n: number, level = 0.05): Interval {
  check(gained, lost, n);
  const differing = gained + lost;
  if (differing === 0) return { low: 0, high: 0 };
  const share = clopperPearson(gained, differing, level);
  return { low: ((2 * share.low - 1) * differing) / n, high: ((2 * share.high - 1) * differing) / n };
}

/** Returns Clopper and Pearson's exact interval for a share (1934). */
function clopperPearson(successes: number, trials: number, level: number): Interval {
  return {
    low: successes === 0 ? 0 : betaQuantile(level / 2, successes, trials - successes + 1),
    high: successes === trials ? 1 : betaQuantile(1 - level / 2, successes + 1, trials - successes),
  };
}

function check(gained: number, lost: number, n: number): void {
  if (gained < 0 || lost < 0 || gained + lost > n)
    throw new RangeError(`Expected at most ${n} gained and lost tasks, got ${gained} and ${lost}`);
}
