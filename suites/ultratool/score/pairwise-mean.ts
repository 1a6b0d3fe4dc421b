/** Means that equal the official scorers' means to the last digit. The official numerical library sums pairwise in eight lanes. */

/** Returns the mean of the values; 0 for none. */
export const pairwiseMean = (values: ArrayLike<number>): number =>
  values.length === 0 ? 0 : pairwiseSum(values, 0, values.length) / values.length;

/** Sums fewer than 8 values in sequence, up to 128 in eight interleaved sums, and more in halves. */
function pairwiseSum(values: ArrayLike<number>, from: number, count: number): number {
  if (count < 8) {
    let sum = 0;
    for (let index = from; index < from + count; index++) sum += values[index]!;
    return sum;
  }
  if (count > 128) {
    const half = Math.floor(count / 2);
    const first = half - (half % 8);
    return pairwiseSum(values, from, first) + pairwiseSum(values, from + first, count - first);
  }
  const sums = [0, 0, 0, 0, 0, 0, 0, 0];
  const full = count - (count % 8);
  for (let index = 0; index < full; index++) sums[index % 8]! += values[from + index]!;
  const [a, b, c, d, e, f, g, h] = sums as [number, number, number, number, number, number, number, number];
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (let index = full; index < count; index++) sum += values[from + index]!;
  return sum;
}
