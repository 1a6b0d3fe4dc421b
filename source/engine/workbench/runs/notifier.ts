/** Notifies listeners of changes: at once for what a user does, once per frame for what runs do. */
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";
import { performance } from "node:perf_hooks";

/** Milliseconds between notifications of what runs do. */
const frame = 50;
/** The same where drawing would keep a busy thread from what it is there for: reading what models say. */
const longestFrame = 200;
/** A thread is busy that has something else to do in more of its time than this. */
const busy = 0.4;
/** As much of the time of a busy thread goes into drawing. */
const drawing = 0.04;

export class Notifier {
  version = 0;
  readonly #listeners = new Set<() => void>();
  #timer: Timer | undefined;
  readonly #clock: Clock;
  readonly #workload: Workload;
  /** When the listeners were last notified, and what the thread had worked when all was drawn. */
  #last: { readonly at: number; readonly worked: number };
  #frame = frame;

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

  /** Listeners have drawn what they were notified of at this time, when the thread had worked so long. */
  #drawn(at: number, before: number): void {
    const worked = this.#workload.worked();
    const { at: since, worked: until } = this.#last;
    const isBusy = before - until > (at - since) * busy;
    this.#frame = isBusy ? Math.max(frame, Math.min((worked - before) / drawing, longestFrame)) : frame;
    this.#last = { at, worked };
  }

  soon(): void {
    if (this.#timer !== undefined) return;
    const passed = Math.max(0, this.#clock.now() - this.#last.at);
    this.#timer = this.#clock.setTimeout(() => this.now(), Math.max(frame, this.#frame - passed));
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#listeners.clear();
  }
}

type Workload = {
  /** Milliseconds in which the thread had something to do, since some moment. */
  worked(): number;
  /** Calls `then` when all is done that follows from what is done now, before anything else is begun. */
  whenDone(then: () => void): void;
};

const machineWorkload: Workload = {
  worked: () => performance.eventLoopUtilization().active,
  // What a microtask leaves for the next tick comes after all microtasks.
  whenDone: (then) => queueMicrotask(() => process.nextTick(then)),
};
