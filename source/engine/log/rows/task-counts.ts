/**
 * The states of tasks and their counts. All views, exports and messages use these, so that they agree and add up to the run's
 * tasks.
 */
import { wasStopped } from "../../problem.ts";
import type { Failure, Row, Score } from "../../types.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

/** `stopped`: started and interrupted; the next invocation executes it again. `waiting`: not started. */
export type TaskState = Verdict | "failed" | "stopped" | "running" | "waiting";

/** In display order. */
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

/** The part of a row or trajectory that determines the state of its task. */
type Attempt = { readonly score: Score | undefined; readonly failure: Failure | undefined };

/**
 * Returns the state of a task from its row, which is undefined if the task never started. `isExecuted` is true if any program is
 * executing it.
 */
export function taskState(
  row: (Pick<Row, "state" | "score" | "failure"> & { readonly ended?: TaskState }) | undefined,
  isExecuted: boolean,
): TaskState {
  if (row === undefined) return "waiting";
  // A row on disk is not read for it.
  if (row.ended !== undefined) return row.ended;
  if (row.state !== "running") return endOf(row);
  return isExecuted ? "running" : "stopped";
}

/** Returns the state of a task from its last attempt. */
export function attemptState(attempt: Attempt | undefined, isExecuted: boolean): TaskState {
  if (attempt === undefined) return "waiting";
  if (attempt.score !== undefined || attempt.failure !== undefined) return endOf(attempt);
  return isExecuted ? "running" : "stopped";
}

/** Returns whether the models have finished a task: it failed neither before nor during its judge's request. */
export function isAnswered({ state, failure }: Pick<Row, "state" | "failure">): boolean {
  return state === "scored" || (state === "failed" && failure?.kind === "judge");
}

/** Returns the result of an attempt. A score takes precedence over a later failure. */
function endOf({ score, failure }: Attempt): TaskState {
  if (score === undefined && failure !== undefined) return wasStopped(failure) ? "stopped" : "failed";
  return verdictOf(score);
}

/** Rows by result; `rows` also includes open rows. */
export type EndedRows = Readonly<Record<Verdict | "failed" | "rows", number>>;

/** Counts a run of `total` tasks, which is at least its number of rows; `running` of its open rows are being executed. */
export function taskCounts({ rows, right, wrong, unscored, failed }: EndedRows, running: number, total: number) {
  const stopped = rows - right - wrong - unscored - failed - running;
  return { right, wrong, unscored, failed, stopped, running, waiting: total - rows };
}

/** Sums the counts of several runs. */
export function summedCounts(all: readonly TaskCounts[]): TaskCounts {
  const sum = (state: TaskState) => all.reduce((of, counts) => of + counts[state], 0);
  return Object.fromEntries(taskStates.map((state) => [state, sum(state)])) as TaskCounts;
}

/** Returns the number of tasks that have a score or failed. */
export const endedTasks = ({ right, wrong, unscored, failed }: TaskCounts): number => right + wrong + unscored + failed;

/** Returns the number of tasks that have not ended. */
export const openTasks = ({ stopped, running, waiting }: TaskCounts): number => stopped + running + waiting;

/** Returns `8 right`, `3 wrong`, `0 failed`, and the other counts if they are not 0. */
export function countTexts(counts: TaskCounts): readonly string[] {
  const always: readonly TaskState[] = ["right", "wrong", "failed"];
  const rare = taskStates.filter((state) => !always.includes(state) && counts[state] > 0);
  return [...always, ...rare].map((state) => `${counts[state]} ${state}`);
}

/** Summarizes a run's progress in one line: `11 of 20, 8 right, 3 wrong, 0 failed, 4 running, 5 waiting`. */
export const tallyText = (counts: TaskCounts, total: number): string =>
  [`${endedTasks(counts)} of ${total}`, ...countTexts(counts)].join(", ");
