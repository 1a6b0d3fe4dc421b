/** Intervals of unfinished runs: confidence sequences, which are valid at any look, if tasks are executed in the seeded order. */
import type { RunRows, UnfinishedRun } from "../analysis.ts";
import { type Cell, copyOf } from "../figure.ts";
import { BettingSequence, gridStep } from "../statistics/confidence-sequence.ts";
import type { Interval } from "../statistics/interval.ts";
import { seededOrder } from "../statistics/sequential-test.ts";
import type { Measure } from "../suite.ts";
import type { Row, Task } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { measureCell, measureInterval, taskKey } from "./measure-cell.ts";
import { rowContents } from "./row-contents.ts";

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
  if (interval === undefined) return measureInterval(measure, rows);
  const { low, high } = interval;
  return { low: Math.max(0, low - gridStep), high: Math.min(1, high + gridStep), anytime: true };
}

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

/** Tasks in the seeded order, by their number and seed. */
const seededTasks = factOf((tasks: readonly Task[]) => {
  const known = new Map<number, readonly string[]>();
  return (seed: number) => {
    const order =
      known.get(seed) ??
      seededOrder(
        tasks.map(({ id }) => id),
        String(seed),
      );
    known.set(seed, order);
    return order;
  };
});

/**
 * The maximum difference between a task's position and its position in the seeded order, because a worker may start the tasks of
 * one batch in any order.
 */
const mostAside = 8;

/** Returns true if this task is among the first tasks in this order, close to position `at`. */
function isAside(order: readonly string[], task: string, at: number, begun: number): boolean {
  return order.slice(Math.max(0, at - mostAside + 1), Math.min(begun, at + mostAside)).includes(task);
}

/**
 * Determines the order of an unfinished run from the order of its started tasks; undefined for a finished run. A single task does
 * not suffice.
 */
export function unfinishedRun(tasks: readonly Task[], rows: readonly Row[], seed: number): UnfinishedRun | undefined {
  const scored = rows.reduce((sum, { state }) => (state === "scored" ? sum + 1 : sum), 0);
  if (rows.length === 0 || scored >= tasks.length) return undefined;
  const order = seededTasks(tasks)(seed);
  const isSeeded =
    rows.length > 1 && rows.every(({ task }, at) => task === order[at] || isAside(order, task, at, rows.length));
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
    ? `the first ${count} of ${unfinished.of}, in the file's order`
    : `${count} of ${unfinished.of}, in the seeded order`;
}
