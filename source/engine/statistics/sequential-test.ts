/**
 * Tests that may be checked after every task: e-processes, whose probability of ever reaching 1 / alpha is at most alpha if there
 * is no difference (Ville's inequality; Ramdas, Grünwald, Vovk and Shafer 2023).
 */
import { hash } from "node:crypto";
import { BettingStakes } from "./confidence-sequence.ts";

/** A paired test after its last task. */
export type SequentialResult = {
  /** Number of tasks until the decision; undefined before it. */
  readonly stop: number | undefined;
  /** The better side at the stop. */
  readonly decision: "a" | "b" | undefined;
  /** Tasks that each side had won at the stop. */
  readonly atStop: readonly [number, number] | undefined;
  readonly wins: number;
  readonly losses: number;
  /** Number of tasks checked, including tasks with equal scores. */
  readonly n: number;
  readonly logE: number;
  /** The largest log of E at any check, at least 0. */
  readonly maxLogE: number;
};

/**
 * The paired sign test by the Beta(1, 1) mixture: equal scores change nothing, and each other task multiplies E by twice the Laplace
 * estimate of its outcome. Two-sided and symmetric.
 */
export class SequentialSignTest {
  readonly #threshold: number;
  #result: SequentialResult = {
    stop: undefined,
    decision: undefined,
    atStop: undefined,
    wins: 0,
    losses: 0,
    n: 0,
    logE: 0,
    maxLogE: 0,
  };

  constructor(alpha = 0.05) {
    this.#threshold = Math.log(1 / alpha);
  }

  /** Takes the next task of the order, which must not depend on results. Repeats of a task count as one score, their mean. */
  take(a: number, b: number): SequentialResult {
    const before = this.#result;
    const wins = before.wins + (a > b ? 1 : 0);
    const losses = before.losses + (b > a ? 1 : 0);
    const n = before.n + 1;
    const side = a > b ? wins : losses;
    const logE = a === b ? before.logE : before.logE + Math.log((2 * side) / (wins + losses + 1));
    const isDecided = before.stop === undefined && logE >= this.#threshold;
    return (this.#result = {
      ...(isDecided
        ? { stop: n, decision: wins > losses ? "a" : "b", atStop: [wins, losses] }
        : { stop: before.stop, decision: before.decision, atStop: before.atStop }),
      wins,
      losses,
      n,
      logE,
      maxLogE: Math.max(before.maxLogE, logE),
    });
  }

  get result(): SequentialResult {
    return this.#result;
  }
}

/** The p that is valid at every check: it never rises. */
export const alwaysValidP = ({ maxLogE }: Pick<SequentialResult, "maxLogE">): number => Math.min(1, Math.exp(-maxLogE));

/**
 * The same test by the sizes of differences of scores in [0, 1]: two bets on the mean of (a - b + 1) / 2, one for each side.
 */
export class BoundedPairTest {
  readonly #stakes: BettingStakes;
  readonly #threshold: number;
  #logs: [number, number] = [0, 0];
  #n = 0;
  stop: number | undefined;
  logE = 0;
  maxLogE = 0;

  constructor(alpha = 0.05) {
    this.#stakes = new BettingStakes(alpha);
    this.#threshold = Math.log(1 / alpha);
  }

  take(a: number, b: number): void {
    const value = (a - b + 1) / 2;
    const stake = Math.min(this.#stakes.next(value), 1);
    const [up, down] = this.#logs;
    this.#logs = [up + Math.log1p(stake * (value - 0.5)), down + Math.log1p(-stake * (value - 0.5))];
    const most = Math.max(...this.#logs);
    this.logE = most + Math.log((Math.exp(this.#logs[0] - most) + Math.exp(this.#logs[1] - most)) / 2);
    this.maxLogE = Math.max(this.maxLogE, this.logE);
    this.#n += 1;
    if (this.stop === undefined && this.logE >= this.#threshold) this.stop = this.#n;
  }
}

/** Returns ids in an order that does not depend on results: by the SHA-256 of `SEED:ID` in hex. */
export function seededOrder(ids: readonly string[], seed: string): readonly string[] {
  return ids
    .map((id) => ({ id, key: hash("sha256", `${seed}:${id}`) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ id }) => id);
}

/** Returns ids in ascending order: by number if all are numbers, otherwise as text. */
export function naturalOrder(ids: readonly string[]): readonly string[] {
  const areNumbers = ids.every((id) => id.trim() !== "" && Number.isFinite(Number(id)));
  return areNumbers ? ids.toSorted((one, other) => Number(one) - Number(other)) : ids.toSorted();
}
