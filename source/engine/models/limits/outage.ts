/** Tracks endpoints that stopped answering. Requests wait for them by time, not by a number of attempts. */
import { type Clock, machineClock } from "../../work/clock.ts";

/** In seconds; restarting a model server takes minutes. */
export const defaultOutageTimeout = 15 * 60;

export type OutageState = {
  readonly error: string;
  /** Milliseconds until waiting ends. */
  readonly left: number;
};

/** Availability of one endpoint, shared by all its requests. */
export class Outage {
  readonly #milliseconds: number;
  readonly #clock: Clock;
  #hasAnswered = false;
  /** Number of answers so far, so that a request notices answers to other requests. */
  answers = 0;
  #current: { readonly since: number; readonly error: string } | undefined;

  constructor({ outageTimeout = defaultOutageTimeout }: { readonly outageTimeout?: number }, clock = machineClock) {
    this.#milliseconds = outageTimeout * 1000;
    this.#clock = clock;
  }

  /** Marks the start of a run: if an endpoint has not answered since then, its address may be wrong. */
  begin(): void {
    this.#hasAnswered = false;
    this.#current = undefined;
  }

  answered(): void {
    this.#hasAnswered = true;
    this.answers += 1;
    this.#current = undefined;
  }

  /**
   * Records a failure that looks like an outage. Returns the remaining milliseconds to wait, 0 at the end, or undefined if the
   * endpoint has not answered yet.
   */
  failed(error: string): number | undefined {
    if (!this.#hasAnswered) return undefined;
    this.#current = { since: this.#current?.since ?? this.#clock.now(), error };
    return this.#left();
  }

  /** Makes requests wait again for an endpoint for which they had stopped waiting. */
  waitAgain(): void {
    this.#current = undefined;
  }

  /** The current outage. */
  get state(): OutageState | undefined {
    const left = this.#left();
    return this.#current === undefined || left === 0 ? undefined : { error: this.#current.error, left };
  }

  #left(): number {
    const { since } = this.#current ?? { since: this.#clock.now() };
    return Math.max(0, since + this.#milliseconds - this.#clock.now());
  }
}

/** Returns a duration in words: `15 minutes`, `40 seconds`. */
export function timeInWords(milliseconds: number): string {
  const [count, unit] =
    milliseconds < 90_000
      ? ([Math.ceil(milliseconds / 1000), "second"] as const)
      : ([Math.ceil(milliseconds / 60_000), "minute"] as const);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
