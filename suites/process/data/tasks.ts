/** Reads the tasks of a process from the file that its last test wrote. */
import { existsSync, readFileSync } from "node:fs";
import { readTaskLines } from "../../../source/engine/run/agents/task-list.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { Json, Task } from "../../../source/engine/types.ts";

export type ProcessTask = Task<null, Json>;

export type ProcessTasks = { readonly tasks: readonly ProcessTask[]; readonly facets: readonly string[] };

/** Reads the tasks of a process. Throws `DataProblem` if the file is missing. */
export function readProcessTasks(path: string, name: string): ProcessTasks {
  if (!existsSync(path))
    throw new DataProblem(
      `Expected the tasks of the process \`${name}\` at ${path}, found none: \`planwright processes test ${name}\` requests them again`,
    );
  const listed = readTaskLines(readFileSync(path, "utf8"));
  const tasks = listed.map(({ reference, ...task }): ProcessTask => ({ ...task, input: null, answer: reference }));
  return { tasks, facets: [...new Set(tasks.flatMap(({ facets }) => Object.keys(facets)))] };
}
