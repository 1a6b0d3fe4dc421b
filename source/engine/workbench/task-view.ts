import type { LoadedSuites } from "./loaded-suites.ts";
import type { RunControl } from "./run-control.ts";
import { viewOf, type TaskView } from "../loaded-suite.ts";

/** A saved task's plan beside its reference; undefined where the task is no longer in the data. */
export async function taskView(
  control: Pick<RunControl, "spec" | "trajectory">,
  loadedSuites: LoadedSuites,
  task: string,
): Promise<TaskView | undefined> {
  const { suite, data, split } = control.spec;
  const loaded = await loadedSuites.open(suite, data);
  const found = await loadedSuites.task(suite, data, split, answeredTask(task)).catch(() => undefined);
  return found === undefined ? undefined : viewOf(loaded, found, control.trajectory(task)?.answer);
}

/** The id of the task an answer is to: several answers to one task are distinguished by a number. */
export const answeredTask = (id: string): string => id.replace(/ \(\d+\)$/, "");
