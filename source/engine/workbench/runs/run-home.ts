/** The folders of runs while a session is open: several cells may read one folder, and write it together or in turn. */
import type { RunStore } from "../../log/run-store.ts";
import type { ReadStore, RunView } from "../../log/run-view.ts";
import type { Task } from "../../types.ts";
import type { SharedTasks } from "../../run/shared-tasks.ts";

/** A run's folder, its name in `runs`, and the tasks whose results are written into it. */
export type RunHome = { readonly folder: string; readonly store: RunStore; readonly tasks: SharedTasks };

/** The place of a cell's run. */
export type CellPlace = {
  /** The folder to which the run writes. */
  readonly home: RunHome;
  /** The shown part of the run's folder; absent if all of it is shown. */
  readonly view?: RunView;
  readonly turns: Turns;
  /** The requests at which a run of forks starts, as its tasks; absent for other runs. */
  readonly points?: ForkedPlaces;
  /** Returns the runs whose answers are the samples of the run, in order; absent for runs that request their own answers. */
  readonly samples?: () => readonly SampledRun[];
};

/** A run whose answers are samples. */
export type SampledRun = { readonly run: string; readonly asked: string; readonly store: ReadStore };

/** `version` changes with the results of the original. */
export type ForkedPlaces = { version(): number; read(): Promise<readonly Task[]> };

type Turn = { readonly group: string | undefined; holders: number; readonly ended: PromiseWithResolvers<void> };

/**
 * Prevents cells with the same requests from running at once, unless they share the tasks: the second cell then finds the answers
 * of the first.
 */
export class Turns {
  readonly #turns = new Map<string, Turn>();

  /** True if any holder has the turn. */
  isTaken(what: string): boolean {
    return this.#turns.has(what);
  }
  /** True if only one holder has the turn. */
  isAlone(what: string): boolean {
    return (this.#turns.get(what)?.holders ?? 0) < 2;
  }

  /**
   * Resolves to a function that ends the turn, once other turns have ended; holders with the same `group` share a turn. Calls
   * `waits` if there are other holders. Rejects with the signal's reason if it is aborted before.
   */
  async take(
    what: string,
    group: string | undefined,
    { signal, waits }: { readonly signal: AbortSignal; readonly waits: () => void },
  ): Promise<() => void> {
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const before = this.#turns.get(what);
        if (before === undefined || (group !== undefined && before.group === group)) return this.#hold(what, group);
        waits();
        await Promise.race([before.ended.promise, aborted.promise]);
      }
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #hold(what: string, group: string | undefined): () => void {
    const turn = this.#turns.get(what) ?? { group, holders: 0, ended: Promise.withResolvers<void>() };
    turn.holders += 1;
    this.#turns.set(what, turn);
    return () => {
      turn.holders -= 1;
      if (turn.holders > 0) return;
      this.#turns.delete(what);
      turn.ended.resolve();
    };
  }
}
