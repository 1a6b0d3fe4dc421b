/** The best and the second best cells of a column, among lines that are about the same tasks. */
import { type Cell, copyOf } from "../figure.ts";
import type { Measure } from "../suite.ts";
import { isEffort } from "./effort.ts";
import { shownValue, taskKey } from "./measure-cell.ts";
import type { Row } from "../types.ts";

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

/** `group` is what a line is about, such as a level; `rows` are absent in lines of a paper, which name its tasks by `group` alone. */
type Line = { readonly group: string; readonly rows?: readonly Row[] };

/** A class for each line: the same one for lines of one group whose rows are of the same tasks, however many trials each has. */
export function taskClasses(lines: readonly Line[]): readonly string[] {
  const firsts: { readonly group: string; readonly rows: readonly Row[] }[] = [];
  const classes: string[] = [];
  for (const { group, rows } of lines) {
    if (rows === undefined) {
      classes.push(`reported ${group}`);
      continue;
    }
    let found = -1;
    for (const [index, first] of firsts.entries())
      if (found < 0 && first.group === group && areSameTasks(first.rows, rows)) found = index;
    if (found < 0) found = firsts.push({ group, rows }) - 1;
    classes.push(String(found));
  }
  return classes;
}

/** Single runs have the same tasks in the same order, so that mostly nothing has to be looked for. */
function areSameTasks(one: readonly Row[], other: readonly Row[]): boolean {
  const isAligned = ({ task, question }: Row, at: number) =>
    other[at]!.task === task && other[at]!.question === question;
  if (one.length === other.length && one.every(isAligned)) return true;
  const [own, others] = [keysOf(one), keysOf(other)];
  return own.size === others.size && [...own].every((key) => others.has(key));
}

function keysOf(rows: readonly Row[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const row of rows) keys.add(taskKey(row));
  return keys;
}
