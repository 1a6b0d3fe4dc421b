import type { Figure, GridFigure } from "../../figure.ts";
import { factOf } from "../../work/fact.ts";
import { drawGrid } from "./grid.ts";
import { lineWidth } from "./line.ts";
import { tableWidth } from "./table.ts";
import type { IntervalPlace } from "./table-outline.ts";

/** More than any terminal has. */
const unlimited = 10_000;

/** Returns the width of a figure on a screen with all its columns and its intervals at this place; 0 for kinds that adapt to any width. */
export function wantedColumns(figure: Figure, ascii: boolean, place: IntervalPlace = "none"): number {
  if (figure.kind === "table") return tableWidth(figure, place, { screen: "colour" });
  if (figure.kind !== "grid") return 0;
  return ascii ? asciiWidth(figure) : unicodeWidth(figure);
}

const asciiWidth = factOf((figure: GridFigure) => widthOf(figure, true));
const unicodeWidth = factOf((figure: GridFigure) => widthOf(figure, false));

function widthOf(figure: GridFigure, ascii: boolean): number {
  const { head, body } = drawGrid(figure, { width: unlimited, ascii, screen: "colour" });
  // One column stays free at the edge.
  return 1 + Math.max(0, ...[...head, ...body].map(lineWidth));
}
