/** Tasks that two runs share, with the rows of both: one row per trial. */
import type { RunRows } from "../analysis.ts";
import { comparePaired, type Comparison } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { meanOf, type TaskMeasure } from "./measure.ts";

/** The row of a task in a run, or the rows of its trials. */
export type TaskRows = Row | readonly Row[];

type Columns = { readonly before: readonly TaskRows[]; readonly after: readonly TaskRows[] };

export type PairSide = keyof Columns;

/** Pairs of rows, stored as columns in task order, because there may be hundreds of thousands of pairs. */
export type TaskPairs = Columns & {
  /** True if no task has trials: both columns contain rows. */
  readonly areRows?: true;
  /** Values of the most recently used measure, because a comparison usually needs them several times. */
  valued?: { readonly each: Measure["each"]; readonly values: TaskValues };
};

export const rowsOf = (rows: TaskRows): readonly Row[] => ("task" in rows ? [rows] : rows);
export const firstOf = (rows: TaskRows): Row => ("task" in rows ? rows : rows[0]!);
export const isOfTrials = (rows: TaskRows): boolean => !("task" in rows) && rows.length > 1;

/** Averages the trials of a task; undefined if none has a value. */
export const taskValue = (rows: TaskRows, each: TaskMeasure["each"]): number | undefined =>
  "task" in rows ? each(rows) : meanOf(rows, each).value;

/** Rows do not change, so pairs are cached by the rows of both runs. */
const paired = new WeakMap<
  readonly Row[],
  Map<string | undefined, { readonly rows: readonly Row[]; readonly pairs: TaskPairs }>
>();

/** Returns the tasks with a row in both runs, in the order of the first. */
export function pairedTasks(before: Pick<RunRows, "rows">, after: Pick<RunRows, "rows">): TaskPairs {
  const { rows } = after;
  const known = paired.get(before.rows) ?? new Map();
  const last = known.get(rows[0]?.run);
  if (last?.rows === rows) return last.pairs;
  const pairs: TaskPairs = alignedPairs(before.rows, rows) ?? foundPairs(before.rows, rows);
  paired.set(before.rows, known.set(rows[0]?.run, { rows, pairs }));
  return pairs;
}

/**
 * Pairs rows at the same index without lookups, because single runs start the same tasks in the same order. Undefined if the
 * tasks differ or trials are pooled.
 */
function alignedPairs(own: readonly Row[], others: readonly Row[]): TaskPairs | undefined {
  const length = Math.min(own.length, others.length);
  const [[first], [second]] = [own, others];
  const isAligned = ({ task, run }: Row, at: number) =>
    run === first!.run && (at >= length || (others[at]!.task === task && others[at]!.run === second!.run));
  if (!own.every(isAligned)) return undefined;
  if (!others.slice(length).every(({ run }) => run === second!.run)) return undefined;
  const paired = (rows: readonly Row[]) => (rows.length === length ? rows : rows.slice(0, length));
  return { before: paired(own), after: paired(others), areRows: true };
}

/** Pairs rows by lookup and joins all trials of a task. */
function foundPairs(own: readonly Row[], others: readonly Row[]): Columns {
  const known = rowsByTask(others);
  const found = [...rowsByTask(own)].filter(([task]) => known.has(task));
  return {
    before: found.map(([, rows]) => rows),
    after: found.map(([task]) => known.get(task)!),
  };
}

const rowsByTask = (rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> => Map.groupBy(rows, ({ task }) => task);

/**
 * Value of each task in both runs, averaged over trials; undefined for a task without a value. Stored as columns in the order of
 * the pairs.
 */
export type TaskValues = {
  readonly before: readonly (number | undefined)[];
  readonly after: readonly (number | undefined)[];
};

export function taskValues(pairs: TaskPairs, each: TaskMeasure["each"]): TaskValues {
  if (pairs.valued?.each === each) return pairs.valued.values;
  const ofScored = (row: Row) => row.score && each(row);
  const valueOf = pairs.areRows === true ? ofScored : (rows: TaskRows) => taskValue(rows, ofScored);
  const valuesOf = (column: readonly TaskRows[]) => column.map((rows) => valueOf(rows as Row));
  const values = { before: valuesOf(pairs.before), after: valuesOf(pairs.after) };
  pairs.valued = { each, values };
  return values;
}

/** Returns the rows with a score and, if the measure has per-task values, with a value; undefined if there are no such rows. */
export function scoredRows(rows: TaskRows, { each }: Pick<Measure, "each">): TaskRows | undefined {
  if ("task" in rows) return isScored(rows, each) ? rows : undefined;
  const scored = rows.filter((row) => isScored(row, each));
  return scored.length === 0 ? undefined : scored;
}

const isScored = (row: Row, each: Measure["each"]): boolean =>
  row.score !== undefined && (each === undefined || each(row) !== undefined);

/** Returns the tasks with a score in both runs, without their unscored trials. */
export function scoredPairs({ before, after }: TaskPairs, measure: Pick<Measure, "each">): TaskPairs {
  const kept: { readonly before: TaskRows[]; readonly after: TaskRows[] } = { before: [], after: [] };
  for (const [at, rows] of before.entries()) {
    const [one, other] = [scoredRows(rows, measure), scoredRows(after[at]!, measure)];
    if (one === undefined || other === undefined) continue;
    kept.before.push(one);
    kept.after.push(other);
  }
  return kept;
}

/**
 * Tests a measure over these pairs, averaging trials because tasks are compared. Undefined if the measure has no per-task value
 * or no task has a value in both runs.
 */
export function comparedTasks(pairs: TaskPairs, measure: Measure): Comparison | undefined {
  const { each } = measure;
  if (each === undefined) return undefined;
  const scored = scoredPairs(pairs, measure);
  if (scored.before.length === 0) return undefined;
  const values = (column: readonly TaskRows[]) => column.map((rows) => taskValue(rows, each)!);
  return comparePaired(values(scored.before), values(scored.after), measure.name);
}

/** Explains how the p value and the interval were computed. Groups may differ, because zeros and ones have a different test. */
export function testNotes(compared: readonly (Comparison | undefined)[]): readonly string[] {
  const made = compared.filter((each) => each !== undefined);
  const tests = new Set(made.map(({ test }) => test));
  const of = (values: string) => (tests.size > 1 ? ` for ${values}` : "");
  const notes: string[] = [];
  if (tests.has("McNemar exact"))
    notes.push(
      `p${of("zeros and ones")} is McNemar exact, two-sided; the interval is the hull of Tango's score interval and the exact conditional interval`,
    );
  if (tests.has("paired permutation"))
    notes.push(
      `p${of("other values")} is from a paired permutation test, two-sided; the interval contains the differences that this test does not reject`,
    );
  if (made.some(({ interval }) => interval === undefined))
    notes.push(
      "No interval if fewer than six tasks are compared or all differ by the same amount, because the permutation test cannot bound it",
    );
  return notes;
}
