/** A rate limit over a sliding window of 60 seconds. */
import { type Clock, machineClock } from "../../work/clock.ts";
import { pause } from "./pause.ts";

type Entry = { readonly at: number; amount: number; inside: boolean };

const minute = 60_000;

/**
 * Admits amounts, in the order requested, so that those of any 60 seconds add up to no more than the limit. An amount above
 * the limit is admitted when nothing else is in its window.
 */
export class MinuteWindow {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #entries: Entry[] = [];
  #sum = 0;

  constructor(limit: number, clock: Clock = machineClock) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Waits until `amount` is admitted; resolves to a function that corrects it afterwards. Throws the signal's reason when aborted. */
  async admit(amount: number, signal: AbortSignal): Promise<(amount: number) => void> {
    const entry = this.#reserve(amount, this.#clock.now());
    const correct = (spent: number) => {
      if (entry.inside) this.#sum += spent - entry.amount;
      entry.amount = spent;
    };
    const wait = entry.at - this.#clock.now();
    if (wait > 0) {
      try {
        await pause(wait, signal, this.#clock);
      } catch (error) {
        correct(0);
        throw error;
      }
    }
    return correct;
  }

  /** Start times are monotonic, so an entry that left the window of one start is in no later window. */
  #reserve(amount: number, now: number): Entry {
    let at = Math.max(now, this.#entries.at(-1)?.at ?? 0);
    while (this.#entries.length > 0) {
      const oldest = this.#entries[0]!;
      if (oldest.at + minute > at) {
        if (this.#sum + amount <= this.#limit) break;
        at = oldest.at + minute;
      }
      oldest.inside = false;
      this.#sum -= oldest.amount;
      this.#entries.shift();
    }
    const entry = { at, amount, inside: true };
    this.#entries.push(entry);
    this.#sum += amount;
    return entry;
  }
}
