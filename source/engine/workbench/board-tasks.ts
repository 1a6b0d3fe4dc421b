/** The tasks of a run as a board shows them. */
import type { RowTable } from "../log/rows.ts";
import type { Row, Task } from "../types.ts";
import { verdictOf } from "../log/verdict.ts";
import type { BoardState, BoardTask } from "./workbench.ts";

/** In the order of `tasks`; where these are not known, those that have rows. */
export function boardTasks(
  table: RowTable,
  tasks: readonly Task[] | undefined,
  running: ReadonlySet<string>,
): readonly BoardTask[] {
  if (tasks === undefined) {
    return table
      .rows()
      .map((row) => ({ task: row.task, question: row.question, state: boardState(row, running), row }));
  }
  return tasks.map(({ id, question }) => {
    const row = table.row(id);
    return { task: id, question, state: boardState(row, running, id), row };
  });
}

function boardState(row: Row | undefined, running: ReadonlySet<string>, id = row?.task ?? ""): BoardState {
  if (running.has(id)) return "running";
  if (row === undefined || row.state === "running" || row.failure?.kind === "stopped")
    return row?.state === "scored" ? verdictOf(row.score) : "waiting";
  return row.state === "scored" ? verdictOf(row.score) : "failed";
}
