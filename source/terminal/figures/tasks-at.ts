import type { Stop } from "../../engine/figures/drawing/drawing.ts";
import type { TaskRef } from "../../engine/types.ts";

/** What Enter opens at this column of a row of a figure: the tasks behind its value; on a label, those behind all values of the row. */
export function tasksAt(
  row: readonly Stop[],
  column: number,
): { readonly label: string; readonly tasks: readonly TaskRef[] } {
  const stop = row[column];
  if (stop?.cell === undefined) return { label: "", tasks: [] };
  const { value, tasks, reported = false } = stop.cell;
  if (tasks !== undefined || value !== undefined || reported) return { label: stop.label, tasks: tasks ?? [] };
  const all = row.flatMap(({ cell }) => cell?.tasks ?? []);
  return {
    label: row[0]?.cell?.text ?? "",
    tasks: [...new Map(all.map((ref) => [`${ref.run} ${ref.task}`, ref])).values()],
  };
}
