/** How the columns of tables stand: what names a row at the left, its numbers at the right. */
import type { TableFigure } from "../figure.ts";

/** Columns that name a row, then columns of numbers. */
export function tableColumns(names: readonly string[], numbers: readonly string[]): TableFigure["columns"] {
  return [
    ...names.map((title) => ({ title, align: "left" as const })),
    ...numbers.map((title) => ({ title, align: "right" as const })),
  ];
}
