/** Tests whether values vary, and gives the interval of a mean of equal values. */
import { type Interval, wilson } from "./interval.ts";

/** Maximum relative rounding error of a sum of a million numbers. */
const rounding = 1e-12;

/**
 * True if the values differ only by rounding. `size` is that of the inputs from which they were calculated: by default the
 * largest value.
 */
export function isConstant(values: Iterable<number>, size = 0): boolean {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return !(most - least > rounding * Math.max(size, Math.abs(least), Math.abs(most)));
}

/**
 * Returns the 95 % interval of the mean if `n` independent values all equal `value`: that many others, of any size from 0 to 1,
 * could have been drawn as Wilson's interval allows for an outcome seen in none of `n` trials. Undefined for a value outside 0
 * and 1, because nothing limits the values that were not drawn.
 */
export function constantInterval(value: number, n: number): Interval | undefined {
  const unseen = wilson(0, n);
  if (unseen === undefined || value < 0 || value > 1) return undefined;
  return { low: value * (1 - unseen.high), high: value + unseen.high * (1 - value) };
}
