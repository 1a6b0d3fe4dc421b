/** The beta distribution, with exact binomial limits and Student's quantiles. */
import { gammaln } from "simple-statistics";

/**
 * Maximum number of terms. A continued fraction converges in about the square root of its larger parameter, so this suffices for
 * any number of tasks.
 */
const mostTerms = 100_000;
const tiny = 1e-300;

/**
 * Returns the regularised incomplete beta function: the probability that a beta variable with parameters `a` and `b` is at most
 * `x`. Continued fraction by Lentz's method (NIST Digital Library of Mathematical Functions, 8.17.22).
 */
export function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  // The fraction converges quickly below the mean only; beyond it, and from 1 on, the other tail is computed.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a);
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let c = 1;
  let d = 1 / guarded(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let term = 1; term < mostTerms; term++) {
    const even = (term * (b - term) * x) / ((a + 2 * term - 1) * (a + 2 * term));
    d = 1 / guarded(1 + even * d);
    c = guarded(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + term) * (a + b + term) * x) / ((a + 2 * term) * (a + 2 * term + 1));
    d = 1 / guarded(1 + odd * d);
    c = guarded(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * fraction;
}

const guarded = (value: number) => (Math.abs(value) < tiny ? tiny : value);

/** Returns the quantile `p` of the beta distribution: Newton's steps, halved if they leave the bracket. */
export function betaQuantile(p: number, a: number, b: number): number {
  const constant = gammaln(a + b) - gammaln(a) - gammaln(b);
  let [low, high] = [0, 1];
  let x = a / (a + b);
  for (;;) {
    const over = betaShare(x, a, b) - p;
    if (over < 0) low = x;
    else high = x;
    const density = Math.exp(constant + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
    const stepped = x - over / density;
    const next = stepped > low && stepped < high ? stepped : (low + high) / 2;
    if (Math.abs(next - x) <= 1e-15 * x || next <= low || next >= high) return next;
    x = next;
  }
}

/** Returns the quantile `p` of Student's distribution. */
export function studentQuantile(p: number, degrees: number): number {
  const share = betaQuantile(Math.abs(2 * p - 1), 0.5, degrees / 2);
  return Math.sign(p - 0.5) * Math.sqrt((degrees * share) / (1 - share));
}
