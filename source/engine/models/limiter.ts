/** Limits an endpoint's concurrent requests, and its requests and tokens per minute. */
import { whenAborted } from "../work/abort-listeners.ts";
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
  /** Where the limits are shared with other programs. */
  readonly admission: Admission | undefined;
  /** Records the number of tokens the request actually took. */
  spent(tokens: number): void;
  /** Releases the permit; later calls do nothing. */
  release(): void;
};

/** What several programs that ask one endpoint keep to together. */
export type SharedLimit = {
  /** Resolves when a request of about so many tokens may be sent. Throws the signal's reason when aborted. */
  admit(tokens: number, signal: AbortSignal): Promise<Admission>;
  /** A request had its reply. */
  succeeded(): void;
};

/** A request among those of all programs. */
export type Admission = Pick<Permit, "spent" | "release"> & {
  /** The server refused it for overload. */
  overloaded(): void;
};

type Waiter = { readonly start: () => void; readonly isRetry: boolean };

export type EndpointLimit = {
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
};

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
  readonly #shared: SharedLimit | undefined;

  /** `shared` counts tokens and requests of the last minute, and what overload leaves, in place of this. */
  constructor(limits: EndpointLimit, clock: Clock = machineClock, shared?: SharedLimit) {
    this.#clock = clock;
    this.#shared = shared;
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

  /** Waits for a permit and for both limits per minute; retries go before first attempts. Throws the signal's reason when aborted. */
  async acquire(signal: AbortSignal, tokens: number, isRetry = false): Promise<Permit> {
    signal.throwIfAborted();
    if (this.#running < this.#allowed && this.#waiting.length === 0) this.#running += 1;
    else await this.#queue(signal, isRetry);
    try {
      const admission = await this.#shared?.admit(tokens, signal);
      if (admission !== undefined) return this.#permit(admission.spent, admission);
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
    if (permit.admission !== undefined) return permit.admission.overloaded();
    this.#successes = 0;
    if (permit.acquiredAt < this.#decreasedAt) return;
    this.#decreasedAt = this.#clock.now();
    this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
  }

  succeeded(): void {
    this.#shared?.succeeded();
    if (this.#allowed >= this.#concurrency) return;
    this.#successes += 1;
    if (this.#successes < successesPerStep) return;
    this.#successes = 0;
    this.#allowed += 1;
    this.#admit();
  }

  #permit(spent: ((tokens: number) => void) | undefined, admission?: Admission): Permit {
    let released = false;
    return {
      acquiredAt: this.#clock.now(),
      admission,
      spent: (tokens) => spent?.(tokens),
      release: () => {
        if (released) return;
        released = true;
        admission?.release();
        this.#release();
      },
    };
  }

  #queue(signal: AbortSignal, isRetry: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        isRetry,
        start() {
          letGo();
          resolve();
        },
      };
      const letGo = whenAborted(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason as Error);
      });
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
