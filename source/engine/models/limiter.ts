/** How many requests an endpoint gets at a time, and how many requests and tokens a minute. */
import { type Clock, machineClock } from "../work/clock.ts";
import { MinuteWindow } from "./minute-window.ts";

export type LimiterState = {
  /** What was asked for. */
  readonly concurrency: number;
  /** What is let through now: lower for a while after the server said it was too much. */
  readonly allowed: number;
  readonly running: number;
  readonly waiting: number;
};

/** A place among the requests in flight. */
export type Permit = {
  /** When the turn was given, in milliseconds of the limiter's clock. */
  readonly since: number;
  /** Sets the tokens the request really took. */
  spent(tokens: number): void;
  /** Gives the place back; later calls do nothing. */
  release(): void;
};

type Waiter = { readonly go: () => void; readonly again: boolean };

/** Successes after which a lowered width grows by one. */
const successesPerStep = 4;

/**
 * A semaphore whose width halves when the server says "too much" and grows back by one per four successes, up to the width
 * asked for (additive increase, multiplicative decrease).
 */
export class Limiter {
  #concurrency: number;
  #allowed: number;
  #running = 0;
  #successes = 0;
  #loweredAt = -1;
  readonly #clock: Clock;
  readonly #waiting: Waiter[] = [];
  readonly #requests: MinuteWindow | undefined;
  readonly #tokens: MinuteWindow | undefined;

  constructor(
    limits: {
      readonly concurrency: number;
      readonly requestsPerMinute?: number;
      readonly tokensPerMinute?: number;
    },
    clock: Clock = machineClock,
  ) {
    this.#clock = clock;
    this.#concurrency = this.#allowed = limits.concurrency;
    if (limits.requestsPerMinute !== undefined) this.#requests = new MinuteWindow(limits.requestsPerMinute, clock);
    if (limits.tokensPerMinute !== undefined) this.#tokens = new MinuteWindow(limits.tokensPerMinute, clock);
  }

  get state(): LimiterState {
    return {
      concurrency: this.#concurrency,
      allowed: this.#allowed,
      running: this.#running,
      waiting: this.#waiting.length,
    };
  }

  /** True where tokens a minute are limited, so that they need be estimated. */
  get countsTokens(): boolean {
    return this.#tokens !== undefined;
  }

  /** Sets how many requests may be in flight, at once; those already sent go on. Throws on less than 1. */
  setConcurrency(concurrency: number): void {
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new RangeError(`Expected \`width\` to be a whole number of at least 1, got \`${concurrency}\``);
    this.#concurrency = this.#allowed = concurrency;
    this.#successes = 0;
    this.#admit();
  }

  /** Waits for a place and for both limits a minute; `again` goes before requests sent for the first time. Throws the signal's reason when aborted. */
  async acquire(signal: AbortSignal, tokens: number, again = false): Promise<Permit> {
    signal.throwIfAborted();
    if (this.#running < this.#allowed && this.#waiting.length === 0) this.#running += 1;
    else await this.#queue(signal, again);
    try {
      await this.#requests?.admit(1, signal);
      const spent = await this.#tokens?.admit(tokens, signal);
      return this.#permit(spent);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** The server said that this turn's request was too much. Turns given before the last lowering lower nothing more. */
  tooMuch(permit: Permit): void {
    this.#successes = 0;
    if (permit.since < this.#loweredAt) return;
    this.#loweredAt = this.#clock.now();
    this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
  }

  succeeded(): void {
    if (this.#allowed >= this.#concurrency) return;
    this.#successes += 1;
    if (this.#successes < successesPerStep) return;
    this.#successes = 0;
    this.#allowed += 1;
    this.#admit();
  }

  #permit(spent: ((tokens: number) => void) | undefined): Permit {
    let left = false;
    return {
      since: this.#clock.now(),
      spent: (tokens) => spent?.(tokens),
      release: () => {
        if (left) return;
        left = true;
        this.#release();
      },
    };
  }

  #queue(signal: AbortSignal, again: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        again,
        go() {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", stop, { once: true });
      const firstNew = again ? this.#waiting.findIndex((other) => !other.again) : -1;
      this.#waiting.splice(firstNew === -1 ? this.#waiting.length : firstNew, 0, waiter);
    });
  }

  #release(): void {
    this.#running -= 1;
    this.#admit();
  }

  #admit(): void {
    while (this.#running < this.#allowed && this.#waiting.length > 0) {
      this.#running += 1;
      this.#waiting.shift()!.go();
    }
  }
}
