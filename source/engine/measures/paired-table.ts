/** Two runs side by side, group by group, on the tasks both have: the table behind every ablation. */
import type { RunRows } from "../analysis.ts";
import type { MeasureValue } from "../benchmark.ts";
import type { Cell, TableFigure } from "../figure.ts";
import { coverageOf, restingOn } from "./coverage.ts";
import { facetOrder, facetTitle, inOrder, isScored, shownValue, textCell, withTasks } from "./measure-cell.ts";
import { isPlainMean, workedOut } from "./measure.ts";
import { comparePaired, holm, type Comparison } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { eachInTurn, partByPart, type Pieces } from "../work/pieces.ts";
import { tableColumns } from "./table-columns.ts";
import { isOfTrials, pairedTasks, rowsOf, scoredRows, type TaskRows, taskValue, testNotes } from "./task-pairs.ts";

/** One row per group of `by` and one for all; p-values corrected by Holm over the groups. */
export function* pairedTableInPieces(
  before: RunRows,
  after: RunRows,
  measure: Measure,
  by: string,
): Pieces<TableFigure> {
  const compared = yield* comparedRuns(before, after, measure, by);
  return {
    kind: "table",
    title: `${measure.title}: ${before.label} against ${after.label}`,
    columns: tableColumns([facetTitle([before], by)], [before.label, after.label, ...testColumns]),
    rows: yield* groupedLines(compared, measure),
    notes: [
      "Only tasks with a score in both runs; the gap is the second minus the first, in points",
      ...comparisonNotes([...compared.groups, compared.all], measure),
    ],
  };
}

/** Two runs, and what their lines begin with in a table that has other pairs, too. */
export type LedPair = { readonly lead: readonly string[]; readonly before: RunRows; readonly after: RunRows };

/** What a table of several pairs is of: the titles of what leads its lines, and what the first and the second runs have in common. */
export type PairHeads = {
  readonly title: string;
  readonly leads: readonly string[];
  readonly sides: readonly string[];
};

/** The same for several pairs below each other; p-values corrected by Holm over the groups of each, or over the pairs where nothing is grouped. */
export function* ledPairsTableInPieces(
  pairs: readonly LedPair[],
  { title, leads, sides }: PairHeads,
  measure: Measure,
  by: string,
): Pieces<TableFigure> {
  const compared = yield* partByPart(pairs, ({ before, after }) => comparedRuns(before, after, measure, by));
  const isGrouped = compared.some(({ groups }) => groups.length > 0);
  const whole = compared.map(({ all }) => all);
  const lines = isGrouped
    ? yield* partByPart(compared, (each) => groupedLines(each, measure))
    : (yield* testedLines(whole, measure)).map(([, ...line]) => [line]);
  const groupTitle = isGrouped ? [facetTitle([pairs[0]!.before], by)] : [];
  return {
    kind: "table",
    title,
    columns: tableColumns([...leads, ...groupTitle], [...sides, ...testColumns]),
    rows: lines.flatMap((own, index) =>
      own.map((line) => [...pairs[index]!.lead.map((text) => textCell(text)), ...line]),
    ),
    notes: [
      `Only tasks with a score in both runs of a pair; the gap is the second minus the first, in points; Holm over the ${isGrouped ? "groups of each pair" : "pairs"}`,
      ...comparisonNotes([...compared.flatMap(({ groups }) => groups), ...whole], measure),
    ],
  };
}

/** All tasks of two runs compared, and by groups where there are any. */
type ComparedRuns = { readonly groups: readonly ComparedGroup[]; readonly all: ComparedGroup };

function* comparedRuns(before: RunRows, after: RunRows, measure: Measure, by: string): Pieces<ComparedRuns> {
  const pairs = yield* pairedTasks(before, after);
  const grouped = yield* groupsOf(before, by);
  const whole = new PairGroup("all");
  const add = (tried: TriedPair, value: FacetValue | undefined) => {
    if (value !== undefined) grouped.get(value)!.add(tried);
  };
  yield* eachInTurn(pairs.before, (one, at) => {
    const tried = triedPair(one, pairs.after[at]!, measure);
    if (!("task" in one)) for (const value of new Set(one.flatMap(({ facets }) => facets[by] ?? []))) add(tried, value);
    else add(tried, one.facets[by]);
    if (grouped.size !== 1) whole.add(tried);
  });
  const groups: ComparedGroup[] = [];
  for (const group of grouped.values()) {
    yield `${group.name}, ${groups.length + 1} of ${grouped.size}`;
    groups.push(yield* comparedGroup(group, measure));
  }
  yield "all tasks";
  return { groups, all: groups.length === 1 ? groups[0]! : yield* comparedGroup(whole, measure) };
}

