/** Round numbers along an axis. */

/**
 * Returns multiples of 1, 2 or 5 times a power of ten from 0 to `most`, at most `count` of them after the 0. `whole` excludes
 * fractions, because counts have none.
 */
export function axisTicks(most: number, count: number, whole = false): readonly number[] {
  if (!(most > 0) || !Number.isFinite(most)) return [0];
  const step = stepOf(most, count);
  return multiples(0, most, whole ? Math.max(1, step) : step);
}

/** Returns at most `count + 1` ticks between two ends; the ends themselves if fewer than two ticks fit between them. */
export function ticksBetween(low: number, high: number, count: number): readonly number[] {
  if (!(high > low) || !Number.isFinite(high - low)) return [low];
  const ticks = multiples(low, high, stepOf(high - low, count));
  return ticks.length < 2 ? [low, high] : ticks;
}

/** Returns the shortest round step that fits at most `count` times into a length. */
function stepOf(length: number, count: number): number {
  const power = 10 ** Math.floor(Math.log10(length / count));
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => length / each <= count * (1 + 1e-9)) ?? length;
}

/** Multiplies instead of adding, and rounds off the noise of binary fractions. */
function multiples(low: number, high: number, step: number): readonly number[] {
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
