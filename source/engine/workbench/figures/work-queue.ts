/** A queue of loads and computations that cells need: reading a cell adds them, and `begin` starts each of them once. */

/** Resolves to false, or rejects, if the work produced no new result. */
type Work = (signal: AbortSignal) => Promise<unknown>;

type Wanted = { readonly of: string; readonly work: Work };
type Running = { readonly of: string; readonly ending: AbortController; readonly ended: Promise<boolean> };

export class WorkQueue {
  readonly #changed: () => void;
  readonly #wanted = new Map<string, Wanted>();
  readonly #running = new Map<string, Running>();

  /** Calls `changed` when work has produced something new. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Records work by its name. Starting the same name `of` other data ends the running work. */
  want(name: string, of: string, work: Work): void {
    if (this.#running.get(name)?.of === of) this.#wanted.delete(name);
    else this.#wanted.set(name, { of, work });
  }

  /** Starts the noted work. */
  begin(): void {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const [name, { of, work }] of wanted) {
      this.#running.get(name)?.ending.abort(new Error("Newer work replaced this work"));
      const ending = new AbortController();
      const finish = (isNew: boolean): boolean => {
        if (this.#running.get(name) === running) this.#running.delete(name);
        if (isNew && !ending.signal.aborted) this.#changed();
        return isNew;
      };
      const ended = work(ending.signal).then(
        (found) => finish(found !== false),
        () => finish(false),
      );
      const running: Running = { of, ending, ended };
      this.#running.set(name, running);
    }
  }

  /** Starts the noted work and resolves when all running work has ended, to whether it produced anything new. */
  async finish(): Promise<boolean> {
    this.begin();
    const ended = await Promise.all([...this.#running.values()].map((running) => running.ended));
    return ended.includes(true);
  }
}
