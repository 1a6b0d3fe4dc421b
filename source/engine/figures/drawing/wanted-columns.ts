import type { Figure } from "../../figure.ts";
import { drawGrid } from "./grid.ts";
import { lineWidth } from "./line.ts";
import { tableWidth } from "./table.ts";

/** More than any terminal has. */
const unlimited = 10_000;

/** How many columns a figure takes where nothing of it is left out; 0 for kinds that fit themselves into what there is. */
export function wantedColumns(figure: Figure, ascii: boolean): number {
  if (figure.kind === "table") return tableWidth(figure, ascii);
  if (figure.kind !== "grid") return 0;
  const { head, body } = drawGrid(figure, { width: unlimited, ascii });
  return Math.max(0, ...[...head, ...body].map(lineWidth));
}
