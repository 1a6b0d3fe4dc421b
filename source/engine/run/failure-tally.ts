/** How the tasks of a run fail, counted by what they say: where many fail alike, the rest is likely to. */
import type { Failure } from "../types.ts";

/** This many tasks that ended in the same bug end the run: the others would cost as much and come to as little. */
const bugsAlike = 3;
/** This many tasks in a row that could not reach the model end the run. */
const unreachableAlike = 3;
/** When this many tasks, the first to end, all failed with the same words, whoever watches is asked. */
const first = 10;

export type FailedTask = {
  readonly failure: Failure;
  /** Whether the next task would fail to reach its model too; `always`: that is certain. */
  readonly hopeless: boolean | "always";
};

/** `end`: the run is to end with this failure's message; `ask`: whether it should go on is in question. */
export type TallyVerdict = "end" | "ask" | undefined;

const unreachable = "unreachable";

export class FailureTally {
  readonly #tasks: number;
  #ended = 0;
  readonly #alike = new Map<string, number>();

  /** `tasks`: how many the run executes. */
  constructor(tasks: number) {
    this.#tasks = tasks;
  }

  /** Counts a task that ended, failed where it came to no score; a task that was stopped says nothing. */
  take(failed: FailedTask | undefined): TallyVerdict {
    if (failed?.failure.kind === "stopped") return undefined;
    this.#ended += 1;
    if (failed === undefined || failed.hopeless === false) this.#alike.delete(unreachable);
    if (failed === undefined) return undefined;
    const { failure, hopeless } = failed;
    const key = hopeless === false ? JSON.stringify([failure.kind === "bug", failure.message]) : unreachable;
    const alike = (this.#alike.get(key) ?? 0) + 1;
    this.#alike.set(key, alike);
    const most =
      hopeless === "always" ? 1 : hopeless ? unreachableAlike : failure.kind === "bug" ? bugsAlike : Infinity;
    if (alike >= (hopeless === false ? most : Math.min(most, this.#tasks))) return "end";
    return alike === first && this.#ended === first ? "ask" : undefined;
  }
}
