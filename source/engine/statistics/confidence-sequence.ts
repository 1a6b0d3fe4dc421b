/**
 * Intervals for the mean of scores in [0, 1] that are valid at every check: hedged betting (Waudby-Smith and Ramdas 2024), and
 * Robbins' normal mixture (Howard, Ramdas, McAuliffe and Sekhon 2021).
 */
import type { Interval } from "./interval.ts";

/** Grid points for the mean: 0, 0.001, ..., 1. */
const gridSteps = 1000;
const points = gridSteps + 1;
/** Intervals on screens are wider by this step on each side. */
export const gridStep = 1 / gridSteps;
/** No bet stakes more than this share of the possible loss. */
const mostStaked = 0.5;

/** The predictable plug-in stakes of section 3.2 of Waudby-Smith and Ramdas: each depends on earlier scores alone. */
export class BettingStakes {
  readonly #top: number;
  #n = 0;
  #sum = 0.5;
  #squares = 0.25;

  constructor(alpha: number) {
    this.#top = 2 * Math.log(2 / alpha);
  }

  /** Returns the bet on this score, without its upper limit, and then updates from the score. */
  next(score: number): number {
    const variance = this.#squares / (this.#n + 1);
    this.#n += 1;
    const stake = Math.sqrt(this.#top / (variance * this.#n * Math.log(this.#n + 1)));
    this.#sum += score;
    this.#squares += (score - this.#sum / (this.#n + 1)) ** 2;
    return stake;
  }
}

/** The betting sequence; each score costs 1,001 updates (about 1 ms for 100). */
export class BettingSequence {
  readonly #stakes: BettingStakes;
  readonly #threshold: number;
  readonly #up = new Float64Array(points);
  readonly #down = new Float64Array(points);
  /** Rejected grid points stay rejected. */
  readonly #isDead = new Uint8Array(points);
  #interval: Interval = { low: 0, high: 1 };

  constructor(alpha = 0.05) {
    this.#stakes = new BettingStakes(alpha);
    this.#threshold = Math.log(2 / alpha);
  }

  /** Takes the next score in the order and returns the interval, on the grid's points. */
  take(score: number): Interval {
    const stake = this.#stakes.next(score);
    let first: number | undefined;
    let last = Number.NaN;
    for (let point = 0; point < points; point++) {
      if (this.#isDead[point] === 1) continue;
      const mean = point / gridSteps;
      const up = Math.min(stake, mostStaked / mean);
      const down = Math.min(stake, mostStaked / (1 - mean));
      this.#up[point]! += Math.log1p(up * (score - mean));
      this.#down[point]! += Math.log1p(-down * (score - mean));
      if (Math.max(this.#up[point]!, this.#down[point]!) >= this.#threshold) this.#isDead[point] = 1;
      else {
        first ??= point;
        last = point;
      }
    }
    // If no grid point is left, which chance allows in one of 1 / alpha sequences, the last interval stays.
    if (first !== undefined) this.#interval = { low: first / gridSteps, high: last / gridSteps };
    return this.#interval;
  }
}

/** The normal mixture, tightest near 100 scores: a plain formula for checks and for huge runs. */
export class NormalSequence {
  readonly #alpha: number;
  #n = 0;
  #sum = 0;
  #interval: Interval = { low: 0, high: 1 };

  constructor(alpha = 0.05) {
    this.#alpha = alpha;
  }

  /** Takes the next score in the order and returns the interval, clipped to [0, 1]. */
  take(score: number): Interval {
    this.#n += 1;
    this.#sum += score;
    const level = 2 * Math.log(1 / this.#alpha);
    const rho = (level + Math.log(level + 1)) / 100;
    const [t, mean] = [this.#n, this.#sum / this.#n];
    const radius = 0.5 * Math.sqrt(((1 + t * rho) / (t * t * rho)) * (level + Math.log(1 + t * rho)));
    const { low, high } = this.#interval;
    return (this.#interval = { low: Math.max(low, mean - radius), high: Math.min(high, mean + radius) });
  }
}
