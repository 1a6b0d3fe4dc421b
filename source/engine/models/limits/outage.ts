/** An endpoint that answered before and no longer does: it is waited for by time, not by a number of attempts. */
import { type Clock, machineClock } from "../../work/clock.ts";

/** Seconds; a model server that is started anew takes minutes. */
export const defaultOutageTimeout = 15 * 60;

export type OutageState = {
  readonly error: string;
  /** Milliseconds until it is no longer waited for. */
  readonly left: number;
};

/** What all requests to one endpoint know of its being there. */
export class Outage {
  readonly #milliseconds: number;
  readonly #clock: Clock;
  #hasAnswered = false;
  #answers = 0;
  #current: { readonly since: number; readonly error: string } | undefined;

  constructor({ outageTimeout = defaultOutageTimeout }: { readonly outageTimeout?: number }, clock = machineClock) {
    this.#milliseconds = outageTimeout * 1000;
    this.#clock = clock;
  }

  /** A run begins: an endpoint that has not answered in it may just as well have a wrong address. */
  begin(): void {
    this.#hasAnswered = false;
    this.#current = undefined;
  }

  answered(): void {
    this.#hasAnswered = true;
    this.#answers += 1;
    this.#current = undefined;
  }

  /** Raised with every answer: tells whether others were answered meanwhile. */
  get answers(): number {
    return this.#answers;
  }

  /**
   * Takes a failure that looks like an outage. Gives the milliseconds left to wait, 0 at the end; undefined where the endpoint
   * has not answered yet.
   */
  failed(error: string): number | undefined {
    if (!this.#hasAnswered) return undefined;
    this.#current = { since: this.#current?.since ?? this.#clock.now(), error };
    return this.#left();
  }

  /** An outage that was given up is waited for anew. */
  waitAgain(): void {
    this.#current = undefined;
  }

  /** The outage that is being waited for. */
  get state(): OutageState | undefined {
    const left = this.#left();
    return this.#current === undefined || left === 0 ? undefined : { error: this.#current.error, left };
  }

  #left(): number {
    const { since } = this.#current ?? { since: this.#clock.now() };
    return Math.max(0, since + this.#milliseconds - this.#clock.now());
  }
}

/** A length of time in words: `15 minutes`, `40 seconds`. */
export function timeInWords(milliseconds: number): string {
  const [count, unit] =
    milliseconds < 90_000
      ? ([Math.ceil(milliseconds / 1000), "second"] as const)
      : ([Math.ceil(milliseconds / 60_000), "minute"] as const);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
