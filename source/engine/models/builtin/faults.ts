/** Troubles a test server makes on purpose, drawn from a seeded stream and counted. */
import { randomFrom } from "../../statistics/random.ts";

/** In the order their shares are laid out from 0 to 1. */
export const faultKinds = ["429", "500", "cut", "malformed", "stall"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Share of requests that meet each fault; absent means none. */
export type FaultRates = Readonly<Partial<Record<FaultKind, number>>>;

export class Faults {
  readonly #rates: FaultRates;
  readonly #random: () => number;
  readonly #counts: Record<string, number> = { requests: 0 };

  /** Throws `RangeError` where rates are not shares or add up to more than 1. */
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

  /** What befalls the next request; most often nothing. */
  next(): FaultKind | undefined {
    this.#counts["requests"]! += 1;
    const drawn = this.#random();
    let edge = 0;
    for (const kind of faultKinds) {
      edge += this.#rates[kind] ?? 0;
      if (drawn >= edge) continue;
      this.#counts[kind]! += 1;
      return kind;
    }
    return undefined;
  }

  /** Requests so far, and how many met each fault. */
  counts(): Record<string, number> {
    return { ...this.#counts };
  }
}
