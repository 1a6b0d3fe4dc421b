/** Which cells of a column are the best and the second best. */
import { type Cell, copyOf } from "../figure.ts";
import type { Measure } from "../suite.ts";
import { isEffort } from "./effort.ts";
import { shownValue } from "./measure-cell.ts";

/** `class`: only lines of the same class are compared. `cells` are in the order of `measures`. */
type RankedLine = { readonly class: string; readonly cells: readonly Cell[] };

/**
 * The cells of each line, the best and second best values of each column marked, several where they are shown alike. Nothing is
 * marked where all have the same value or only one has any, and never a cell that rests on little.
 */
export function ranked(lines: readonly RankedLine[], measures: readonly Measure[]): readonly (readonly Cell[])[] {
  const best = new Map<string, readonly string[]>();
  const key = (line: RankedLine, column: number) => `${column} ${line.class}`;
  const shown = ({ value }: Cell, column: number) => shownValue(value, measures[column]!.unit);
  for (const of of Map.groupBy(lines, (line) => line.class).values())
    for (const [column, measure] of measures.entries()) {
      // To take little is not to be good.
      if (isEffort(measure)) continue;
      const { better } = measure;
      const cells = of.flatMap((line) => line.cells[column] ?? []).filter(isComparable);
      const sorted = cells.toSorted((a, b) => (better === "higher" ? b.value! - a.value! : a.value! - b.value!));
      const texts = [...new Set(sorted.map((cell) => shown(cell, column)))];
      if (texts.length > 1) best.set(key(of[0]!, column), texts.slice(0, 2));
    }
  return lines.map((line) =>
    line.cells.map((cell, column): Cell => {
      const place = isComparable(cell) ? (best.get(key(line, column))?.indexOf(shown(cell, column)) ?? -1) : -1;
      return place === 0 ? copyOf(cell, { rank: 1 }) : place === 1 ? copyOf(cell, { rank: 2 }) : cell;
    }),
  );
}

function isComparable({ value, faint }: Cell): boolean {
  return value !== undefined && faint !== true;
}
