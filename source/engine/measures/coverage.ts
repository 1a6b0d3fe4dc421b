/** What a number rests on: how many of the tasks it is about have a score. */
import { type Cell, type GridFigure, shortfallOf } from "../figure.ts";
import { wasStopped } from "../problem.ts";
import type { Row } from "../types.ts";

export type Coverage = NonNullable<Cell["rests"]>;

/**
 * Of the rows that came to an end, those that `has` what is counted, and those that should: it `applies` to them, or, where
 * that is not known, they have no score at all. Tasks that were stopped are yet to be ended.
 */
export function coverageOf(
  rows: readonly Row[],
  has: (row: Row) => boolean,
  applies: (row: Row) => boolean = ({ score }) => score?.value === undefined,
): Coverage {
  const counted = { scored: 0, unscored: 0, failed: 0 };
  for (const row of rows) {
    if (row.state === "running" || (row.score === undefined && wasStopped(row.failure))) continue;
    if (has(row)) counted.scored += 1;
    else if (applies(row)) counted[row.score === undefined ? "failed" : "unscored"] += 1;
  }
  return counted;
}

/** The cell, which knows what it rests on; faint where that is too little. */
export function restingOn(cell: Cell, rests: Coverage): Cell {
  if (rests.unscored + rests.failed === 0) return cell;
  const known = { ...cell, rests };
  return shortfallOf(known) === undefined ? known : { ...known, faint: true };
}

/** What `~` marks in a map, where it marks a field for its few tasks; one that lacks scores says so itself: `(1 of 10)`. */
export function faintNote(cells: GridFigure["cells"], few: number, what = "tasks"): readonly string[] {
  const isMarked = cells.flat().some((cell) => cell?.faint === true && shortfallOf(cell) === undefined);
  return isMarked ? [`~ marks values of fewer than ${few} ${what}`] : [];
}
