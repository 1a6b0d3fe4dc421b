/** Pauses a task before its next request, for a person who inspects the requests and sends them one by one. */
import { type Clock, machineClock } from "../work/clock.ts";

export class TaskHold {
  readonly #clock: Clock;
  #gate: PromiseWithResolvers<void> | undefined;
  #since = 0;
  #before = 0;
  /** True if the next request is to be held. */
  isDue = false;

  constructor(clock: Clock = machineClock) {
    this.#clock = clock;
  }

  get isHeld(): boolean {
    return this.#gate !== undefined;
  }

  /** Milliseconds that the task was held so far. */
  get held(): number {
    return this.#before + (this.isHeld ? this.#clock.now() - this.#since : 0);
  }

  /** Sends the paused request, if there is one, and pauses the next request. */
  step(): void {
    this.isDue = true;
    this.#gate?.resolve();
  }

  /** Sends this request and all later requests. */
  release(): void {
    this.isDue = false;
    this.#gate?.resolve();
  }

  /** Resolves when the request may be sent. Rejects with the signal's reason if it is aborted before. */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const gate = (this.#gate = Promise.withResolvers<void>());
    this.#since = this.#clock.now();
    const abort = () => gate.reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    try {
      await gate.promise;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#before = this.held;
      this.#gate = undefined;
    }
  }

  /** The clock of the task, which stops while the task is held. */
  get clock(): Clock {
    const clock = this.#clock;
    return {
      now: () => clock.now() - this.held,
      setTimeout: (then, milliseconds) => clock.setTimeout(then, milliseconds),
      clearTimeout: (timer) => clock.clearTimeout(timer),
    };
  }
}
