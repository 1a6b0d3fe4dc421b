/** How the execution of a task ended, as whoever executes the run learns from it: data that can come from another machine. */
import { RunLimitProblem } from "./budget.ts";
import type { Ended } from "./execute-task.ts";
import { OutageProblem } from "../models/problem.ts";
import type { Failure } from "../types.ts";

export type TaskEnd = {
  readonly scored: boolean;
  /** Why it ended early, or came to no score. */
  readonly failure?: Failure;
  /** Whether the next task would fail to reach its model too; `always`: that is certain. */
  readonly hopeless: FailedTask["hopeless"];
  /** What is said of an endpoint that stayed away for too long: the task is to be kept for later. */
  readonly outage?: string;
  /** The limit of the run that was reached. */
  readonly limit?: string;
};

export function taskEnd(ended: Ended | undefined): TaskEnd {
  if (ended === undefined) return { scored: true, hopeless: false };
  const { failure, thrown, scored } = ended;
  return {
    scored,
    failure,
    hopeless: hopelessness(ended),
    ...(thrown instanceof OutageProblem && { outage: thrown.message }),
    ...(thrown instanceof RunLimitProblem && { limit: thrown.message }),
  };
}

/** What a tally is told of a task that ended. */
export function failedTask({ scored, failure, hopeless }: TaskEnd): FailedTask | undefined {
  return scored || failure === undefined ? undefined : { failure, hopeless };
}

/** No connection, a wrong key, a model that is not there: the next task would fail the same way. */
function hopelessness({ failure, thrown }: Ended): FailedTask["hopeless"] {
  if (failure.kind !== "model" && failure.kind !== "judge") return false;
  const { status, hopeless } = (thrown ?? {}) as { readonly status?: number; readonly hopeless?: boolean };
  return hopeless === true ? "always" : status === undefined || [401, 403, 404].includes(status);
}

/** This many tasks that ended in the same bug end the run: the others would cost as much and come to as little. */
const bugsAlike = 3;
/** This many tasks in a row that could not reach the model end the run. */
const unreachableAlike = 3;
/** When this many tasks, the first to end, all failed with the same words, whoever watches is asked. */
const first = 10;

type FailedTask = {
  readonly failure: Failure;
  /** Whether the next task would fail to reach its model too; `always`: that is certain. */
  readonly hopeless: boolean | "always";
};

/** `end`: the run is to end with this failure's message; `ask`: whether it should go on is in question. */
type TallyVerdict = "end" | "ask" | undefined;

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
