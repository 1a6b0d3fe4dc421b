/** Round numbers along an axis that begins at nothing. */

/** From 0 on in steps of 1, 2 or 5 times a power of ten, at most `count` of them after the 0; none beyond `most`. */
export function axisTicks(most: number, count: number): readonly number[] {
  if (!(most > 0) || !Number.isFinite(most)) return [0];
  const power = 10 ** Math.floor(Math.log10(most / count));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => most / each <= count) ?? most;
  // Multiples, not sums, and without the digits that binary fractions add.
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}
