/** Tells listeners that something changed: at once for what a person did, once per frame for what runs do. */

/** Milliseconds between notifications of what runs do. */
const frame = 50;

export class Notifier {
  version = 0;
  readonly #listeners = new Set<() => void>();
  readonly #told = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.version += 1;
    for (const listener of this.#listeners) listener();
  }

  soon(): void {
    this.#timer ??= setTimeout(() => this.now(), frame);
  }

  /** Like `soon`, but only the first time for this reason. */
  once(reason: string): void {
    if (this.#told.has(reason)) return;
    this.#told.add(reason);
    this.soon();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }
}
