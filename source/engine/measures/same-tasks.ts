/** Which lines of a table are about the same tasks: only these are compared with each other. */
import type { Row } from "../types.ts";
import { eachInTurn, everyOne, type Pieces } from "../work/pieces.ts";
import { taskKey } from "./measure-cell.ts";

/** `group` is what a line is about, such as a level; `rows` are absent in lines of a paper, which name its tasks by `group` alone. */
type Line = { readonly group: string; readonly rows?: readonly Row[] };

/** A class for each line: the same one for lines of one group whose rows are of the same tasks, however many trials each has. */
export function* taskClasses(lines: readonly Line[]): Pieces<readonly string[]> {
  const firsts: { readonly group: string; readonly rows: readonly Row[] }[] = [];
  const classes: string[] = [];
  for (const { group, rows } of lines) {
    if (rows === undefined) {
      classes.push(`reported ${group}`);
      continue;
    }
    let found = -1;
    for (const [index, first] of firsts.entries())
      if (found < 0 && first.group === group && (yield* areSameTasks(first.rows, rows))) found = index;
    if (found < 0) found = firsts.push({ group, rows }) - 1;
    classes.push(String(found));
  }
  return classes;
}

/** Single runs have the same tasks in the same order, so that mostly nothing has to be looked for. */
function* areSameTasks(one: readonly Row[], other: readonly Row[]): Pieces<boolean> {
  const isAligned = ({ task, question }: Row, at: number) =>
    other[at]!.task === task && other[at]!.question === question;
  if (one.length === other.length && (yield* everyOne(one, isAligned))) return true;
  const [own, others] = [yield* keysOf(one), yield* keysOf(other)];
  return own.size === others.size && (yield* everyOne([...own], (key) => others.has(key)));
}

function* keysOf(rows: readonly Row[]): Pieces<ReadonlySet<string>> {
  const keys = new Set<string>();
  yield* eachInTurn(rows, (row) => void keys.add(taskKey(row)));
  return keys;
}