function* groupedLines({ groups, all }: ComparedRuns, measure: Measure): Pieces<readonly Cell[][]> {
  const lines = yield* testedLines(groups, measure);
  return groups.length === 1 ? lines : [...lines, yield* line(all, measure, undefined)];
}

/** A group for each value of a facet that the first run's rows have, in the suite's order. */
function* groupsOf(before: RunRows, by: string): Pieces<ReadonlyMap<FacetValue, PairGroup>> {
  const values = new Set<FacetValue>();
  yield* eachInTurn(before.rows, ({ facets }) => {
    const value = facets[by];
    if (value !== undefined) values.add(value);
  });
  const order = inOrder(facetOrder([before], by));
  return new Map([...values].sort(order).map((value) => [value, new PairGroup(String(value))]));
}

type FacetValue = NonNullable<Row["facets"][string]>;

/** One row per pair of the first run with another, over all tasks of the pair; p-values corrected by Holm over the pairs. */
export function* pairsTableInPieces(
  before: RunRows,
  others: readonly RunRows[],
  measure: Measure,
): Pieces<TableFigure> {
  const groups: ComparedGroup[] = [];
  for (const after of others) {
    yield `${after.label}, ${groups.length + 1} of ${others.length}`;
    const pairs = yield* pairedTasks(before, after);
    const group = new PairGroup(after.label);
    yield* eachInTurn(pairs.before, (one, at) => group.add(triedPair(one, pairs.after[at]!, measure)));
    groups.push(yield* comparedGroup(group, measure));
  }
  return {
    kind: "table",
    title: `${measure.title}: ${before.label} against ${others.length} others`,
    columns: tableColumns(["Against"], [before.label, "other", ...testColumns]),
    rows: yield* testedLines(groups, measure),
    notes: [
      "Only tasks with a score in both runs of a pair; the gap is the other minus the first, in points; Holm over the pairs",
      ...comparisonNotes(groups, measure),
    ],
  };
}

/** A pair, what of either side has a score, and what that came to. */
type TriedPair = {
  readonly before: TaskRows;
  readonly after: TaskRows;
  readonly scoredBefore: TaskRows | undefined;
  readonly scoredAfter: TaskRows | undefined;
  /** Trials of one task averaged; undefined for a measure that is not one of each task, and without a score. */
  readonly valueBefore: number | undefined;
  readonly valueAfter: number | undefined;
};

function triedPair(before: TaskRows, after: TaskRows, measure: Measure): TriedPair {
  const { each } = measure;
  // Single rows: each value is looked up once, of hundreds of thousands.
  if (each !== undefined && "task" in before && "task" in after) {
    const valueBefore = before.score && each(before);
    const valueAfter = after.score && each(after);
    const isScored = valueBefore !== undefined && valueAfter !== undefined;
    const scoredBefore = isScored ? before : undefined;
    const scoredAfter = isScored ? after : undefined;
    return { before, after, scoredBefore, scoredAfter, valueBefore, valueAfter };
  }
  const [scoredBefore, scoredAfter] = [scoredRows(before, measure), scoredRows(after, measure)];
  const isValued = each !== undefined && scoredBefore !== undefined && scoredAfter !== undefined;
  const valueBefore = isValued ? taskValue(scoredBefore, each) : undefined;
  const valueAfter = isValued ? taskValue(scoredAfter, each) : undefined;
  return { before, after, scoredBefore, scoredAfter, valueBefore, valueAfter };
}

/** Pairs that are compared with each other, added up as they come: hundreds of thousands are not kept. */
class PairGroup {
  readonly name: string;
  /** Rows with a score on either side, and those of the second run whose value rose or fell. */
  readonly before: Row[] = [];
  readonly after: Row[] = [];
  readonly risen: Row[] = [];
  readonly fallen: Row[] = [];
  /** What each task came to in either run. */
  readonly values: readonly [number[], number[]] = [[], []];
  readonly sums: [number, number] = [0, 0];
  readonly rests = { scored: 0, unscored: 0, failed: 0 };
  /** Whether any task has several trials, and any of those that are compared. */
  hasTrials = false;
  comparesTrials = false;

  constructor(name: string) {
    this.name = name;
  }

  add(pair: TriedPair): void {
    const { scoredBefore: one, scoredAfter: other, valueBefore: before, valueAfter: after } = pair;
    this.hasTrials ||= isOfTrials(pair.before) || isOfTrials(pair.after);
    if (one === undefined || other === undefined) {
      const missing = whyMissing(pair);
      if (missing !== undefined) this.rests[missing] += 1;
      return;
    }
    this.rests.scored += 1;
    this.comparesTrials ||= isOfTrials(one) || isOfTrials(other);
    addTo(this.before, one);
    addTo(this.after, other);
    if (before === undefined || after === undefined) return;
    this.values[0].push(before);
    this.values[1].push(after);
    this.sums[0] += before;
    this.sums[1] += after;
    if (before !== after) addTo(after > before ? this.risen : this.fallen, other);
  }

