/** Intervals of unfinished runs: confidence sequences, which are valid at any look, if tasks are executed in the seeded order. */
import type { RunRows, UnfinishedRun } from "../analysis.ts";
import { type Cell, copyOf } from "../figure.ts";
import { BettingSequence, gridStep } from "../statistics/confidence-sequence.ts";
import type { Interval } from "../statistics/interval.ts";
import { seededOrder } from "../statistics/sequential-test.ts";
import type { Measure } from "../suite.ts";
import type { Row, Task } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { type Fold, foldOver, GrowingList, joinedParts, flatMapped, listParts } from "../work/growing-list.ts";
import { measureCell, measureInterval, taskKey, namedTasks } from "./measure-cell.ts";
import { rowValues } from "./measure.ts";
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
  const isOfOne = runs.length === 1 && rowContents(runs[0]!.rows).runs.size === 1;
  const begun = isOfOne ? begunRows(runs[0]!.rows, rows) : undefined;
  const found = begun === undefined ? soughtSequence(each, rows, runs) : listedSequence(each, begun);
  // A measure that may be outside of [0, 1] has no such sequence.
  return found.interval === undefined || found.isOutside ? measureInterval(measure, rows) : atAnyLook(found.interval);
}

/**
 * Returns those of these rows of one run that are in its lists before the first task that has not ended, which is what the sequence
 * needs; undefined if the run has no lists.
 */
function begunRows(all: readonly Row[], rows: readonly Row[]): readonly GrowingList<Row>[] | undefined {
  const parts = listParts(all);
  const at = parts.findIndex((part) => !(part instanceof GrowingList) && part.length > 0);
  const begun = new Set(
    parts.slice(0, at < 0 ? parts.length : at).flatMap((part) => ("root" in part ? part.root : [])),
  );
  const own = listParts(rows);
  if (begun.size === 0 || own[0] === rows) return undefined;
  return own.filter((part) => part instanceof GrowingList && begun.has(part.root)) as readonly GrowingList<Row>[];
}

const atAnyLook = ({ low, high }: Interval): LookedInterval => ({
  low: Math.max(0, low - gridStep),
  high: Math.min(1, high + gridStep),
  anytime: true,
});

type Sequence = {
  readonly sequence: BettingSequence;
  taken: number;
  interval: Interval | undefined;
  isOutside: boolean;
};

const noSequence = (): Sequence => ({
  sequence: new BettingSequence(),
  taken: 0,
  interval: undefined,
  isOutside: false,
});

/** Continues a sequence with those of these values that it has not taken. */
function continued(found: Sequence, values: readonly number[]): Sequence {
  for (; found.taken < values.length && !found.isOutside; found.taken++) {
    const value = values[found.taken]!;
    if (value >= 0 && value <= 1) found.interval = found.sequence.take(value);
    else found.isOutside = true;
  }
  return found;
}

/** The sequence over rows of one run, each of another task: it stays with the first list, and the others follow it. */
function listedSequence(each: (row: Row) => number | undefined, lists: readonly GrowingList<Row>[]): Sequence {
  const values = rowValues(each, joinedParts(lists));
  return lists.length === 0 ? noSequence() : continued(lists[0]!.fold(sequenceOf(each)) as Sequence, values);
}

/** `listedSequence` takes the values, which include those of other lists. */
const sequenceOf = factOf<(row: Row) => number | undefined, Parameters<GrowingList<Row>["fold"]>[0]>(() => ({
  start: noSequence,
  take: (found) => found,
}));

/** The sequence over the tasks that all runs have ended. */
function soughtSequence(each: (row: Row) => number | undefined, rows: readonly Row[], runs: readonly Run[]): Sequence {
  const valued = new Map(flatMapped(valuedRow(each), rows));
  const means = tasksInOrder(runs).flatMap((trials) => {
    const values = trials.flatMap((row) => valued.get(row) ?? []);
    return values.length === 0 ? [] : values.reduce((sum, value) => sum + value, 0) / values.length;
  });
  return continued(noSequence(), means);
}

const valuedRow = factOf(
  (each: (row: Row) => number | undefined) =>
    (row: Row): readonly (readonly [Row, number])[] => {
      const value = each(row);
      return value === undefined ? [] : [[row, value]];
    },
);

/** Returns the cell of a measure with that interval. */
export function lookedCell(measure: Measure, rows: readonly Row[], runs: readonly Run[]): Cell {
  return copyOf(measureCell(measure, rows), { ...intervalAtAnyLook(measure, rows, runs) });
}

/**
 * Returns the rows of the tasks that all runs have ended, in the order in which the tasks started, up to the first task that some
 * run has not ended, so that fast tasks do not come first.
 */
function tasksInOrder(runs: readonly Run[]): readonly (readonly Row[])[] {
  const all = flatMapped(trialOf, joinedParts(runs.map(({ rows }) => rows)));
  const trials = new Set(runs.flatMap(({ rows }) => [...rowContents(rows).runs])).size;
  const found: (readonly Row[])[] = [];
  for (const rows of Map.groupBy(all, taskKey).values()) {
    if (rows.length < trials || rows.some(({ isOpen }) => isOpen)) break;
    found.push(rows.map(({ row }) => row));
  }
  return found;
}

const trialOf = (row: Row) => ({ row, task: row.task, question: row.question, isOpen: row.state === "running" });

/** How far the started tasks are from their positions in the seeded order, at least and at most, and their number. */
type Aside = { readonly least: number; readonly most: number; readonly count: number };

type SeededTasks = { readonly order: readonly string[]; readonly begunFold: Fold<Row, Aside> };

function inSeededOrder(tasks: readonly Task[], seed: number): SeededTasks {
  const ids = tasks.map(({ id }) => id);
  const order = seededOrder(ids, String(seed));
  const places = new Map(order.map((id, at) => [id, at]));
  const start = () => ({ least: Infinity, most: -Infinity, count: 0 });
  const take = ({ least, most, count }: Aside, { task }: Row) => {
    const aside = (places.get(task) ?? Infinity) - count;
    return { least: Math.min(least, aside), most: Math.max(most, aside), count: count + 1 };
  };
  const join = (all: readonly Aside[]) =>
    all.reduce((before, { least, most, count }) => ({
      least: Math.min(before.least, least - before.count),
      most: Math.max(before.most, most - before.count),
      count: before.count + count,
    }));
  return { order, begunFold: { start, take, join } };
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
  const { least, most } = foldOver(begunFold, rows);
  const last = Math.max(0, rows.length - mostAside);
  const isSeeded =
    rows.length > 1 &&
    least > -mostAside &&
    most < mostAside &&
    rows.slice(last).every(({ task }, at) => isAside(order, task, last + at, rows.length));
  return { of: tasks.length, order: isSeeded ? "seeded" : "file" };
}

/** Returns a note on which tasks of an unfinished run have results; undefined for a finished one. */
export function unfinishedNote({ rows, unfinished }: Run): string | undefined {
  if (unfinished === undefined) return undefined;
  const { ended, endedRuns } = rowContents(rows);
  // A run has each task once.
  const count = endedRuns.size === 1 ? ended.length : new Set(namedTasks(ended).map(taskKey)).size;
  // Tasks that failed are named elsewhere.
  if (count >= unfinished.of) return undefined;
  return unfinished.order === "file"
    ? `the first ${count} of ${unfinished.of} tasks, in the file's order`
    : `${count} of ${unfinished.of} tasks, in the seeded order`;
}
