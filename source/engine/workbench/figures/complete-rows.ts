/** The rows of a run as they will be: one for every task. */
import { noUsage } from "../../log/rows/task-usage.ts";
import type { Row, Task } from "../../types.ts";

/** Tasks without a row that has ended get one without a score, so that a table has all its lines and columns. */
export function completeRows(run: string, tasks: readonly Task[], rows: readonly Row[]): readonly Row[] {
  const known = new Map<string, Row>();
  for (const row of rows) known.set(row.task, row);
  return tasks.map((task) => {
    const row = known.get(task.id);
    return row === undefined || row.state === "running" ? openRow(run, task) : row;
  });
}

function openRow(run: string, { id, question, facets }: Task): Row {
  return {
    run,
    task: id,
    question,
    facets,
    state: "failed",
    score: undefined,
    failure: { kind: "stopped", message: "Not executed yet" },
    counts: {},
    ...noUsage,
    counted: noUsage,
    spent: noUsage,
    from: 0,
    to: 0,
  };
}

/** Whether all these tasks have a score. */
export function isComplete(tasks: readonly Task[], rows: readonly Row[]): boolean {
  const scored = new Set<string>();
  for (const { state, task } of rows) {
    if (state === "scored") scored.add(task);
  }
  const open = tasks.filter(({ id }) => !scored.has(id));
  return open.length === 0;
}
