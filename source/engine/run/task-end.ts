/** The end of a task's execution, as data that another machine can send. */
import { RunLimitProblem } from "./budget.ts";
import type { Ended } from "./execute-task.ts";
import { OutageProblem } from "../models/problem.ts";
import { UnreadPick } from "./picked-sample.ts";
import { UnreadVerdicts } from "./verdicts.ts";
import type { CauseName, Failure } from "../types.ts";

export type TaskEnd = {
  readonly scored: boolean;
  /** Why the task ended early, or has no score. */
  readonly failure?: Failure;
  /** True if the next task would not reach its model either; `always` if certain. */
  readonly hopeless: FailedTask["hopeless"];
  /** Message about an endpoint that stayed down for too long; the task is kept for later. */
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

/** Returns how an ended task failed, as tallies count it; undefined if it did not fail. */
export const failedTask = ({ scored, failure, hopeless }: TaskEnd): FailedTask | undefined =>
  scored || failure === undefined ? undefined : { failure, hopeless };

/** Returns whether the next task would fail in the same way: no connection, a wrong key, or an unknown model. */
function hopelessness({ failure, thrown }: Ended): FailedTask["hopeless"] {
  if (failure.kind !== "model" && failure.kind !== "judge") return false;
  if (thrown instanceof UnreadVerdicts || thrown instanceof UnreadPick) return false;
  const { status, hopeless } = (thrown ?? {}) as { readonly status?: number; readonly hopeless?: boolean };
  return hopeless === true ? "always" : status === undefined || [401, 403, 404].includes(status);
}

/** Number of tasks with the same bug at which a run ends, because the other tasks would fail, too. */
const bugsAlike = 3;
/** Number of consecutive tasks without a reachable model that end the run. */
const unreachableAlike = 3;
/** Numbers of first tasks, and of first verdicts of a judge, that must all end in the same way before the user is asked. */
const firstTasks = 10;
const firstVerdicts = 5;

type FailedTask = {
  readonly failure: Failure;
  /** True if the next task would not reach its model either; `always` if certain. */
  readonly hopeless: boolean | "always";
};

/** `end`: the run ends with this failure's message; `ask`: the user decides whether to continue. */
type TallyVerdict = "end" | "ask" | undefined;

const unreachable = "unreachable";

export class FailureTally {
  readonly #tasks: number;
  #ended = 0;
  readonly #alike = new Map<string, number>();

  /** `tasks`: number of tasks in the run. */
  constructor(tasks: number) {
    this.#tasks = tasks;
  }

  /**
   * Counts a task that ended, as failed if it has no score; a stopped task does not count. `unread` is why its answer could not
   * be read.
   */
  take(failed: FailedTask | undefined, unread?: CauseName): TallyVerdict {
    if (failed?.failure.kind === "stopped") return undefined;
    this.#ended += 1;
    if (failed === undefined || failed.hopeless === false) this.#alike.delete(unreachable);
    if (failed === undefined) return unread === undefined ? undefined : this.#asks(this.#count(unread), firstTasks);
    const { failure, hopeless } = failed;
    // Messages about unreadable verdicts quote them.
    const what = failure.kind === "judge" ? failure.kind : [failure.kind === "bug", failure.message];
    const key = hopeless === false ? JSON.stringify(what) : unreachable;
    const alike = this.#count(key);
    const most =
      hopeless === "always" ? 1 : hopeless ? unreachableAlike : failure.kind === "bug" ? bugsAlike : Infinity;
    if (alike >= (hopeless === false ? most : Math.min(most, this.#tasks))) return "end";
    return this.#asks(alike, failure.kind === "judge" ? firstVerdicts : firstTasks);
  }

  #count(key: string): number {
    const alike = (this.#alike.get(key) ?? 0) + 1;
    this.#alike.set(key, alike);
    return alike;
  }

  #asks(alike: number, first: number): TallyVerdict {
    return alike === first && this.#ended === first ? "ask" : undefined;
  }
}
