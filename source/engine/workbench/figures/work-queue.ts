/** Loads and computations that cells lack: looking at a cell notes them, `begin` starts them, each one once. */

/** Resolves to false, or rejects, if it brought nothing new. */
type Work = (signal: AbortSignal) => Promise<unknown>;

type Wanted = { readonly of: string; readonly work: Work };
type Running = { readonly of: string; readonly ending: AbortController; readonly ended: Promise<boolean> };

export class WorkQueue {
  readonly #changed: () => void;
  readonly #wanted = new Map<string, Wanted>();
  readonly #running = new Map<string, Running>();

  /** Calls `changed` when a piece of work has brought something new. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Notes work by its name. Starting the same name `of` something else ends the work that is running. */
  want(name: string, of: string, work: Work): void {
    if (this.#running.get(name)?.of === of) this.#wanted.delete(name);
    else this.#wanted.set(name, { of, work });
  }

  /** Starts what was noted. */
  begin(): void {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const [name, { of, work }] of wanted) {
      this.#running.get(name)?.ending.abort(new Error("Replaced by newer work"));
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

  /** Starts what was noted and resolves when all that is running has ended: to whether it brought anything new. */
  async finish(): Promise<boolean> {
    this.begin();
    const ended = await Promise.all([...this.#running.values()].map((running) => running.ended));
    return ended.includes(true);
  }
}
