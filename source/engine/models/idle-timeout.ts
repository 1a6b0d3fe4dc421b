import { type Clock, machineClock, type Timer } from "../work/clock.ts";

/** Cuts a request whose server says nothing for too long, and passes on the caller's wish to stop. */
export class IdleTimeout {
  /** True once the request was cut for silence. */
  silent = false;
  readonly #controller = new AbortController();
  readonly #timer: Timer;
  readonly #clock: Clock;
  readonly #outer: AbortSignal;
  readonly #stop = () => this.#controller.abort(this.#outer.reason);

  constructor(outer: AbortSignal, milliseconds: number, clock: Clock = machineClock) {
    this.#clock = clock;
    this.#outer = outer;
    outer.addEventListener("abort", this.#stop, { once: true });
    this.#timer = clock.setTimeout(() => {
      this.silent = true;
      this.#controller.abort();
    }, milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The server said something: the time starts again. */
  heard(): void {
    this.#timer.refresh();
  }

  /** Frees the timer and the listener, and lets go of the socket where the stream was left before its end. */
  close(finished: boolean): void {
    this.#clock.clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#stop);
    if (!finished) this.#controller.abort();
  }
}
