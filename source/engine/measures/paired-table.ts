/** Two runs side by side, group by group, on the tasks both have: the table behind every ablation. */
import type { RunRows } from "../analysis.ts";
import type { Cell, TableFigure } from "../figure.ts";
import { coverageOf, restingOn } from "./coverage.ts";
import { facetOrder, facetTitle, inOrder, isScored, shownValue, textCell, withTasks } from "./measure-cell.ts";
import { comparePairedInPieces, holm, type Comparison } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { inSlices, partByPart, type Pieces } from "../work/pieces.ts";
import { meanOf } from "./measure.ts";
import { tableColumns } from "./table-columns.ts";
import { pairedTasksInPieces, scoredPair, testNotes, type TaskPair } from "./task-pairs.ts";

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
  const pairs = yield* triedPairs(before, after, measure);
  const grouped = yield* groupsOf(pairs, before, by);
  const groups: ComparedGroup[] = [];
  for (const [name, group] of grouped) {
    yield `${name}, ${groups.length + 1} of ${grouped.size}`;
    groups.push(yield* comparedGroup(name, group, measure));
  }
  yield "all tasks";
  return { groups, all: groups.length === 1 ? groups[0]! : yield* comparedGroup("all", pairs, measure) };
}

function* groupedLines({ groups, all }: ComparedRuns, measure: Measure): Pieces<Cell[][]> {
  const lines = yield* testedLines(groups, measure);
  if (groups.length !== 1) lines.push(yield* line(all, measure, undefined));
  return lines;
}

/** The pairs by a facet of the first run's rows, in the suite's order of its values. */
function* groupsOf(
  pairs: readonly TriedPair[],
  before: RunRows,
  by: string,
): Pieces<ReadonlyMap<string, readonly TriedPair[]>> {
  const values = new Set<string | number>();
  yield* inSlices(before.rows, (rows) => {
    for (const { facets } of rows) if (facets[by] !== undefined) values.add(facets[by]);
    return [];
  });
  const order = inOrder(facetOrder([before], by));
  const groups = new Map([...values].sort(order).map((value) => [value, [] as TriedPair[]]));
  yield* inSlices(pairs, (slice) => {
    for (const tried of slice) {
      const { before } = tried.pair;
      const own = before.length === 1 ? before : new Map(before.map((row) => [row.facets[by], row])).values();
      for (const { facets } of own) if (facets[by] !== undefined) groups.get(facets[by])!.push(tried);
    }
    return [];
  });
  return new Map([...groups].map(([value, group]) => [String(value), group]));
}

