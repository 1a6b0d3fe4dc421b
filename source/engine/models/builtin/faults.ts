/** Injected faults of the built-in server, drawn from a seeded random stream and counted. */
import { randomFrom } from "../../statistics/random.ts";

/** Faults in the order of their intervals from 0 to 1. */
export const faultKinds = ["429", "500", "cut", "malformed", "stall"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Fraction of requests with each fault; absent means none. */
export type FaultRates = Readonly<Partial<Record<FaultKind, number>>>;

export class Faults {
  readonly #rates: FaultRates;
  readonly #random: () => number;
  readonly #counts: Record<string, number> = { requests: 0 };

  /** Throws `RangeError` if a rate is not from 0 to 1, or if rates add up to more than 1. */
  constructor(rates: FaultRates, seed: number) {
    let sum = 0;
    for (const kind of faultKinds) {
      const rate = rates[kind] ?? 0;
      if (!(rate >= 0 && rate <= 1))
        throw new RangeError(`Expected the rate of \`${kind}\` from 0 to 1, got \`${rate}\``);
      sum += rate;
      this.#counts[kind] = 0;
    }
    if (sum > 1 + 1e-9) throw new RangeError(`Expected rates of faults that add up to at most 1, got \`${sum}\``);
    this.#rates = rates;
    this.#random = randomFrom(seed);
  }

  /** Returns the fault of the next request; undefined for none. */
  next(): FaultKind | undefined {
    this.#counts["requests"]! += 1;
    const draw = this.#random();
    let cumulative = 0;
    for (const kind of faultKinds) {
      cumulative += this.#rates[kind] ?? 0;
      if (draw >= cumulative) continue;
      this.#counts[kind]! += 1;
      return kind;
    }
    return undefined;
  }

  /** Counts a request that is refused with 429 for another reason. */
  refuse(): void {
    this.#counts["requests"]! += 1;
    this.#counts["429"]! += 1;
  }

  /** Number of requests so far, and of faults by kind. */
  counts(): Record<string, number> {
    return { ...this.#counts };
  }
}
