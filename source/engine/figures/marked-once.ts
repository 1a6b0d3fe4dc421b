import { type Cell, copyOf } from "../figure.ts";

/** The cells of a row; where all are reported, or empty, with the mark on the first alone, as in print. */
export function markedOnce(row: readonly Cell[]): readonly Cell[] {
  if (!row.every(({ reported, text }) => reported === true || text === "")) return row;
  return row.map((cell, index) => (index === 0 ? cell : copyOf(cell, { reported: false })));
}
