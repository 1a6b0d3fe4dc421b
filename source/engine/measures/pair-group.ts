/** Tasks of two runs that are compared with each other: all of them, or those of one level. */
import type { RunRows } from "../analysis.ts";
import type { MeasureValue } from "../benchmark.ts";
import { type Comparison, comparisonOf, gain, PairTally } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { coverageOf } from "./coverage.ts";
import { isScored } from "./measure-cell.ts";
import { evaluate } from "./measure.ts";
import {
  isOfTrials,
  pairedTasks,
  rowsOf,
  scoredRows,
  type PairSide,
  type TaskPairs,
  type TaskRows,
  type TaskValues,
  taskValues,
} from "./task-pairs.ts";

/** Two runs' tasks, and what they came to where the measure is one of each task. */
export type MeasuredPairs = {
  readonly pairs: TaskPairs;
  readonly measure: Measure;
  readonly values: TaskValues | undefined;
};

export function measuredPairs(before: RunRows, after: RunRows, measure: Measure): MeasuredPairs {
  const pairs = pairedTasks(before, after);
  return { pairs, measure, values: measure.each && taskValues(pairs, measure.each) };
}

/** Pairs added up as they come: of hundreds of thousands, only their places are kept. */
export class PairGroup {
  readonly name: string;
  readonly rests = { scored: 0, unscored: 0, failed: 0 };
  /** Whether any task has several trials, and any of those that are compared. */
  hasTrials = false;
  comparesTrials = false;
  readonly #measured: MeasuredPairs;
  /** Of pairs with a score on either side. */
  readonly #places: number[] = [];
  /** What the tasks came to, where they have a value. */
  readonly #tally = new PairTally();
  #sumBefore = 0;
  #sumAfter = 0;

  constructor(name: string, measured: MeasuredPairs) {
    this.name = name;
    this.#measured = measured;
  }

  add(at: number): void {
    const { pairs, values } = this.#measured;
    const one = pairs.before[at]!;
    const other = pairs.after[at]!;
    if (isOfTrials(one) || isOfTrials(other)) this.#addTrials(one, other);
    const before = values?.before[at];
    const after = values?.after[at];
    const isValued = before !== undefined && after !== undefined;
    if (!isValued && (values !== undefined || !this.#hasScores(one, other))) {
      const missing = whyMissing([one, other]);
      if (missing !== undefined) this.rests[missing] += 1;
      return;
    }
    this.rests.scored += 1;
    this.#places.push(at);
    if (!isValued) return;
    this.#tally.add(before, after);
    this.#sumBefore += before;
    this.#sumAfter += after;
  }

  #addTrials(one: TaskRows, other: TaskRows): void {
    this.hasTrials = true;
    const { measure } = this.#measured;
    const [scoredOne, scoredOther] = [scoredRows(one, measure), scoredRows(other, measure)];
    if (scoredOne !== undefined && scoredOther !== undefined)
      this.comparesTrials ||= isOfTrials(scoredOne) || isOfTrials(scoredOther);
  }

  #hasScores(one: TaskRows, other: TaskRows): boolean {
    const { measure } = this.#measured;
    return scoredRows(one, measure) !== undefined && scoredRows(other, measure) !== undefined;
  }

  /** Rows of one side that have a score: of all tasks, or of those that `isMeant`. */
  rows(side: PairSide, isMeant: (at: number) => boolean = () => true): readonly Row[] {
    const rows: Row[] = [];
    for (const at of this.#places) if (isMeant(at)) for (const row of this.#scored(side, at)) rows.push(row);
    return rows;
  }

  /** Rows of the second run, of tasks that came to more in it, or to less; none for a measure that is not one of each task. */
  changed(toMore: boolean): readonly Row[] {
    if (this.#tally.n === 0) return [];
    return this.rows("after", (at) => (toMore ? this.#gain(at) > 0 : this.#gain(at) < 0));
  }

  /** Undefined where no task has a value in both runs. */
  compared(): Comparison | undefined {
    if (this.#tally.n === 0) return undefined;
    const differences = () => this.#places.map((at) => this.#gain(at));
    return comparisonOf(this.#tally, differences, this.#measured.measure.name);
  }

  /** What the measure comes to in the rows of both sides. */
  sides(): readonly [MeasureValue, MeasureValue] {
    const { measure } = this.#measured;
    const n = this.#places.length;
    // Each value of a single row has been looked up already.
    const mean = (sum: number) => ({ value: sum / n, n });
    if (measure.kind === "mean" && !this.comparesTrials && n > 0) return [mean(this.#sumBefore), mean(this.#sumAfter)];
    const rows = (side: PairSide) => this.#places.flatMap((at) => this.#scored(side, at));
    return [evaluate(measure, rows("before")), evaluate(measure, rows("after"))];
  }

  #scored(side: PairSide, at: number): readonly Row[] {
    const { pairs, measure } = this.#measured;
    return rowsOf(scoredRows(pairs[side][at]!, measure)!);
  }

  #gain(at: number): number {
    const { before, after } = this.#measured.values!;
    return gain(before[at]!, after[at]!);
  }
}

/** What neither run failed in is a task the measure is not about, unless a score is missing. */
function whyMissing(pair: readonly TaskRows[]): "failed" | "unscored" | undefined {
  const rests = pair.map((rows) => coverageOf(rowsOf(rows), isScored));
  if (rests.some(({ failed }) => failed > 0)) return "failed";
  return rests.some(({ unscored }) => unscored > 0) ? "unscored" : undefined;
}
