/** The columns at the left of a table that say what a row is about: together they tell its rows apart. */
import type { TableFigure } from "../../figure.ts";
import { factOf } from "../../work/fact.ts";
import { mostNames } from "./told-apart.ts";

/**
 * How many of the first columns it takes: those of words before the first number, as long as rows still look alike. One, where
 * words are all there is, where it takes more columns than are of words, and in tables of more rows than anyone compares.
 */
export const namingColumns = factOf(({ columns, rows }: TableFigure): number => {
  const words = columns.findIndex(({ align }) => align === "right");
  if (rows.length > mostNames) return 1;
  for (let count = 1; count <= words; count++) {
    const names = rows.map((row) => JSON.stringify(row.slice(0, count).map(({ text }) => text)));
    if (new Set(names).size === rows.length) return count;
  }
  return 1;
});
