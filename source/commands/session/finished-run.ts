/** Whether a run came to what its cell asks for: the exit status, and the test case of a whole run, follow from it. */
import { openTasks } from "../../engine/log/rows/task-counts.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";

/** How many tasks neither have a score nor failed, although no rule of the run left them out. */
export function missingTasks({ counts, leftOutBy }: Pick<RunState, "counts" | "leftOutBy">): number {
  return leftOutBy === undefined ? openTasks(counts) : 0;
}

/** True if nothing is left to execute. */
export function isFinished(run: Pick<RunState, "status" | "counts" | "leftOutBy">): boolean {
  return run.status === "done" || (run.status === "partial" && run.leftOutBy !== undefined && run.counts.failed === 0);
}
