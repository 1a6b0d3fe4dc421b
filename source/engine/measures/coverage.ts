/** Coverage of a number: how many of its tasks have a score. */
import { type Cell, type GridFigure, restsOnFew } from "../figure.ts";
import { wasStopped } from "../problem.ts";
import type { Row } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { addedCounts, type Fold, foldOver } from "../work/growing-list.ts";

export type Coverage = NonNullable<Cell["rests"]>;

/** Counts rows as `coverageFold` does; those of known rows are continued if `has` is the same function. */
export const coverageOf = (rows: readonly Row[], has: (row: Row) => boolean): Coverage =>
  foldOver(coverageFolds(has), rows);

const coverageFolds = factOf((has: (row: Row) => boolean) => coverageFold(has));

/**
 * Counts the ended rows that have the value (`has`) and those that should have it: rows to which the measure `applies` or, if
 * that is unknown, rows without any score. Stopped tasks have not ended.
 */
export const coverageFold = (
  has: (row: Row) => boolean,
  applies: (row: Row) => boolean = ({ score }) => score?.value === undefined,
): Fold<Row, Counted> => ({
  start: () => ({ scored: 0, unscored: 0, failed: 0 }),
  take(counted, row) {
    if (row.state === "running" || (row.score === undefined && wasStopped(row.failure))) return counted;
    if (has(row)) counted.scored += 1;
    else if (applies(row)) counted[row.score === undefined ? "failed" : "unscored"] += 1;
    return counted;
  },
  join: addedCounts,
});

type Counted = { -readonly [Name in keyof Coverage]: Coverage[Name] };

/** Returns the cell with its coverage, marked as muted if less than 90 % of the tasks have a score. */
export function restingOn(cell: Cell, rests: Coverage): Cell {
  if (rests.unscored + rests.failed === 0) return cell;
  const known = { ...cell, rests };
  return restsOnFew(known) ? { ...known, faint: true } : known;
}

/** Explains `~` in a map that marks fields with few tasks; fields in which few tasks have scores have another note. */
export function faintNote(cells: GridFigure["cells"], few: number, what = "tasks"): readonly string[] {
  const isMarked = cells.flat().some((cell) => cell?.faint === true && !restsOnFew(cell));
  return isMarked ? [`~ marks values of fewer than ${few} ${what}`] : [];
}
