/** Limits an endpoint's concurrent requests, and its requests and tokens per minute. */
import { type Clock, machineClock } from "../work/clock.ts";
import { MinuteWindow } from "./minute-window.ts";

export type LimiterState = {
  /** The concurrency configured. */
  readonly concurrency: number;
  /** The concurrency now: reduced for a while after the server reported overload. */
  readonly allowed: number;
  readonly running: number;
  readonly waiting: number;
};

/** The permission to have one request in flight. */
export type Permit = {
  /** In milliseconds of the limiter's clock. */
  readonly acquiredAt: number;
  /** Records the number of tokens the request actually took. */
  spent(tokens: number): void;
  /** Releases the permit; later calls do nothing. */
  release(): void;
};

type Waiter = { readonly start: () => void; readonly isRetry: boolean };

type EndpointLimit = {
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
};

/** The part of an endpoint's limits that is one program's: that of number `index`, from 0, of `of` programs. */
export type LimitShare = { readonly index: number; readonly of: number };

/** Successes after which a reduced concurrency is increased by one. */
const successesPerStep = 4;

/**
 * A semaphore whose concurrency is halved when the server reports overload and increased by one per four successes, up to
 * the value configured (additive increase, multiplicative decrease).
 */
export class Limiter {
  #concurrency: number;
  #allowed: number;
  #running = 0;
  #successes = 0;
  #decreasedAt = -1;
  readonly #clock: Clock;
  readonly #waiting: Waiter[] = [];
  readonly #requests: MinuteWindow | undefined;
  readonly #tokens: MinuteWindow | undefined;
  readonly #limits: EndpointLimit;
  readonly #decreased: (ago: number) => void;

  /** `decreased` is told when the server reported overload: how many milliseconds ago the request was sent. */
  constructor(limits: EndpointLimit, clock: Clock = machineClock, decreased: (ago: number) => void = () => {}) {
    this.#clock = clock;
    this.#decreased = decreased;
    this.#limits = limits;
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

  /** Whether tokens per minute are limited, so that they have to be estimated. */
  get countsTokens(): boolean {
    return this.#tokens !== undefined;
  }

  /** Sets the concurrency, effective immediately; requests in flight continue. Throws on less than 1. */
  setConcurrency(concurrency: number): void {
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new RangeError(`Expected \`concurrency\` to be a whole number of at least 1, got \`${concurrency}\``);
    this.#concurrency = this.#allowed = concurrency;
    this.#successes = 0;
    this.#admit();
  }

  /**
   * From now on keeps to a share of what is configured, so that all programs with a share together keep to that; each has at least one
   * request. What overload has reduced it to stays. The share of one alone is all.
   */
  take({ index, of }: LimitShare): void {
    const part = (limit: number) => Math.max(1, Math.floor(limit / of) + (index < limit % of ? 1 : 0));
    const isReduced = this.#allowed < this.#concurrency;
    this.#concurrency = part(this.#limits.concurrency);
    this.#allowed = isReduced ? Math.min(this.#allowed, this.#concurrency) : this.#concurrency;
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    if (requestsPerMinute !== undefined) this.#requests!.limit = part(requestsPerMinute);
    if (tokensPerMinute !== undefined) this.#tokens!.limit = part(tokensPerMinute);
    this.#admit();
  }

  /** Waits for a permit and for both limits per minute; retries go before first attempts. Throws the signal's reason when aborted. */
  async acquire(signal: AbortSignal, tokens: number, isRetry = false): Promise<Permit> {
    signal.throwIfAborted();
    if (this.#running < this.#allowed && this.#waiting.length === 0) this.#running += 1;
    else await this.#queue(signal, isRetry);
    try {
      await this.#requests?.admit(1, signal);
      const spent = await this.#tokens?.admit(tokens, signal);
      return this.#permit(spent);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Reports that the server refused this request for overload. Permits acquired before the last decrease have no further effect. */
  overloaded(permit: Permit): void {
    if (this.#decrease(permit.acquiredAt)) this.#decreased(this.#clock.now() - permit.acquiredAt);
  }

  /** The same for a request of another program with a share of the endpoint, sent so many milliseconds ago. */
  overloadedElsewhere(ago: number): void {
    this.#decrease(this.#clock.now() - ago);
  }

  /** False for a request that was sent before the last decrease. */
  #decrease(sentAt: number): boolean {
    this.#successes = 0;
    if (sentAt < this.#decreasedAt) return false;
    this.#decreasedAt = this.#clock.now();
    this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
    return true;
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
    let released = false;
    return {
      acquiredAt: this.#clock.now(),
      spent: (tokens) => spent?.(tokens),
      release: () => {
        if (released) return;
        released = true;
        this.#release();
      },
    };
  }

  #queue(signal: AbortSignal, isRetry: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        isRetry,
        start() {
          signal.removeEventListener("abort", aborted);
          resolve();
        },
      };
      const aborted = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", aborted, { once: true });
      const firstNew = isRetry ? this.#waiting.findIndex((other) => !other.isRetry) : -1;
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
      this.#waiting.shift()!.start();
    }
  }
}
