/** How the execution of a task ended, as whoever executes the run learns from it: data that can come from another machine. */
import { RunLimitProblem } from "./budget.ts";
import type { Ended } from "./execute-task.ts";
import type { FailedTask } from "./failure-tally.ts";
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
