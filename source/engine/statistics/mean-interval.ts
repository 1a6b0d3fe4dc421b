/** 95 % intervals of a mean of independent values. */
import { studentQuantile } from "./beta.ts";
import { constantInterval, isConstant } from "./constancy.ts";
import { type Interval, wilson } from "./interval.ts";

/** Halvings of a bracket: more would change no digit. */
const halvings = 60;

/**
 * Returns the 95 % interval of the mean: Wilson's for zeros and ones, `boundedMean` for other values from 0 to 1, Student's for
 * all others, `constantInterval` if the values do not vary. Undefined without values, and if the error is unlimited.
 */
export function intervalOf(values: readonly number[]): Interval | undefined {
  const n = values.length;
  let [ones, binary, shares, sum] = [0, true, true, 0];
  for (const value of values) {
    if (value === 1) ones += 1;
    binary &&= value === 0 || value === 1;
    shares &&= value >= 0 && value <= 1;
    sum += value;
  }
  if (binary) return wilson(ones, n);
  const mean = sum / n;
  if (isConstant(values)) return constantInterval(mean, n);
  if (shares) return boundedMean(values);
  const squares = values.reduce((all, value) => all + (value - mean) ** 2, 0);
  const reach = studentQuantile(0.975, n - 1) * Math.sqrt(squares / (n - 1) / n);
  return { low: mean - reach, high: mean + reach };
}

/**
 * Returns the interval of a mean of values from 0 to 1 that vary: all means that a distribution on the values, 0 and 1 can have
 * with a likelihood ratio above exp(-t²/2), with Student's t for as many values. This is empirical likelihood (Owen 1988, Biometrika 75: 237-249) in which, as a few
 * values rarely include the worst one, both ends are possible though nothing has that value yet.
 */
function boundedMean(values: readonly number[]): Interval {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1 / values.length);
  const shares = [...counts].map(([value, share]) => ({ value, share }));
  const mirrored = shares.map(({ value, share }) => ({ value: 1 - value, share }));
  const reach = studentQuantile(0.975, values.length - 1) ** 2 / (2 * values.length);
  return { low: 1 - highestMean(mirrored, reach), high: highestMean(shares, reach) };
}

type Share = { readonly value: number; readonly share: number };

/**
 * Returns the highest mean of distributions on these values and 1 whose Kullback-Leibler divergence from the shares is at most
 * `reach`. The weights are proportional to share / (pole - value), by Lagrange; if the pole would be below 1, the rest of the
 * weight lies on 1 (Filippi, Cappé and Garivier 2010, Allerton Conference, algorithm 2).
 */
function highestMean(shares: readonly Share[], reach: number): number {
  // The pole is given by its distance from 1: beside 1, a tiny one would be lost.
  const divergence = (beyond: number) => {
    let [logs, inverses] = [0, 0];
    for (const { value, share } of shares) {
      logs += share * Math.log(1 - value + beyond);
      inverses += share / (1 - value + beyond);
    }
    return logs + Math.log(inverses);
  };
  const atEnd = shares.some(({ value }) => value === 1) ? Infinity : divergence(0);
  if (atEnd < reach) {
    const kept = Math.exp(atEnd - reach);
    return 1 - kept + kept * weighted(shares, 0);
  }
  let [low, high] = [0, 1];
  while (divergence(high) > reach) high *= 2;
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2;
    if (divergence(middle) > reach) low = middle;
    else high = middle;
  }
  return weighted(shares, high);
}

/** Returns the mean with weights proportional to share / (pole - value), for a pole at this distance beyond 1. */
function weighted(shares: readonly Share[], beyond: number): number {
  let [sum, weights] = [0, 0];
  for (const { value, share } of shares) {
    sum += (share / (1 - value + beyond)) * value;
    weights += share / (1 - value + beyond);
  }
  return sum / weights;
}
