/** How much of a table is there: its cells are filled once all tasks behind them have been scored. */
import type { Cell, Figure } from "../figure.ts";
import type { TaskRef } from "../types.ts";

export type FilledShare = {
  /** Title of the table or heat map. */
  readonly title: string;
  /** Cells with a number of these runs; printed ones and labels do not count. */
  readonly cells: number;
  readonly filled: number;
  /** Of those not filled, how many rest on some tasks already. */
  readonly begun: number;
};

/** Of a figure as it is when all its runs are complete. Undefined for figures that are no tables. */
export function filledShare(figure: Figure, isScored: (task: TaskRef) => boolean): FilledShare | undefined {
  const counts = (numbersOf(figure) ?? []).map(({ tasks = [], reported }) => {
    if (reported === true || tasks.length === 0) return undefined;
    return { all: tasks.length, scored: tasks.filter(isScored).length };
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

/** As one line under the name of the table. */
export function filledText({ title, cells, filled, begun }: FilledShare): string {
  const share = Math.floor((100 * filled) / cells);
  return `${title}: ${filled} of ${cells} cells filled (${share} %)${begun === 0 ? "" : `, ${begun} in part`}`;
}
