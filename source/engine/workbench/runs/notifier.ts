/** Notifies listeners of changes: at once after a user's action, once per frame for changes of runs. */
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";
import { performance } from "node:perf_hooks";

/** Milliseconds between notifications of changes by runs. */
const frame = 50;
/** Maximum milliseconds between notifications on a busy thread, on which drawing would delay reading replies. */
const longestFrame = 200;
/** Fraction of its time above which a thread counts as busy. */
const busy = 0.4;
/** Share of its time that a busy thread spends on drawing. */
const drawing = 0.04;

export class Notifier {
  version = 0;
  readonly #listeners = new Set<() => void>();
  #timer: Timer | undefined;
  readonly #clock: Clock;
  readonly #workload: Workload;
  /** Time of the last notification, and the thread's work when drawing ended. */
  #last: { readonly at: number; readonly worked: number };
  #frame = frame;
  #isClosed = false;

  constructor(clock: Clock = machineClock, workload: Workload = machineWorkload) {
    this.#clock = clock;
    this.#workload = workload;
    this.#last = { at: clock.now(), worked: workload.worked() };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  now(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.version += 1;
    const [at, worked] = [this.#clock.now(), this.#workload.worked()];
    for (const listener of this.#listeners) listener();
    this.#workload.whenDone(() => this.#drawn(at, worked));
  }

  /** Records that listeners have drawn a notification of this time, after the thread had worked so long. */
  #drawn(at: number, before: number): void {
    const worked = this.#workload.worked();
    const { at: since, worked: until } = this.#last;
    const isBusy = before - until > (at - since) * busy;
    this.#frame = isBusy ? Math.max(frame, Math.min((worked - before) / drawing, longestFrame)) : frame;
    this.#last = { at, worked };
  }

  soon(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    const passed = Math.max(0, this.#clock.now() - this.#last.at);
    this.#timer = this.#clock.setTimeout(() => this.now(), Math.max(frame, this.#frame - passed));
  }

  /** Ends notifications: a timer of a later change would keep the program from ending. */
  close(): void {
    this.#isClosed = true;
    this.#clock.clearTimeout(this.#timer);
    this.#listeners.clear();
  }
}

type Workload = {
  /** Returns the milliseconds the thread has worked since a fixed moment. */
  worked(): number;
  /** Calls `then` when all work that follows from the current work has ended, before any other work starts. */
  whenDone(then: () => void): void;
};

const machineWorkload: Workload = {
  worked: () => performance.eventLoopUtilization().active,
  // Work that a microtask defers to the next tick runs after all microtasks.
  whenDone: (then) => queueMicrotask(() => process.nextTick(then)),
};
