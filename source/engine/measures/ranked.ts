/** Marks the best and second best cells of a column among lines about the same tasks. */
import { type Cell, copyOf } from "../figure.ts";
import type { Measure } from "../suite.ts";
import { isEffort } from "./effort.ts";
import { type NamedTask, taskKey, namedTasks } from "./measure-cell.ts";
import type { Row } from "../types.ts";

/** Only lines of the same `class` are compared; lines without a class are not compared. `cells` are in the order of `measures`. */
type RankedLine = { readonly class: string | undefined; readonly cells: readonly Cell[] };

/**
 * Marks the best and second best values of each column, including values displayed as equal. Marks no value if all values are
 * equal or only one exists, and never a cell with too few tasks.
 */
export function ranked(lines: readonly RankedLine[], measures: readonly Measure[]): readonly (readonly Cell[])[] {
  const best = new Map<string, readonly string[]>();
  const key = (line: RankedLine, column: number) => `${column} ${line.class}`;
  const classed = lines.filter((line) => line.class !== undefined);
  for (const of of Map.groupBy(classed, (line) => line.class).values())
    for (const [column, measure] of measures.entries()) {
      // Low effort is not a better result.
      if (isEffort(measure)) continue;
      const { better } = measure;
      const cells = of.flatMap((line) => line.cells[column] ?? []).filter(isComparable);
      const sorted = cells.toSorted((a, b) => (better === "higher" ? b.value! - a.value! : a.value! - b.value!));
      const texts = [...new Set(sorted.map(({ text }) => text))];
      if (texts.length > 1) best.set(key(of[0]!, column), texts.slice(0, 2));
    }
  return lines.map((line) =>
    line.cells.map((cell, column): Cell => {
      const place =
        line.class !== undefined && isComparable(cell) ? (best.get(key(line, column))?.indexOf(cell.text) ?? -1) : -1;
      return place === 0 ? copyOf(cell, { rank: 1 }) : place === 1 ? copyOf(cell, { rank: 2 }) : cell;
    }),
  );
}

const isComparable = ({ value, faint }: Cell): boolean => value !== undefined && faint !== true;

/** `group` names the tasks of a line, such as a level; lines from a paper have no `rows`. */
type Line = { readonly group: string; readonly rows?: readonly Row[] };

/**
 * Assigns the same class to lines of a group whose rows cover the same tasks, regardless of the number of trials. A paper's lines
 * get no class, because its own marks are partly lost and its tasks differ.
 */
export function taskClasses(lines: readonly Line[]): readonly (string | undefined)[] {
  const firsts: { readonly group: string; readonly rows: readonly Row[] }[] = [];
  const classes: (string | undefined)[] = [];
  for (const { group, rows } of lines) {
    if (rows === undefined) {
      classes.push(undefined);
      continue;
    }
    let found = firsts.findIndex((first) => first.group === group && areSameTasks(first.rows, rows));
    if (found < 0) found = firsts.push({ group, rows }) - 1;
    classes.push(String(found));
  }
  return classes;
}

/** Compares the tasks of two lists in order first, because single runs have the same order and lookups are then rarely needed. */
function areSameTasks(one: readonly Row[], other: readonly Row[]): boolean {
  if (one === other) return true;
  const [own, others] = [namedTasks(one), namedTasks(other)];
  const isAligned = ({ task, question }: NamedTask, at: number) =>
    others[at]!.task === task && others[at]!.question === question;
  if (own.length === others.length && own.every(isAligned)) return true;
  const [keys, otherKeys] = [new Set(own.map(taskKey)), new Set(others.map(taskKey))];
  return keys.size === otherKeys.size && keys.isSubsetOf(otherKeys);
}
