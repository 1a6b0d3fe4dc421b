/** What a run does before its first task, such as grouping a whole catalogue: how far that is, and how it is ended. */
import type { Bench } from "./suite.ts";
import type { RunSpec, Task } from "./types.ts";

export class Preparation {
  readonly #changed: () => void;
  #ending: AbortController | undefined;
  #doing: string | undefined;

  /** `changed` is called with every word of progress, and must be cheap. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** What is being done now, in words; undefined where nothing is. */
  get doing(): string | undefined {
    return this.#doing;
  }

  /** Resolves when all that these tasks share is there, or after `stop`. Throws what the benchmark throws. */
  async make(bench: Bench, spec: RunSpec, tasks: readonly Task[]): Promise<void> {
    if (bench.prepare === undefined) return;
    const ending = new AbortController();
    this.#ending = ending;
    const progress = (doing: string) => {
      this.#doing = doing;
      this.#changed();
    };
    try {
      await bench.prepare(spec, tasks, { signal: ending.signal, progress });
    } catch (thrown) {
      if (!ending.signal.aborted) throw thrown;
    } finally {
      this.#ending = undefined;
      this.#doing = undefined;
    }
  }

  stop(): void {
    this.#ending?.abort();
  }
}