  /** What the measure comes to in the rows of both sides. */
  *sides(measure: Measure): Pieces<readonly [MeasureValue, MeasureValue]> {
    const { before, after, sums } = this;
    // Of single rows every value has been looked up already.
    const isKnown = isPlainMean(measure) && !this.comparesTrials && before.length > 0;
    const mean = (sum: number) => ({ value: sum / before.length, n: before.length });
    if (isKnown) return [mean(sums[0]), mean(sums[1])];
    return [yield* workedOut(measure.of, before), yield* workedOut(measure.of, after)];
  }
}

function addTo(all: Row[], rows: TaskRows): void {
  if ("task" in rows) all.push(rows);
  else all.push(...rows);
}

type ComparedGroup = { readonly group: PairGroup; readonly compared: Comparison | undefined };

function* comparedGroup(group: PairGroup, measure: Measure): Pieces<ComparedGroup> {
  const [before, after] = group.values;
  const compared = before.length === 0 ? undefined : yield* comparePaired(before, after, measure.name);
  return { group, compared };
}

/** Groups in which nothing could be tested are no tests to correct for. */
function* testedLines(groups: readonly ComparedGroup[], measure: Measure): Pieces<readonly Cell[][]> {
  const tested = groups.flatMap(({ compared }) => compared ?? []);
  const adjusted = new Map(holm(tested.map(({ p }) => p)).map((p, index) => [tested[index]!, p]));
  return yield* partByPart(groups, (group) => line(group, measure, group.compared && adjusted.get(group.compared)));
}

const testColumns = ["gap", "95 % interval", "gained", "lost", "p", "p (Holm)", "n"];
const trialsNote = "Trials of one task are averaged before tasks are compared; n counts tasks";

/** How the groups were tested, or why they were not. */
function comparisonNotes(groups: readonly ComparedGroup[], measure: Measure): readonly string[] {
  const notes = testNotes(groups.map(({ compared }) => compared));
  return [
    ...(notes.length === 0 ? [untested(measure)] : notes),
    ...(groups.some(({ group }) => group.hasTrials) ? [trialsNote] : []),
  ];
}

function untested({ each }: Measure): string {
  const why = each === undefined ? "This measure is not a mean over tasks" : "No task has a value of it in both runs";
  return `${why}: no test is made`;
}

function* line({ group, compared }: ComparedGroup, measure: Measure, adjusted: number | undefined): Pieces<Cell[]> {
  const { name, before, after, risen, fallen, rests } = group;
  const [a, b] = yield* group.sides(measure);
  const difference = a.value === undefined || b.value === undefined ? undefined : b.value - a.value;
  // With an unequal number of trials the difference of means is not the mean difference of tasks, which was tested.
  const gap = group.comparesTrials ? (compared?.difference ?? difference) : difference;
  const show = (value: number | undefined) => shownValue(value, measure.unit);
  const interval = compared?.interval;
  const valued = (value: number | undefined) => (value === undefined ? {} : { value });
  // Gained means better: where lower is better, that is the tasks whose value fell.
  const up = measure.better === "higher";
  const [gained, lost] = up ? [risen, fallen] : [fallen, risen];
  return [
    textCell(name),
    withTasks(restingOn({ text: show(a.value), ...valued(a.value), n: a.n }, rests), before),
    withTasks(restingOn({ text: show(b.value), ...valued(b.value), n: b.n }, rests), after),
    withTasks(
      restingOn({ text: gap === undefined ? "-" : `${gap > 0 ? "+" : ""}${show(gap)}`, ...valued(gap) }, rests),
      after,
    ),
    textCell(interval === undefined ? "-" : `[${show(interval.low)}, ${show(interval.high)}]`),
    withTasks({ text: compared === undefined ? "-" : String(up ? compared.gained : compared.lost) }, gained),
    withTasks({ text: compared === undefined ? "-" : String(up ? compared.lost : compared.gained) }, lost),
    pCell(compared?.p, compared?.test),
    pCell(adjusted, compared?.test),
    withTasks({ text: String(rests.scored), value: rests.scored }, after),
  ];
}

/** What neither run failed in is a task the measure is not about, unless a score is missing. */
function whyMissing({ before, after }: TriedPair): "failed" | "unscored" | undefined {
  const rests = [before, after].map((rows) => coverageOf(rowsOf(rows), isScored));
  if (rests.some(({ failed }) => failed > 0)) return "failed";
  return rests.some(({ unscored }) => unscored > 0) ? "unscored" : undefined;
}

function pCell(p: number | undefined, test: string | undefined): Cell {
  if (p === undefined) return textCell("-");
  return { text: p < 0.0001 ? "<0.0001" : p.toFixed(4), value: p, ...(test === undefined ? {} : { note: test }) };
}
