/** Compares two runs by group on the tasks both have, as ablations do. */
import type { RunRows } from "../analysis.ts";
import { type Cell, type TableFigure, boundsColumn, tableColumns } from "../figure.ts";
import { restingOn, coverageOf } from "./coverage.ts";
import {
  facetOrder,
  facetTitle,
  inOrder,
  intervalCell,
  shownValue,
  textCell,
  withTasks,
  isScored,
} from "./measure-cell.ts";
import { type Comparison, holm, comparisonOf, gain, PairTally } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import {
  testNotes,
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
import type { MeasureValue } from "../benchmark.ts";
import { evaluate } from "./measure.ts";

/** Returns one row per group of `by` and one row for all; p values are Holm-corrected over the groups. */
export function pairedTable(before: RunRows, after: RunRows, measure: Measure, by: string): TableFigure {
  const compared = comparedRuns(before, after, measure, by);
  return {
    kind: "table",
    title: `${measure.title}: ${before.label} against ${after.label}`,
    columns: tableColumns([facetTitle([before], by)], [before.label, after.label, ...testColumns]),
    rows: groupedLines(compared, measure),
    notes: [
      "Only tasks with a score in both runs; the gap is the second run's value minus the first's, in points",
      ...comparisonNotes([...compared.groups, compared.all], measure),
    ],
  };
}

/** Two runs, with the first cells of their lines in a table of several pairs. */
export type LedPair = { readonly lead: readonly string[]; readonly before: RunRows; readonly after: RunRows };

/** Column titles of `lead`, and the common name of the first and of the second runs. */
export type PairHeads = {
  readonly title: string;
  readonly leads: readonly string[];
  readonly sides: readonly string[];
};

/**
 * Returns one table for several pairs; p values are Holm-corrected over the groups of each pair, or over the pairs if tasks are
 * not grouped.
 */
export function ledPairsTable(
  pairs: readonly LedPair[],
  { title, leads, sides }: PairHeads,
  measure: Measure,
  by: string,
): TableFigure {
  const compared = pairs.map(({ before, after }) => comparedRuns(before, after, measure, by));
  const isGrouped = compared.some(({ groups }) => groups.length > 0);
  const whole = compared.map(({ all }) => all);
  const lines = isGrouped
    ? compared.map((each) => groupedLines(each, measure))
    : testedLines(whole, measure).map(([, ...line]) => [line]);
  const groupTitle = isGrouped ? [facetTitle([pairs[0]!.before], by)] : [];
  return {
    kind: "table",
    title,
    columns: tableColumns([...leads, ...groupTitle], [...sides, ...testColumns]),
    rows: lines.flatMap((own, index) =>
      own.map((line) => [...pairs[index]!.lead.map((text) => textCell(text)), ...line]),
    ),
    notes: [
      `Only tasks with a score in both runs of a pair; the gap is the second run's value minus the first's, in points; p (Holm) is corrected by Holm's method over the ${isGrouped ? "groups of each pair" : "pairs"}`,
      ...comparisonNotes([...compared.flatMap(({ groups }) => groups), ...whole], measure),
    ],
  };
}

/** The comparison of two runs over all tasks and, if grouped, for each group. */
type ComparedRuns = { readonly groups: readonly ComparedGroup[]; readonly all: ComparedGroup };

function comparedRuns(before: RunRows, after: RunRows, measure: Measure, by: string): ComparedRuns {
  const measured = measuredPairs(before, after, measure);
  const found = new Map<FacetValue, PairGroup>();
  const groupOf = (value: FacetValue | undefined): PairGroup | undefined => {
    const known = found.get(value!);
    if (known !== undefined || value === undefined) return known;
    const group = new PairGroup(String(value), measured);
    found.set(value, group);
    return group;
  };
  const paired = measured.pairs.before;
  for (let at = 0; at < paired.length; at++) {
    const rows = paired[at]!;
    if ("task" in rows) groupOf(rows.facets[by])?.add(at);
    else for (const value of new Set(rows.map(({ facets }) => facets[by]))) groupOf(value)?.add(at);
  }
  // Tasks missing from the second run add their groups too, as empty ones.
  if (paired.length < before.rows.length) for (const { facets } of before.rows) groupOf(facets[by]);
  const order = inOrder(facetOrder([before], by));
  const sorted = [...found].sort(([one], [other]) => order(one, other));
  const groups = sorted.map(([, group]) => comparedGroup(group));
  const [first] = groups;
  return { groups, all: groups.length === 1 ? first! : comparedGroup(wholeOf(measured, [...found.values()])) };
}

function groupedLines({ groups, all }: ComparedRuns, measure: Measure): readonly Cell[][] {
  const lines = testedLines(groups, measure);
  return groups.length === 1 ? lines : [...lines, line(all, measure, undefined)];
}

type FacetValue = NonNullable<Row["facets"][string]>;

/** Compares the first run with each other run over all tasks of the pair; p values are corrected by Holm over the pairs. */
export function pairsTable(before: RunRows, others: readonly RunRows[], measure: Measure): TableFigure {
  const groups = others.map((after) => {
    const measured = measuredPairs(before, after, measure);
    const group = new PairGroup(after.label, measured);
    for (const at of measured.pairs.before.keys()) group.add(at);
    return comparedGroup(group);
  });
  return {
    kind: "table",
    title: `${measure.title}: ${before.label} against ${others.length} others`,
    columns: tableColumns(["Against"], [before.label, "other", ...testColumns]),
    rows: testedLines(groups, measure),
    notes: [
      "Only tasks with a score in both runs of a pair; the gap is the other run's value minus the first's, in points; p (Holm) is corrected by Holm's method over the pairs",
      ...comparisonNotes(groups, measure),
    ],
  };
}

/** Returns all pairs, joined from the groups if possible: there may be hundreds of thousands of pairs. */
function wholeOf(measured: MeasuredPairs, groups: readonly PairGroup[]): PairGroup {
  const joined = PairGroup.joined("all", measured, groups);
  if (joined !== undefined) return joined;
  const whole = new PairGroup("all", measured);
  for (const at of measured.pairs.before.keys()) whole.add(at);
  return whole;
}

type ComparedGroup = { readonly group: PairGroup; readonly compared: Comparison | undefined };

const comparedGroup = (group: PairGroup): ComparedGroup => ({ group, compared: group.compared() });

/** Returns the lines with corrected p values; groups without a test do not count in the correction. */
function testedLines(groups: readonly ComparedGroup[], measure: Measure): readonly Cell[][] {
  const tested = groups.flatMap(({ compared }) => compared ?? []);
  const adjusted = new Map(holm(tested.map(({ p }) => p)).map((p, index) => [tested[index]!, p]));
  return groups.map((group) => line(group, measure, group.compared && adjusted.get(group.compared)));
}

const testColumns = ["gap", boundsColumn("gap"), "gained", "lost", "p", "p (Holm)", "n"];
const trialsNote = "Trials of one task are averaged before tasks are compared; n counts tasks";

/** Explains how the groups were tested, or why no test was made. */
function comparisonNotes(groups: readonly ComparedGroup[], measure: Measure): readonly string[] {
  const notes = testNotes(groups.map(({ compared }) => compared));
  return [
    ...(notes.length === 0 ? [untested(measure)] : notes),
    ...(groups.some(({ group }) => group.hasTrials) ? [trialsNote] : []),
  ];
}

function untested({ each }: Measure): string {
  const why =
    each === undefined ? "This measure is not a mean over tasks" : "No task has a value of this measure in both runs";
  return `${why}, so no test is made`;
}

function line({ group, compared }: ComparedGroup, measure: Measure, adjusted: number | undefined): Cell[] {
  const { name, rests } = group;
  const before = () => group.rows("before");
  const after = () => group.rows("after");
  const [a, b] = group.sides();
  const difference = a.value === undefined || b.value === undefined ? undefined : b.value - a.value;
  // If trial counts are unequal, the difference of means differs from the mean difference of tasks, which was tested.
  const gap = group.comparesTrials ? (compared?.difference ?? difference) : difference;
  const show = (value: number | undefined) => shownValue(value, measure.unit);
  const interval = compared?.interval;
  const valued = (value: number | undefined) => (value === undefined ? {} : { value });
  // Gained means better; if lower is better, these are the tasks whose value fell.
  const up = measure.better === "higher";
  return [
    textCell(name),
    withTasks(restingOn({ text: show(a.value), ...valued(a.value), n: a.n }, rests), before),
    withTasks(restingOn({ text: show(b.value), ...valued(b.value), n: b.n }, rests), after),
    withTasks(
      restingOn({ text: gap === undefined ? "-" : `${gap > 0 ? "+" : ""}${show(gap)}`, ...valued(gap) }, rests),
      after,
    ),
    intervalCell(interval, measure.unit),
    withTasks({ text: compared === undefined ? "-" : String(up ? compared.gained : compared.lost) }, () =>
      group.changed(up),
    ),
    withTasks({ text: compared === undefined ? "-" : String(up ? compared.lost : compared.gained) }, () =>
      group.changed(!up),
    ),
    pCell(compared?.p, compared?.test),
    pCell(adjusted, compared?.test),
    withTasks({ text: String(rests.scored), value: rests.scored }, after),
  ];
}

function pCell(p: number | undefined, test: string | undefined): Cell {
  if (p === undefined) return textCell("-");
  return { text: p < 0.0001 ? "<0.0001" : p.toFixed(4), value: p, note: test! };
}

/** The tasks of two runs, with per-task values if the measure has them. */
export type MeasuredPairs = {
  readonly pairs: TaskPairs;
  readonly measure: Measure;
  readonly values: TaskValues | undefined;
};

export function measuredPairs(before: RunRows, after: RunRows, measure: Measure): MeasuredPairs {
  const pairs = pairedTasks(before, after);
  return { pairs, measure, values: measure.each && taskValues(pairs, measure.each) };
}

/** Collects pairs and stores only their indexes, because there may be hundreds of thousands of pairs. */
class PairGroup {
  readonly name: string;
  readonly rests = { scored: 0, unscored: 0, failed: 0 };
  /** True if any task, and any compared task, has several trials. */
  hasTrials = false;
  comparesTrials = false;
  readonly #measured: MeasuredPairs;
  #added = 0;
  /** Positions of the pairs with a score on either side; undefined until those of the parts are joined. */
  #own: number[] | undefined = [];
  #parts: readonly PairGroup[] = [];
  /** Values of the tasks that have one. */
  readonly #tally = new PairTally();
  #sumBefore = 0;
  #sumAfter = 0;

  constructor(name: string, measured: MeasuredPairs) {
    this.name = name;
    this.#measured = measured;
  }

  /**
   * Joins groups that contain each pair once. Undefined unless all values are zeros and ones: sums of other values depend on their
   * order.
   */
  static joined(name: string, measured: MeasuredPairs, groups: readonly PairGroup[]): PairGroup | undefined {
    const whole = new PairGroup(name, measured);
    whole.#own = undefined;
    whole.#parts = groups;
    for (const group of groups) {
      whole.#added += group.#added;
      whole.#tally.join(group.#tally);
      whole.#sumBefore += group.#sumBefore;
      whole.#sumAfter += group.#sumAfter;
      for (const kind of ["scored", "unscored", "failed"] as const) whole.rests[kind] += group.rests[kind];
    }
    const { areRows, before } = measured.pairs;
    return areRows === true && whole.#added === before.length && whole.#tally.isBinary ? whole : undefined;
  }

  get #places(): readonly number[] {
    return (this.#own ??= this.#parts.flatMap((part) => part.#places).toSorted((one, other) => one - other));
  }

  add(at: number): void {
    const { pairs, values } = this.#measured;
    this.#added += 1;
    if (pairs.areRows !== true) this.#noteTrials(pairs.before[at]!, pairs.after[at]!);
    const before = values?.before[at];
    const after = values?.after[at];
    const isValued = before !== undefined && after !== undefined;
    if (!isValued && (values !== undefined || !this.#hasScores(at))) {
      const missing = whyMissing([pairs.before[at]!, pairs.after[at]!]);
      if (missing !== undefined) this.rests[missing] += 1;
      return;
    }
    this.rests.scored += 1;
    this.#own!.push(at);
    if (!isValued) return;
    this.#tally.add(before, after);
    this.#sumBefore += before;
    this.#sumAfter += after;
  }

  #noteTrials(one: TaskRows, other: TaskRows): void {
    if (!isOfTrials(one) && !isOfTrials(other)) return;
    this.hasTrials = true;
    const { measure } = this.#measured;
    const [scoredOne, scoredOther] = [scoredRows(one, measure), scoredRows(other, measure)];
    if (scoredOne !== undefined && scoredOther !== undefined)
      this.comparesTrials ||= isOfTrials(scoredOne) || isOfTrials(scoredOther);
  }

  #hasScores(at: number): boolean {
    const { pairs, measure } = this.#measured;
    return [pairs.before, pairs.after].every((side) => scoredRows(side[at]!, measure) !== undefined);
  }

  /** Returns the scored rows of one side, optionally only for tasks that `isMeant` accepts. */
  rows(side: PairSide, isMeant: (at: number) => boolean = () => true): readonly Row[] {
    const rows: Row[] = [];
    for (const at of this.#places) if (isMeant(at)) for (const row of this.#scored(side, at)) rows.push(row);
    return rows;
  }

  /** Returns rows of the second run whose task value rose or fell; empty if the measure has no per-task value. */
  changed(toMore: boolean): readonly Row[] {
    if (this.#tally.n === 0) return [];
    return this.rows("after", (at) => (toMore ? this.#gain(at) > 0 : this.#gain(at) < 0));
  }

  /** Undefined if no task has a value in both runs. */
  compared(): Comparison | undefined {
    if (this.#tally.n === 0) return undefined;
    const differences = () => this.#places.map((at) => this.#gain(at));
    return comparisonOf(this.#tally, differences, this.#measured.measure.name);
  }

  /** Evaluates the measure on both sides. */
  sides(): readonly [MeasureValue, MeasureValue] {
    const { measure } = this.#measured;
    const n = this.rests.scored;
    // Values of single rows are already known.
    const mean = (sum: number) => ({ value: sum / n, n });
    if (measure.kind === "mean" && !this.comparesTrials && n > 0) return [mean(this.#sumBefore), mean(this.#sumAfter)];
    return [evaluate(measure, this.rows("before")), evaluate(measure, this.rows("after"))];
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

/** Returns why a pair has no value; undefined if the task failed in neither run and is outside the measure. */
function whyMissing(pair: readonly TaskRows[]): "failed" | "unscored" | undefined {
  const rests = pair.map((rows) => coverageOf(rowsOf(rows), isScored));
  if (rests.some(({ failed }) => failed > 0)) return "failed";
  return rests.some(({ unscored }) => unscored > 0) ? "unscored" : undefined;
}
