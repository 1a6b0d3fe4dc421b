/** How many tasks the values of a table rest on, where no column or row of it says so. */
import type { TableFigure } from "../figure.ts";

/** Titles of what says of how many a row is. */
export const countTitles: ReadonlySet<string> = new Set(["n", "tasks", "n / split"]);

/** `n: 8 to 48 for each value`, of the values that are not a paper's; undefined where the table says it, or none is known. */
export function countNote({ columns, rows }: TableFigure): string | undefined {
  if (columns.some(({ title }) => countTitles.has(title))) return undefined;
  let [least, most] = [Infinity, 0];
  for (const row of rows) {
    if (row.some(({ text, value }) => text === "n" && value === undefined)) return undefined;
    for (const { value, n, reported } of row) {
      if (value === undefined || n === undefined || reported === true) continue;
      [least, most] = [Math.min(least, n), Math.max(most, n)];
    }
  }
  if (least > most) return undefined;
  return `n: ${least === most ? least : `${least} to ${most}`} for each value`;
}
