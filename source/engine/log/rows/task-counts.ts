/**
 * In which state a task of a run is, and how many are in each. Nothing else decides or counts this: all that is shown, printed
 * and written of a run agrees, and adds up to its tasks.
 */
import { wasStopped } from "../../problem.ts";
import type { Failure, Row, Score } from "../../types.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

/** `stopped`: begun and cut, so that the next invocation executes it again. `waiting`: not begun. */
export type TaskState = Verdict | "failed" | "stopped" | "running" | "waiting";

/** In the order in which counts are listed. */
export const taskStates = [
  "right",
  "wrong",
  "unscored",
  "failed",
  "stopped",
  "running",
  "waiting",
] as const satisfies readonly TaskState[];

export type TaskCounts = Readonly<Record<TaskState, number>>;

/** What of a row, or of a trajectory, says how its task is. */
type Attempt = { readonly score: Score | undefined; readonly failure: Failure | undefined };

/** The state of a task by its row, which is undefined if it was never begun. `isExecuted` is true if anybody executes it now. */
export function taskState(row: Pick<Row, "state" | "score" | "failure"> | undefined, isExecuted: boolean): TaskState {
  if (row === undefined) return "waiting";
  if (row.state !== "running") return endOf(row);
  return isExecuted ? "running" : "stopped";
}

/** The same by its last attempt. */
export function attemptState(attempt: Attempt | undefined, isExecuted: boolean): TaskState {
  if (attempt === undefined) return "waiting";
  if (attempt.score !== undefined || attempt.failure !== undefined) return endOf(attempt);
  return isExecuted ? "running" : "stopped";
}

/** How an attempt ended. One that has a score keeps it, whatever failed after. */
function endOf({ score, failure }: Attempt): TaskState {
  if (score === undefined && failure !== undefined) return wasStopped(failure) ? "stopped" : "failed";
  return verdictOf(score);
}

/** Rows by how they ended; `rows` counts the open ones, too. */
export type EndedRows = Readonly<Record<Verdict | "failed" | "rows", number>>;

/** The counts of a run of `total` tasks, at least as many as it has rows; `running` of its rows are open and being executed. */
export function taskCounts(
  { rows, right, wrong, unscored, failed }: EndedRows,
  running: number,
  total: number,
): TaskCounts {
  const stopped = rows - right - wrong - unscored - failed - running;
  return { right, wrong, unscored, failed, stopped, running, waiting: total - rows };
}

/** Of several runs together. */
export function summedCounts(all: readonly TaskCounts[]): TaskCounts {
  const sum = (state: TaskState) => all.reduce((of, counts) => of + counts[state], 0);
  return Object.fromEntries(taskStates.map((state) => [state, sum(state)])) as TaskCounts;
}

/** Tasks that have a score or failed. */
export const endedTasks = ({ right, wrong, unscored, failed }: TaskCounts): number => right + wrong + unscored + failed;

/** All others. */
export const openTasks = ({ stopped, running, waiting }: TaskCounts): number => stopped + running + waiting;

/** `8 right`, `3 wrong`, `0 failed`, and the others where there are any. */
export function countTexts(counts: TaskCounts): readonly string[] {
  const always: readonly TaskState[] = ["right", "wrong", "failed"];
  const rare = taskStates.filter((state) => !always.includes(state) && counts[state] > 0);
  return [...always, ...rare].map((state) => `${counts[state]} ${state}`);
}

/** How far a run is, in one line: `11 of 20, 8 right, 3 wrong, 0 failed, 4 running, 5 waiting`. */
export function tallyText(counts: TaskCounts, total: number): string {
  return [`${endedTasks(counts)} of ${total}`, ...countTexts(counts)].join(", ");
}
