/** Limits an endpoint's concurrent requests, and its requests and tokens per minute. */
import type { Endpoint } from "../../settings/settings.ts";
import { whenAborted, pause } from "../../work/abort-listeners.ts";
import { type Clock, machineClock } from "../../work/clock.ts";
import {
  afterEnd,
  afterSetting,
  afterStart,
  limitOf,
  newTally,
  nextWindow,
  overloadText,
  type Tally,
  type Reception,
} from "./overload.ts";

export type LimiterState = {
  /** The concurrency configured. */
  readonly concurrency: number;
  /** The current concurrency, lowered while the server refuses too many requests. */
  readonly allowed: number;
  readonly running: number;
  readonly waiting: number;
};

/** The permission to have one request in flight. */
export type Permit = {
  /** Records the number of tokens the request actually took. */
  spent(tokens: number): void;
  /** Releases the permit, with the evidence of the server's load that the request gives; later calls have no effect. */
  release(reception?: Reception): void;
};

/** Limits shared by several programs that use one endpoint. */
export type SharedLimit = {
  /** Resolves when a request with this estimated number of tokens may be sent. Throws the signal's reason if it is aborted. */
  admit(tokens: number, signal: AbortSignal): Promise<Permit>;
};

type Waiter = { readonly start: () => void; readonly isRetry: boolean };

export type EndpointLimit = {
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
};

/** A semaphore whose concurrency follows the server's capacity (`overload.ts`), up to the configured value. */
export class Limiter {
  #concurrency: number;
  /** Number of permits in use, including permits of requests that still wait for the limits per minute. */
  #running = 0;
  #flying = 0;
  #tally: Tally;
  readonly #clock: Clock;
  readonly #waiting: Waiter[] = [];
  readonly #requests: MinuteWindow | undefined;
  readonly #tokens: MinuteWindow | undefined;
  readonly #shared: SharedLimit | undefined;

  /** `shared` replaces this limiter's counts of the last minute's tokens and requests, and of the server's capacity. */
  constructor(limits: EndpointLimit, clock: Clock = machineClock, shared?: SharedLimit) {
    this.#clock = clock;
    this.#shared = shared;
    this.#concurrency = limits.concurrency;
    this.#tally = newTally(clock.now());
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

  /** Describes how far overload has lowered the concurrency; undefined while the concurrency is as configured. */
  get overload(): string | undefined {
    return overloadText(this.#tally, this.#concurrency);
  }

  get #allowed(): number {
    return limitOf(this.#tally, this.#concurrency);
  }

  /** True if tokens per minute are limited, so that they have to be estimated. */
  get countsTokens(): boolean {
    return this.#tokens !== undefined;
  }

  /** Sets the concurrency, immediately and for a minute even if the server refuses requests. Throws if it is less than 1. */
  setConcurrency(concurrency: number): void {
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new RangeError(`Expected \`concurrency\` to be a whole number of at least 1, got \`${concurrency}\``);
    this.#concurrency = concurrency;
    this.#tally = afterSetting(this.#tally, concurrency, this.#clock.now());
    this.#admit();
  }

  /**
   * Waits for a permit and for both limits per minute; retries precede first attempts. Throws the signal's reason when aborted.
   */
  async acquire(signal: AbortSignal, tokens: number, isRetry = false): Promise<Permit> {
    signal.throwIfAborted();
    if (this.#running < this.#allowed && this.#waiting.length === 0) this.#running += 1;
    else await this.#queue(signal, isRetry);
    try {
      if (this.#shared !== undefined) return this.#onceReleased(await this.#shared.admit(tokens, signal));
      await this.#requests?.admit(1, signal);
      const spent = await this.#tokens?.admit(tokens, signal);
      return this.#permit(spent);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #permit(spent: Permit["spent"] | undefined): Permit {
    const from = this.#clock.now();
    this.#tally = afterStart(this.#tally, this.#flying, from);
    this.#flying += 1;
    return this.#onceReleased({
      spent: (tokens) => spent?.(tokens),
      release: (reception) => this.#land(from, reception),
    });
  }

  #land(from: number, reception: Reception | undefined): void {
    const now = this.#clock.now();
    const tally = afterEnd(this.#tally, this.#flying, now, { from, reception });
    this.#flying -= 1;
    this.#tally = nextWindow(tally, this.#concurrency, this.#flying, now) ?? tally;
  }

  /** A permit that can be released once. */
  #onceReleased({ spent, release }: Permit): Permit {
    let released = false;
    return {
      spent,
      release: (reception) => {
        if (released) return;
        released = true;
        release(reception);
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

/** Holds one limiter per endpoint, created when first needed. */
export class EndpointLimits {
  // Keyed by the endpoint object, not its name, because changed settings need a new limiter.
  readonly #limiters = new Map<Endpoint, Limiter>();
  readonly #sharedOf: ((endpoint: Endpoint) => SharedLimit) | undefined;

  /** `sharedOf` returns the limits that programs with the same endpoints share; absent if no other program uses the endpoints. */
  constructor(sharedOf?: (endpoint: Endpoint) => SharedLimit) {
    this.#sharedOf = sharedOf;
  }

  of(endpoint: Endpoint, clock: Clock): Limiter {
    const known = this.#limiters.get(endpoint) ?? new Limiter(endpoint, clock, this.#sharedOf?.(endpoint));
    this.#limiters.set(endpoint, known);
    return known;
  }
}

type Entry = { readonly at: number; amount: number; inside: boolean };

const minute = 60_000;

/**
 * Admits amounts in the order requested, so that the amounts of any 60 seconds add up to at most the limit. An amount above the
 * limit is admitted if its window is otherwise empty.
 */
class MinuteWindow {
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
