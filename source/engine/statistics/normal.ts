/** The standard normal distribution, precise even far out in its tails. */

/** Returns the probability of a value at least this far from zero, on either side: `erfc(z / sqrt(2))`. */
export function normalTails(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  if (x > 27) return 0;
  return x < 2 ? 1 - erf(x) : erfc(x);
}

/** Sums a series whose terms are all positive (NIST Digital Library of Mathematical Functions, 7.6.2). */
function erf(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > 1e-17 * sum; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** Computes the continued fraction from its end (the same, 7.9.2); 200 steps are enough from 2 on. */
function erfc(x: number): number {
  let fraction = x;
  for (let n = 200; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}

/** Returns the point beyond which both tails together have the probability `level`, above 0 and at most 1. */
export function normalPoint(level: number): number {
  let [low, high] = [0, 38];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (normalTails(middle) > level) low = middle;
    else high = middle;
  }
}
