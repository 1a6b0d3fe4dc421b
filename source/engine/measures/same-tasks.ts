/** Which lines of a table are about the same tasks: only these are compared with each other. */
import type { Row } from "../types.ts";
import { taskKey } from "./measure-cell.ts";

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