/** One row per pair of the first run with another, over all tasks of the pair; p-values corrected by Holm over the pairs. */
export function* pairsTableInPieces(
  before: RunRows,
  others: readonly RunRows[],
  measure: Measure,
): Pieces<TableFigure> {
  const groups: ComparedGroup[] = [];
  for (const after of others) {
    yield `${after.label}, ${groups.length + 1} of ${others.length}`;
    groups.push(yield* comparedGroup(after.label, yield* triedPairs(before, after, measure), measure));
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

/** A pair, what of it has a score on both sides, and what that came to. */
type TriedPair = {
  readonly pair: TaskPair;
  readonly scored: TaskPair | undefined;
  /** Trials of one task averaged; undefined for a measure that is not one of each task. */
  readonly before: number | undefined;
  readonly after: number | undefined;
};

/** Worked out once for a table, however many of its lines a pair is in. */
function* triedPairs(before: RunRows, after: RunRows, measure: Measure): Pieces<readonly TriedPair[]> {
  return yield* inSlices(yield* pairedTasksInPieces(before, after), (slice) =>
    slice.map((pair): TriedPair => {
      const scored = scoredPair(pair, measure);
      const value = (rows: readonly Row[] | undefined) => rows && measure.each && meanOf(rows, measure.each).value;
      return { pair, scored, before: value(scored?.before), after: value(scored?.after) };
    }),
  );
}

/** Pairs that are compared with each other. */
type ComparedGroup = {
  readonly name: string;
  readonly pairs: readonly TriedPair[];
  readonly compared: Comparison | undefined;
};

function* comparedGroup(name: string, pairs: readonly TriedPair[], measure: Measure): Pieces<ComparedGroup> {
  const known = yield* inSlices(pairs, (slice) => slice.filter(({ before }) => before !== undefined));
  const one = yield* inSlices(known, (slice) => slice.map(({ before }) => before!));
  const other = yield* inSlices(known, (slice) => slice.map(({ after }) => after!));
  const compared = known.length === 0 ? undefined : yield* comparePairedInPieces(one, other, measure.name);
  return { name, pairs, compared };
}

/** Groups in which nothing could be tested are no tests to correct for. */
function* testedLines(groups: readonly ComparedGroup[], measure: Measure): Pieces<Cell[][]> {
  const tested = groups.flatMap(({ compared }) => compared ?? []);
  const adjusted = new Map(holm(tested.map(({ p }) => p)).map((p, index) => [tested[index]!, p]));
  const lines: Cell[][] = [];
  for (const group of groups) lines.push(yield* line(group, measure, group.compared && adjusted.get(group.compared)));
  return lines;
}

const testColumns = ["gap", "95 % interval", "gained", "lost", "p", "p (Holm)", "n"];
const trialsNote = "Trials of one task are averaged before tasks are compared; n counts tasks";

/** How the groups were tested, or why they were not. */
function comparisonNotes(groups: readonly ComparedGroup[], measure: Measure): readonly string[] {
  const notes = testNotes(groups.map(({ compared }) => compared));
  return [
    ...(notes.length === 0 ? [untested(measure)] : notes),
    ...(groups.some(({ pairs }) => pairs.some(({ pair }) => hasTrials(pair))) ? [trialsNote] : []),
  ];
}

function untested({ each }: Measure): string {
  const why = each === undefined ? "This measure is not a mean over tasks" : "No task has a value of it in both runs";
  return `${why}: no test is made`;
}

function hasTrials({ before, after }: TaskPair): boolean {
  return before.length > 1 || after.length > 1;
}

function* line(
  { name, pairs, compared }: ComparedGroup,
  measure: Measure,
  adjusted: number | undefined,
): Pieces<Cell[]> {
  const { before, after, risen, fallen, unequal, rests } = yield* behind(pairs);
  const [a, b] = [measure.of(before), measure.of(after)];
  const difference = a.value === undefined || b.value === undefined ? undefined : b.value - a.value;
  // With an unequal number of trials the difference of means is not the mean difference of tasks, which was tested.
  const gap = unequal ? (compared?.difference ?? difference) : difference;
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

/** What a line is of: the rows with a score on either side, those of the second run whose value rose or fell, and what it rests on. */
function* behind(pairs: readonly TriedPair[]) {
  const [before, after, risen, fallen]: [Row[], Row[], Row[], Row[]] = [[], [], [], []];
  const rests = { scored: 0, unscored: 0, failed: 0 };
  let unequal = false;
  yield* inSlices(pairs, (slice) => {
    for (const { pair, scored, before: one = 0, after: other = 0 } of slice) {
      if (scored === undefined) {
        const missing = whyMissing(pair);
        if (missing !== undefined) rests[missing] += 1;
        continue;
      }
      rests.scored += 1;
      before.push(...scored.before);
      after.push(...scored.after);
      unequal ||= hasTrials(scored);
      if (one !== other) (other > one ? risen : fallen).push(...scored.after);
    }
    return [];
  });
  return { before, after, risen, fallen, unequal, rests };
}

/** What neither run failed in is a task the measure is not about, unless a score is missing. */
function whyMissing({ before, after }: TaskPair): "failed" | "unscored" | undefined {
  const rests = [before, after].map((rows) => coverageOf(rows, isScored));
  if (rests.some(({ failed }) => failed > 0)) return "failed";
  return rests.some(({ unscored }) => unscored > 0) ? "unscored" : undefined;
}

function pCell(p: number | undefined, test: string | undefined): Cell {
  if (p === undefined) return textCell("-");
  return { text: p < 0.0001 ? "<0.0001" : p.toFixed(4), value: p, ...(test === undefined ? {} : { note: test }) };
}
