import type { Figure, GridFigure } from "../../figure.ts";
import { drawGrid } from "./grid.ts";
import { lineWidth } from "./line.ts";
import { tableWidth } from "./table.ts";

/** More than any terminal has. */
const unlimited = 10_000;

/**
 * How many columns a figure takes where no column of it is left out, in a table also no interval if these are wanted; 0 for kinds that fit
 * themselves into what there is.
 */
export function wantedColumns(figure: Figure, ascii: boolean, intervals = false): number {
  if (figure.kind === "table") return tableWidth(figure, intervals);
  return figure.kind === "grid" ? gridWidth(figure, ascii) : 0;
}

/** A figure never changes, and is measured with every key. */
const known = new WeakMap<GridFigure, { readonly ascii: boolean; readonly columns: number }>();

function gridWidth(figure: GridFigure, ascii: boolean): number {
  const last = known.get(figure);
  if (last?.ascii === ascii) return last.columns;
  const { head, body } = drawGrid(figure, { width: unlimited, ascii });
  // One column stays free at the edge.
  const columns = 1 + Math.max(0, ...[...head, ...body].map(lineWidth));
  known.set(figure, { ascii, columns });
  return columns;
}
