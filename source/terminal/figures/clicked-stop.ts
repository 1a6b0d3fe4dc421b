import { rowSpan } from "../../engine/figures/drawing/draw-figure.ts";
import type { At } from "../../engine/figures/drawing/drawing.ts";
import type { StopRows } from "../../engine/figures/drawing/stops.ts";
import type { Figure } from "../../engine/figure.ts";

/** A line of the body of a figure as drawn: its number among `body` lines, and its text. */
export type BodyLine = { readonly line: number; readonly body: number; readonly text: string };

/** The value drawn in this column of a line, or the nearest one to it; undefined for a line without values, and for plots. */
export function clickedStop(
  figure: Figure,
  stops: StopRows,
  { line, body, text }: BodyLine,
  column: number,
): At | undefined {
  if (figure.kind === "lines" || figure.kind === "points") return undefined;
  const isOf = (row: number) => {
    const { from, lines } = rowSpan(figure, row, body);
    return line >= from && line < from + lines;
  };
  let row = 0;
  while (row < stops.length && !isOf(row)) row += 1;
  let at = 0;
  let nearest: { readonly column: number; readonly distance: number } | undefined;
  for (const [index, { cell }] of stops.row(row).entries()) {
    // Each stands behind the one before it; a text that was cut stands nowhere.
    const found = cell === undefined || cell.text === "" ? -1 : text.indexOf(cell.text, at);
    if (found < 0) continue;
    at = found + cell!.text.length;
    const distance = column < found ? found - column : Math.max(0, column - at + 1);
    if (nearest === undefined || distance < nearest.distance) nearest = { column: index, distance };
  }
  return nearest && { row, column: nearest.column };
}
