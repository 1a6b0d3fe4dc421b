import { whenAborted } from "../../work/abort-listeners.ts";
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";

/** Maximum milliseconds for a server to end an answer whose reply is complete. */
const longestRest = 1000;

/** Aborts a request if the server sends no data for too long, or if the caller's signal is aborted. */
export class IdleTimeout {
  /** True if this timeout has aborted the request. */
  expired = false;
  readonly #controller = new AbortController();
  readonly #timer: Timer;
  readonly #clock: Clock;
  readonly #letGo: () => void;

  constructor(outer: AbortSignal, milliseconds: number, clock: Clock = machineClock) {
    this.#clock = clock;
    this.#letGo = whenAborted(outer, () => this.#controller.abort(outer.reason));
    this.#timer = clock.setTimeout(() => {
      this.expired = true;
      this.#controller.abort();
    }, milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the timeout; called when the server has sent something. */
  restart(): void {
    this.#timer.refresh();
  }

  /**
   * Clears timer and listener, and closes the connection if the reply was not read to its end. If it was, gives the server a
   * moment to send the `rest` of its answer, so that the connection can be reused: settles when that time is over, or returns
   * undefined if the answer has ended.
   */
  close(finished: boolean, rest?: () => Promise<void> | undefined): Promise<void> | undefined {
    this.#clock.clearTimeout(this.#timer);
    this.#letGo();
    if (!finished) this.#controller.abort();
    const ending = finished ? rest?.() : undefined;
    if (ending === undefined) return undefined;
    const late = this.#clock.setTimeout(() => this.#controller.abort(), longestRest);
    return ending.then(() => this.#clock.clearTimeout(late));
  }
}
