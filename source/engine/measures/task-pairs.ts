/** Tasks that two runs have in common, each with its rows in both: one row a trial. */
import type { RunRows } from "../analysis.ts";
import { comparePaired, type Comparison } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { atOnce, everyOne, inSlices, type Pieces } from "../work/pieces.ts";
import { meanOf } from "./measure.ts";

export type TaskPair = { readonly task: string; readonly before: readonly Row[]; readonly after: readonly Row[] };

/** Rows do not change: tables of the same two runs pair them once. */
const paired = new WeakMap<readonly Row[], WeakMap<readonly Row[], readonly TaskPair[]>>();

/** Tasks that have a row in both runs, in the order of the first. */
export function pairedTasks(before: Pick<RunRows, "rows">, after: Pick<RunRows, "rows">): readonly TaskPair[] {
  return atOnce(pairedTasksInPieces(before, after));
}

/** The same for any number of tasks. */
export function* pairedTasksInPieces(
  before: Pick<RunRows, "rows">,
  after: Pick<RunRows, "rows">,
): Pieces<readonly TaskPair[]> {
  const known = paired.get(before.rows)?.get(after.rows);
  if (known !== undefined) return known;
  const pairs = (yield* alignedPairs(before.rows, after.rows)) ?? (yield* foundPairs(before.rows, after.rows));
  if (!paired.has(before.rows)) paired.set(before.rows, new WeakMap());
  paired.get(before.rows)!.set(after.rows, pairs);
  return pairs;
}

/**
 * Pairs of rows at the same place: single runs begin the same tasks in the same order, so that nothing has to be looked for.
 * Undefined where another task comes, or trials are taken together.
 */
function* alignedPairs(own: readonly Row[], others: readonly Row[]): Pieces<readonly TaskPair[] | undefined> {
  const isAligned = ({ task }: Row, at: number) => at >= others.length || others[at]!.task === task;
  if (!(yield* isOneRun(own)) || !(yield* isOneRun(others)) || !(yield* everyOne(own, isAligned))) return undefined;
  return yield* inSlices(own.slice(0, others.length), (slice, from) =>
    slice.map((row, at) => ({ task: row.task, before: [row], after: [others[from + at]!] })),
  );
}

function* isOneRun(rows: readonly Row[]): Pieces<boolean> {
  return yield* everyOne(rows, ({ run }) => run === rows[0]!.run);
}

/** Pairs of rows wherever they are, all trials of a task in one. */
function* foundPairs(own: readonly Row[], others: readonly Row[]): Pieces<readonly TaskPair[]> {
  const byTask = yield* rowsByTask(others);
  return yield* inSlices([...(yield* rowsByTask(own))], (slice) =>
    slice.flatMap(([task, before]): TaskPair[] => {
      const after = byTask.get(task);
      return after === undefined ? [] : [{ task, before, after }];
    }),
  );
}

function* rowsByTask(rows: readonly Row[]): Pieces<ReadonlyMap<string, readonly Row[]>> {
  const byTask = new Map<string, Row[]>();
  yield* inSlices(rows, (slice) => {
    for (const row of slice) {
      const others = byTask.get(row.task);
      if (others === undefined) byTask.set(row.task, [row]);
      else others.push(row);
    }
    return [];
  });
  return byTask;
}

/** Tasks with a score in both, and where the measure is one of each task, a value of it in both; trials without are left out. */
export function scoredPairs(pairs: readonly TaskPair[], measure: Pick<Measure, "each">): readonly TaskPair[] {
  const kept: TaskPair[] = [];
  for (const pair of pairs) {
    const scored = scoredPair(pair, measure);
    if (scored !== undefined) kept.push(scored);
  }
  return kept;
}

/** The pair with the trials that have a score; undefined where either side has none. */
export function scoredPair(pair: TaskPair, { each }: Pick<Measure, "each">): TaskPair | undefined {
  const isScored = (row: Row) => row.score !== undefined && (each === undefined || each(row) !== undefined);
  // Hundreds of thousands of pairs may be whole: they are not made anew.
  if (pair.before.every(isScored) && pair.after.every(isScored)) return pair;
  const [before, after] = [pair.before.filter(isScored), pair.after.filter(isScored)];
  return before.length === 0 || after.length === 0 ? undefined : { task: pair.task, before, after };
}

/**
 * The test of a measure over these pairs, trials of one task averaged: what is compared are tasks. Undefined for a measure
 * that has no value for each task, and where none has one in both.
 */
export function comparedTasks(pairs: readonly TaskPair[], measure: Measure): Comparison | undefined {
  const { each } = measure;
  if (each === undefined) return undefined;
  const values = scoredPairs(pairs, measure).map(
    ({ before, after }) => [meanOf(before, each).value!, meanOf(after, each).value!] as const,
  );
  return values.length === 0 ? undefined : comparePaired(values, measure.name);
}

/** How p and interval were worked out, said under a figure. Groups may differ: zeros and ones are tested in another way. */
export function testNotes(compared: readonly (Comparison | undefined)[]): readonly string[] {
  const made = compared.filter((each) => each !== undefined);
  const tests = new Set(made.map(({ test }) => test));
  const of = (values: string) => (tests.size > 1 ? ` of ${values}` : "");
  const notes: string[] = [];
  if (tests.has("McNemar exact"))
    notes.push(
      `p${of("zeros and ones")}: McNemar exact, two-sided; interval: hull of Tango's score interval and the exact conditional one`,
    );
  if (tests.has("paired permutation"))
    notes.push(
      `p${of("other values")}: paired permutation, two-sided; interval: the differences that test does not reject`,
    );
  if (made.some(({ interval }) => interval === undefined))
    notes.push(
      "No interval where fewer than six tasks are compared or all differ by the same: the permutation test bounds nothing there",
    );
  return notes;
}
