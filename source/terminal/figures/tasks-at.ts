import type { Cell } from "../../engine/figure.ts";
import type { Stop } from "../../engine/figures/drawing/drawing.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { TaskSource } from "../frame/screen.ts";

/** What Enter opens at this column of a row of a figure: the tasks behind its value; on a label, those behind all values of the row. */
export function tasksAt(
  row: readonly Stop[],
  column: number,
): { readonly label: string; readonly tasks: Exclude<TaskSource, { readonly cell: string }> } {
  const stop = row[column];
  if (stop?.cell === undefined) return { label: "", tasks: none };
  const { value, tasks, reported = false } = stop.cell;
  if (tasks !== undefined || value !== undefined || reported) return { label: stop.label, tasks: tasks ?? none };
  return { label: row[0]?.cell?.text ?? "", tasks: known.get(stop.cell) ?? remembered(stop.cell, row) };
}

const none: readonly TaskRef[] = [];

/** By the label's cell: the same list while the figure is the same, as what stands beside it is drawn anew for another one. */
const known = new WeakMap<Cell, ReturnType<typeof tasksAt>["tasks"]>();

/** Which of many tasks stand behind several values is not looked at here: the cursor only comes past. */
function remembered(label: Cell, row: readonly Stop[]): ReturnType<typeof tasksAt>["tasks"] {
  const lists = [...new Set(row.flatMap(({ cell }) => (cell?.tasks?.length ? [cell.tasks] : [])))];
  const tasks = lists.length > 1 ? { lists } : (lists[0] ?? none);
  known.set(label, tasks);
  return tasks;
}
