/** Whether a run's log is still on disk: one that was taken away is not taken for one that never was. */
import { Problem } from "../../problem.ts";
import { logSize } from "./log-lines.ts";

export class LogPresence {
  readonly #path: string;
  /** False where there never was one, or it began anew. */
  get wasThere(): boolean {
    return this.#wasThere;
  }
  #wasThere = false;
  #isGone = false;

  /** Of the log at this path, packed or not. */
  constructor(path: string) {
    this.#path = path;
    this.look();
  }

  /** Looks again; true where it is there. */
  look(): boolean {
    const isThere = logSize(this.#path) !== undefined;
    this.#wasThere ||= isThere;
    this.#isGone = this.#wasThere && !isThere;
    return isThere;
  }

  /** The same. Throws `Problem` where it was there before. */
  isThere(): boolean {
    const isThere = this.look();
    if (this.gone !== undefined) throw new Problem("stopped", this.gone);
    return isThere;
  }

  /** What is said of a log that was taken away, as of the last look; undefined where it was not. */
  get gone(): string | undefined {
    return this.#isGone ? "The log of the run is gone from disk" : undefined;
  }

  /** From now on there was none: it begins anew. */
  forget(): void {
    this.#wasThere = false;
    this.#isGone = false;
  }
}
