import type { Cell, Figure } from "../../engine/figure.ts";
import type { Stop, At } from "../../engine/figures/drawing/drawing.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { TaskSource } from "../frame/screen.ts";
import { rowSpan } from "../../engine/figures/drawing/draw-figure.ts";
import type { StopRows } from "../../engine/figures/drawing/stops.ts";

/**
 * Returns the tasks that Enter opens in this column of a row: those behind its value; on a label, those behind all
 * values of the row.
 */
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

/**
 * Keyed by the label's cell: the list stays the same object while the figure does, because another list would redraw
 * the screen beside it.
 */
const known = new WeakMap<Cell, ReturnType<typeof tasksAt>["tasks"]>();

/** Tasks that several values share are not filtered here, because the cursor may only pass by. */
function remembered(label: Cell, row: readonly Stop[]): ReturnType<typeof tasksAt>["tasks"] {
  const lists = [...new Set(row.flatMap(({ cell }) => (cell?.tasks?.length ? [cell.tasks] : [])))];
  const tasks = lists.length > 1 ? { lists } : (lists[0] ?? none);
  known.set(label, tasks);
  return tasks;
}

/** A drawn line of a figure's body: its number among `body` lines, and the text of any line of it; `starts` as in the drawing. */
export type BodyLine = {
  readonly line: number;
  readonly body: number;
  readonly starts?: readonly number[] | undefined;
  readonly textOf: (line: number) => string;
};

/**
 * Returns the value drawn at or nearest to this column of a line; undefined for a line without values, and for plots.
 */
export function clickedStop(
  figure: Figure,
  stops: StopRows,
  { line, body, starts, textOf }: BodyLine,
  column: number,
): At | undefined {
  if (figure.kind === "lines" || figure.kind === "points") return undefined;
  const isOf = (row: number) => {
    const { from, lines } = rowSpan(figure, row, body, starts);
    return line >= from && line < from + lines;
  };
  let row = 0;
  while (row < stops.length && !isOf(row)) row += 1;
  if (row === stops.length) return undefined;
  // An interval below a value is that value's.
  const text = textOf(rowSpan(figure, row, body, starts).from);
  let at = 0;
  let nearest: { readonly column: number; readonly distance: number } | undefined;
  for (const [index, { cell }] of stops.row(row).entries()) {
    // Values follow each other in the line; a text that was cut is not found.
    const found = cell === undefined || cell.text === "" ? -1 : text.indexOf(cell.text, at);
    if (found < 0) continue;
    at = found + cell!.text.length;
    const distance = column < found ? found - column : Math.max(0, column - at + 1);
    if (nearest === undefined || distance < nearest.distance) nearest = { column: index, distance };
  }
  return nearest && { row, column: nearest.column };
}
