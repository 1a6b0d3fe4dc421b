/** A correction of one error, or of the score, of a task of a run: who made it, and what the scorer itself says of the task. */
import { userInfo } from "node:os";
import type { TaskCorrection } from "../../log/corrections/correct-task.ts";
import type { RunStore } from "../../log/run-store.ts";
import { Problem } from "../../problem.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import type { Suites } from "../../suite.ts";
import type { Score, Task } from "../../types.ts";

/** A run as far as a correction needs it. */
type CorrectedRun = {
  readonly planned: PlannedRun;
  readonly store: RunStore;
  tasks(): Promise<readonly Task[]>;
};

/** As `correctTask`. Answers made elsewhere are not scored again: their score as it was saved counts as the scorer's. */
export async function correctRun(
  { planned, store, tasks }: CorrectedRun,
  suites: Suites,
  correction: TaskCorrection,
): Promise<string | undefined> {
  // Seldom needed: the start of the program does not wait for it.
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
    if (task === undefined) throw new Problem("tool", "This task is not among those of the run any more");
    return scoreAgain(store, task, loaded, spec);
  };
  return correctTask(store, suites.suite(spec.suite), score, { ...correction, source: personName() });
}

/** The name one is logged in by; `a person` where the system knows none. Never throws. */
export function personName(read: () => string = () => userInfo().username): string {
  try {
    return read().trim() || "a person";
  } catch {
    return "a person";
  }
}
