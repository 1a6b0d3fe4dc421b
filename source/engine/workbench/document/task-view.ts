import type { LoadedSuites } from "./loaded-suites.ts";
import { viewOf, type TaskView } from "../../loaded-suite.ts";
import type { Json, RunSpec } from "../../types.ts";

/** The plan in the answer to a task beside its reference; undefined where the task is no longer in the data. */
export async function taskView(
  { suite, data, split }: RunSpec,
  loadedSuites: LoadedSuites,
  task: string,
  answer: Json | undefined,
): Promise<TaskView | undefined> {
  const loaded = await loadedSuites.open(suite, data);
  const found = await loadedSuites.task(suite, data, split, answeredTask(task)).catch(() => undefined);
  return found === undefined ? undefined : viewOf(loaded, found, answer);
}

/** The id of the task an answer is to: several answers to one task are distinguished by a number. */
export const answeredTask = (id: string): string => id.replace(/ \(\d+\)$/, "");
