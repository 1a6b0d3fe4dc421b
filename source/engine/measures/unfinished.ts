/** Intervals of unfinished runs: confidence sequences, which are valid at any look, if tasks are executed in the seeded order. */
import type { RunRows, UnfinishedRun } from "../analysis.ts";
import { type Cell, copyOf } from "../figure.ts";
import { BettingSequence, gridStep } from "../statistics/confidence-sequence.ts";
import type { Interval } from "../statistics/interval.ts";
import { seededOrder } from "../statistics/sequential-test.ts";
import type { Measure } from "../suite.ts";
import type { Row, Task } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { type Fold, foldOver, listOf } from "../work/growing-list.ts";
import { measureCell, measureInterval, taskKey } from "./measure-cell.ts";
import { rowContents, scoredCount } from "./row-contents.ts";

type Run = Pick<RunRows, "rows" | "unfinished">;

/** An interval of a measure; `anytime` if it is a confidence sequence. */
export type LookedInterval = Interval & { readonly anytime?: true };

/**
 * Returns the 95 % interval of a measure over these rows: a confidence sequence if the measure is a mean in [0, 1], one of the
 * runs is unfinished, and all unfinished runs follow the seeded order.
 */
export function intervalAtAnyLook(
  measure: Measure,
  rows: readonly Row[],
  runs: readonly Run[],
): LookedInterval | undefined {
  const open = runs.filter(({ unfinished }) => unfinished !== undefined);
  const isSeeded = open.length > 0 && open.every(({ unfinished }) => unfinished!.order === "seeded");
  const { each, unit } = measure;
  if (!isSeeded || each === undefined || unit !== "percent") return measureInterval(measure, rows);
  const isList = runs.length === 1 && listOf(runs[0]!.rows) !== undefined;
  const begun = isList ? listOf(rows) : undefined;
  if (begun !== undefined) {
    const { interval, isOutside } = begun.fold(sequenceFold(each));
    return interval === undefined || isOutside ? measureInterval(measure, rows) : atAnyLook(interval);
  }
  const wanted = new Set(rows);
  const sequence = new BettingSequence();
  let interval: Interval | undefined;
  for (const trials of tasksInOrder(runs)) {
    const values = trials.filter((row) => wanted.has(row)).flatMap((row) => each(row) ?? []);
    if (values.length === 0) continue;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    // A measure that may be outside of [0, 1] has no such sequence.
    if (!(mean >= 0 && mean <= 1)) return measureInterval(measure, rows);
    interval = sequence.take(mean);
  }
  return interval === undefined ? measureInterval(measure, rows) : atAnyLook(interval);
}

const atAnyLook = ({ low, high }: Interval): LookedInterval => ({
  low: Math.max(0, low - gridStep),
  high: Math.min(1, high + gridStep),
  anytime: true,
});

type Sequence = { readonly sequence: BettingSequence; interval: Interval | undefined; isOutside: boolean };

/**
 * The sequence over rows of one run, each of another task. A list has only rows before the first task that has not ended, which
 * is what the sequence needs.
 */
const sequenceFold = factOf((each: (row: Row) => number | undefined): Fold<Row, Sequence> => ({
  start: () => ({ sequence: new BettingSequence(), interval: undefined, isOutside: false }),
  take(state, row) {
    const value = each(row);
    if (value === undefined || state.isOutside) return state;
    // A measure that may be outside of [0, 1] has no such sequence.
    if (value >= 0 && value <= 1) state.interval = state.sequence.take(value);
    else state.isOutside = true;
    return state;
  },
}));

/** Returns the cell of a measure with that interval. */
export function lookedCell(measure: Measure, rows: readonly Row[], runs: readonly Run[]): Cell {
  return copyOf(measureCell(measure, rows), { ...intervalAtAnyLook(measure, rows, runs) });
}

/**
 * Returns the rows of the tasks that all runs have ended, in the order in which the tasks started, up to the first task that some
 * run has not ended, so that fast tasks do not come first.
 */
function tasksInOrder(runs: readonly Run[]): readonly (readonly Row[])[] {
  const all = runs.flatMap(({ rows }) => rows);
  const trials = new Set(runs.flatMap(({ rows }) => [...rowContents(rows).runs])).size;
  const found: (readonly Row[])[] = [];
  for (const rows of Map.groupBy(all, taskKey).values()) {
    if (rows.length < trials || rows.some(({ state }) => state === "running")) break;
    found.push(rows);
  }
  return found;
}

/** `begunFold`: whether the started tasks follow the order, if enough tasks have started after each of them. */
type SeededTasks = { readonly order: readonly string[]; readonly begunFold: Fold<Row, boolean> };

function inSeededOrder(tasks: readonly Task[], seed: number): SeededTasks {
  const ids = tasks.map(({ id }) => id);
  const order = seededOrder(ids, String(seed));
  const take = (isSeeded: boolean, { task }: Row, at: number) => isSeeded && isAside(order, task, at, Infinity);
  return { order, begunFold: { start: () => true, take } };
}

/** Tasks in the seeded order, by their number and seed. */
const seededTasks = factOf((tasks: readonly Task[]) => {
  const known = new Map<number, SeededTasks>();
  return (seed: number) => {
    const found = known.get(seed) ?? inSeededOrder(tasks, seed);
    known.set(seed, found);
    return found;
  };
});

/**
 * The maximum difference between a task's position and its position in the seeded order, because a worker may start the tasks of
 * one batch in any order.
 */
const mostAside = 8;

/** Returns true if this task is at position `at` of this order, or among its first tasks and close to that position. */
function isAside(order: readonly string[], task: string, at: number, begun: number): boolean {
  return (
    order[at] === task || order.slice(Math.max(0, at - mostAside + 1), Math.min(begun, at + mostAside)).includes(task)
  );
}

/**
 * Determines the order of an unfinished run from the order of its started tasks; undefined for a finished run. A single task does
 * not suffice.
 */
export function unfinishedRun(tasks: readonly Task[], rows: readonly Row[], seed: number): UnfinishedRun | undefined {
  if (rows.length === 0 || scoredCount(rows) >= tasks.length) return undefined;
  const { order, begunFold } = seededTasks(tasks)(seed);
  const last = Math.max(0, rows.length - mostAside);
  const isSeeded =
    rows.length > 1 &&
    foldOver(begunFold, rows) &&
    rows.slice(last).every(({ task }, at) => isAside(order, task, last + at, rows.length));
  return { of: tasks.length, order: isSeeded ? "seeded" : "file" };
}

/** Returns a note on which tasks of an unfinished run have results; undefined for a finished one. */
export function unfinishedNote({ rows, unfinished }: Run): string | undefined {
  if (unfinished === undefined) return undefined;
  const { ended, endedRuns } = rowContents(rows);
  // A run has each task once.
  const count = endedRuns.size === 1 ? ended.length : new Set(ended.map(taskKey)).size;
  // Tasks that failed are named elsewhere.
  if (count >= unfinished.of) return undefined;
  return unfinished.order === "file"
    ? `the first ${count} of ${unfinished.of} tasks, in the file's order`
    : `${count} of ${unfinished.of} tasks, in the seeded order`;
}
