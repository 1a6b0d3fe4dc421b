/** Counts the filled cells of a table. A cell is filled once all its tasks are scored. */
import { type Cell, type Figure, rowsBehind } from "../figure.ts";
import type { TaskRef } from "../types.ts";

export type FilledShare = {
  /** Title of the table or heat map. */
  readonly title: string;
  /** Cells with a number of these runs; reported numbers and labels do not count. */
  readonly cells: number;
  readonly filled: number;
  /** Unfilled cells that already have a scored task. */
  readonly begun: number;
};

/**
 * Expects the figure in the form that it has once all its runs are complete. Returns undefined if it is neither a table nor a
 * map.
 */
export function filledShare(figure: Figure, isScored: (task: TaskRef) => boolean): FilledShare | undefined {
  // Cells of one line share their rows; there may be hundreds of thousands.
  const known = new Map<readonly TaskRef[], { readonly all: number; readonly scored: number }>();
  const counts = (numbersOf(figure) ?? []).map((cell) => {
    const tasks = cell[rowsBehind]?.() ?? cell.tasks ?? [];
    if (cell.reported === true || tasks.length === 0) return undefined;
    const count = known.get(tasks) ?? { all: tasks.length, scored: tasks.filter(isScored).length };
    known.set(tasks, count);
    return count;
  });
  const cells = counts.filter((count) => count !== undefined);
  if (cells.length === 0) return undefined;
  const filled = cells.filter(({ all, scored }) => all === scored).length;
  const begun = cells.filter(({ scored }) => scored > 0).length - filled;
  return { title: figure.title, cells: cells.length, filled, begun };
}

function numbersOf(figure: Figure): readonly Cell[] | undefined {
  if (figure.kind === "grid") return figure.cells.flatMap((row) => row.filter((cell) => cell !== undefined));
  if (figure.kind !== "table") return undefined;
  return figure.rows.flatMap((row) => row.filter((_, column) => figure.columns[column]?.align === "right"));
}

/** Returns the line shown under the title of the table. */
export function filledText({ title, cells, filled, begun }: FilledShare): string {
  const share = Math.floor((100 * filled) / cells);
  return `${title}: ${filled} of ${cells} cells filled (${share} %)${begun === 0 ? "" : `, ${begun} in part`}`;
}
