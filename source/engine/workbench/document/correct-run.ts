/** Corrects an error or the score of a task of a run, and records who corrected it and the scorer's own result. */
import { userInfo } from "node:os";
import type { TaskCorrection } from "../../log/corrections/correct-task.ts";
import type { RunStore } from "../../log/run-store.ts";
import { Problem } from "../../problem.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import type { Suites } from "../../suite.ts";
import type { Score, Task } from "../../types.ts";
import { fallback } from "../../work/fallback.ts";

/** The part of a run that a correction needs. */
type CorrectedRun = {
  readonly planned: PlannedRun;
  readonly store: RunStore;
  tasks(): Promise<readonly Task[]>;
};

/** Corrects a task like `correctTask`. External answers are not scored again; their saved score counts as the scorer's. */
export async function correctRun({ planned, store, tasks }: CorrectedRun, suites: Suites, correction: TaskCorrection) {
  // Loaded on demand because corrections are rare and the program should start fast.
  const { correctTask, lastScore, withoutOverrides } = await import("../../log/corrections/correct-task.ts");
  const { scoreAgain } = await import("../../run/rescore.ts");
  const { spec } = planned;
  await store.catchUp();
  const row = store.table.row(correction.task);
  if (row?.state !== "scored" || row.score === undefined) throw new Problem("parse", "This task has no score yet");
  const saved = lastScore(store, correction.task) ?? row.score;
  const score = async (): Promise<Score> => {
    if (planned.predictions !== undefined) return withoutOverrides(saved);
    const loaded = await suites.open(spec.suite, spec.data);
    const task = (await tasks()).find(({ id }) => id === correction.task);
    if (task === undefined) throw new Problem("tool", "This task is no longer one of the run's tasks");
    return scoreAgain(store, task, loaded, spec);
  };
  return correctTask(store, suites.suite(spec.suite), score, { ...correction, source: personName() });
}

/** Returns the login name, or `a person` if the system reports none. Never throws. */
export const personName = (read: () => string = () => userInfo().username): string =>
  fallback(() => read().trim() || "a person", "a person");
