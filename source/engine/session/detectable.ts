/** The detectable difference between a planned run and a saved run, which a paired test detects with 80 % power. */
import type { Measure } from "../benchmark.ts";
import { hasTaskValues, type TaskMeasure } from "../measures/measure.ts";
import { detectableMean, detectableShare } from "../statistics/detectable-difference.ts";
import type { Row, RunSpec } from "../types.ts";
import { eventLoopYielder } from "../work/event-loop.ts";

/** A saved run to compare planned ones with. */
export type SavedRun = {
  readonly run: string;
  readonly label: string;
  readonly spec: RunSpec;
  rows(): Promise<readonly Row[]>;
};

export type Detectable = {
  /** Label of the saved run. */
  readonly against: string;
  /** Title of the measure: the first measure of the benchmark that has a value for each task. */
  readonly measure: string;
  readonly unit: Measure["unit"];
  /** Planned tasks with a value in the saved run. */
  readonly tasks: number;
  /** The smallest difference detected with 80 % power at 0.05, two-sided; undefined if no difference is. */
  readonly difference: number | undefined;
  /** The share of tasks on which runs differ; the standard deviation of the differences for measures other than zeros and ones. */
  readonly spread: { readonly kind: "disagreement" | "deviation"; readonly value: number };
  /** True if the spread was observed between saved runs; otherwise it is that of two independent runs like the saved run. */
  readonly observed: boolean;
};

type Values = ReadonlyMap<string, number>;

/**
 * Returns the difference that runs on these tasks can detect against the saved run with most of the same tasks (in a tie, the
 * later run). Uses the power of McNemar's exact test for zeros and ones, otherwise of a paired test of means. The spread comes
 * from all other saved runs of the same tasks, including the planned runs. Undefined if no other run shares a task. Yields to the
 * event loop.
 */
export async function detectableAgainst(
  tasks: readonly string[],
  saved: readonly Omit<SavedRun, "spec">[],
  measures: readonly Measure[],
  plannedRuns: ReadonlySet<string> = new Set(),
): Promise<Detectable | undefined> {
  const measure = measures.find(hasTaskValues);
  if (measure === undefined) return undefined;
  const read: ReadRun[] = [];
  for (const { run, label, rows } of saved) read.push({ run, label, rows: await rows() });
  return detectableOf(new Set(tasks), read, measure, plannedRuns);
}

type ReadRun = { readonly run: string; readonly label: string; readonly rows: readonly Row[] };

async function detectableOf(
  planned: ReadonlySet<string>,
  saved: readonly ReadRun[],
  measure: TaskMeasure,
  plannedRuns: ReadonlySet<string>,
): Promise<Detectable | undefined> {
  const yieldIfDue = eventLoopYielder();
  const all: (Omit<ReadRun, "rows"> & { readonly values: Values })[] = [];
  for (const { run, label, rows } of saved) {
    const values = new Map<string, number>();
    for (const row of rows) {
      await yieldIfDue();
      const value = measure.each(row);
      if (value !== undefined && planned.has(row.task)) values.set(row.task, value);
    }
    all.push({ run, label, values });
  }
  const known = all.filter(({ values }) => values.size > 0);
  const candidates = known.filter(({ run }) => !plannedRuns.has(run));
  const best = candidates.reduce((most, one) => Math.max(most, one.values.size), 0);
  const against = candidates.findLast(({ values }) => values.size === best);
  if (against === undefined) return undefined;
  const others = known.filter((other) => other !== against);
  const seen: number[] = [];
  for (const { values } of others)
    for (const [task, value] of against.values) {
      await yieldIfDue();
      const second = values.get(task);
      if (second !== undefined) seen.push(second - value);
    }
  const binary = known.every(({ values }) => values.values().every((value) => value === 0 || value === 1));
  const observed = seen.length > 0;
  const common = { against: against.label, measure: measure.title, unit: measure.unit, tasks: best, observed };
  if (binary) {
    const value = observed ? seen.filter((one) => one !== 0).length / seen.length : independentShare(against.values);
    const difference = detectableShare(best, value);
    return { ...common, difference, spread: { kind: "disagreement", value } };
  }
  const value = observed ? deviation(seen) : Math.SQRT2 * deviation([...against.values.values()]);
  return { ...common, difference: detectableMean(best, value), spread: { kind: "deviation", value } };
}

/** Returns how often two independent runs with this share of right answers differ. */
function independentShare(values: Values): number {
  const share = [...values.values()].reduce((sum, value) => sum + value, 0) / values.size;
  return 2 * share * (1 - share);
}

/** Returns the sample standard deviation; 0 for a single value. */
function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
