/** Figures of so many rows that they are worked out in a thread: until they are there, cells show what they showed before. */
import type { AnalysisState } from "../analysis-state.ts";

/** Resolves to what a cell shows; `progress` is told what the work is at, in words. */
type Work = (signal: AbortSignal, progress: (at: string) => void) => Promise<AnalysisState>;

type Running = { readonly source: string; readonly ending: AbortController; shown: AnalysisState };

export class FigureWork {
  readonly #running = new Map<string, Running>();

  /** What the cell shows while the figures of this text are worked out; undefined where they are not. */
  shown(cell: string, source: string): AnalysisState | undefined {
    const running = this.#running.get(cell);
    return running?.source === source ? running.shown : undefined;
  }

  /**
   * Begins with a cell's figures, and ends what was begun for another text of it. Meanwhile the cell shows `before`; where that
   * has no figures it says what is worked out, and `changed` is told when that is something else. Resolves to nothing where it
   * was ended.
   */
  async begin(
    cell: string,
    source: string,
    work: Work,
    before: AnalysisState,
    changed: () => void,
  ): Promise<AnalysisState | undefined> {
    this.#running.get(cell)?.ending.abort();
    const running: Running = {
      source,
      ending: new AbortController(),
      shown: saying(before, "Working out what the runs came to"),
    };
    this.#running.set(cell, running);
    const progress = (at: string) => {
      running.shown = saying(before, at);
      changed();
    };
    try {
      return await work(running.ending.signal, progress);
    } catch (error) {
      if (running.ending.signal.aborted) return undefined;
      throw error;
    } finally {
      if (this.#running.get(cell) === running) this.#running.delete(cell);
    }
  }
}

function saying(before: AnalysisState, at: string): AnalysisState {
  return before.figures.length > 0 ? before : { ...before, missing: at };
}
