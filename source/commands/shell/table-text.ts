/** Sets rows of texts in columns. */
import { pad, width } from "../../engine/text/printable.ts";

/** Returns a line per row, two blanks between columns; all rows have as many cells as the first. */
export function tableText(rows: readonly (readonly string[])[], isNumber: (column: number) => boolean): string {
  const columns = rows[0]!.map((_, column) => rows.reduce((most, row) => Math.max(most, width(row[column]!)), 0));
  const lines = rows.map((row) =>
    row.map((text, column) => pad(text, columns[column]!, isNumber(column) ? "right" : "left")).join("  "),
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}
