/** Notifies listeners of changes: at once for what a user does, once per frame for what runs do. */

import { type Clock, machineClock, type Timer } from "../work/clock.ts";

/** Milliseconds between notifications of what runs do. */
const frame = 50;

export class Notifier {
  version = 0;
  readonly #listeners = new Set<() => void>();
  readonly #notified = new Set<string>();
  #timer: Timer | undefined;
  readonly #clock: Clock;

  constructor(clock: Clock = machineClock) {
    this.#clock = clock;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  now(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.version += 1;
    for (const listener of this.#listeners) listener();
  }

  soon(): void {
    this.#timer ??= this.#clock.setTimeout(() => this.now(), frame);
  }

  /** Like `soon`, but only the first time for this reason. */
  once(reason: string): void {
    if (this.#notified.has(reason)) return;
    this.#notified.add(reason);
    this.soon();
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#listeners.clear();
  }
}
