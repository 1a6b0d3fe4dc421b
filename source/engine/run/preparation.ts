/** What a run does before its first task, such as grouping a whole catalogue, and how far that is. */
import type { LoadedSuite } from "../loaded-suite.ts";
import type { RunSpec, Task } from "../types.ts";

export class Preparation {
  readonly #changed: () => void;
  #doing: string | undefined;

  /** `changed` is called with every word of progress, and must be cheap. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** What is being done now, in words; undefined where nothing is. */
  get doing(): string | undefined {
    return this.#doing;
  }

  /** Resolves when all that these tasks share is there, or the signal is aborted. Throws what the benchmark throws. */
  async make(loaded: LoadedSuite, spec: RunSpec, tasks: readonly Task[], signal: AbortSignal): Promise<void> {
    if (loaded.toolkits === undefined || signal.aborted) return;
    const progress = (doing: string) => {
      this.#doing = doing;
      this.#changed();
    };
    try {
      await loaded.toolkits.prepare(spec, tasks, { signal, progress });
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      this.#doing = undefined;
    }
  }
}
