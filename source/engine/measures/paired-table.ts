/** Two runs side by side, group by group, on the tasks both have: the table behind every ablation. */
import type { RunRows } from "../analysis.ts";
import type { Cell, TableFigure } from "../figure.ts";
import { type Coverage, coverageOf, restingOn } from "./coverage.ts";
import { facetOrder, facetTitle, inOrder, isScored, refs, shownValue, textCell } from "./measure-cell.ts";
import { comparePairedInPieces, holm, type Comparison } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import type { TaskRef } from "../types.ts";
import { atOnce, inSlices, type Pieces } from "../work/pieces.ts";
import { tableColumns } from "./table-columns.ts";
import { pairedTasksInPieces, pairValues, scoredPairs, testNotes, type TaskPair } from "./task-pairs.ts";

/** Pairs of runs that differ in this option only, in the order of the runs. */
export function pairsBy(runs: readonly RunRows[], option: string): readonly (readonly [RunRows, RunRows])[] {
  const setting = ({ spec }: RunRows) => spec.options[option];
  const rest = ({ spec }: RunRows) => JSON.stringify({ ...spec, options: { ...spec.options, [option]: "" } });
  return runs.flatMap((before, index) =>
    runs
      .slice(index + 1)
      .flatMap((after) =>
        setting(before) !== setting(after) && rest(before) === rest(after) ? [[before, after] as const] : [],
      ),
  );
}

/** One row per group of `by` and one for all; p-values corrected by Holm over the groups. */
export function pairedTable(before: RunRows, after: RunRows, measure: Measure, by: string): TableFigure {
  return atOnce(pairedTableInPieces(before, after, measure, by));
}

/** The same for any number of tasks. */
export function* pairedTableInPieces(
  before: RunRows,
  after: RunRows,
  measure: Measure,
  by: string,
): Pieces<TableFigure> {
  const pairs = yield* pairedTasksInPieces(before, after);
  const grouped = yield* groupsOf(pairs, before, by);
  const groups: ComparedGroup[] = [];
  for (const [name, group] of grouped) {
    yield `${name}, ${groups.length + 1} of ${grouped.size}`;
    groups.push(yield* comparedGroup(name, group, measure));
  }
  yield "all tasks";
  const all = groups.length === 1 ? groups[0]! : yield* comparedGroup("all", pairs, measure);
  const lines = yield* testedLines(groups, measure);
  if (groups.length !== 1) lines.push(yield* line(all, measure, undefined));
  const notes = testNotes([...groups, all].map(({ compared }) => compared));
  return {
    kind: "table",
    title: `${measure.title}: ${before.label} against ${after.label}`,
    columns: tableColumns([facetTitle([before], by)], [before.label, after.label, ...testColumns]),
    rows: lines,
    notes: [
      "Only tasks with a score in both runs; the gap is the second minus the first, in points",
      ...(notes.length === 0 ? [untested(measure)] : notes),
      ...(hasTrials(pairs) ? [trialsNote] : []),
    ],
  };
}

/** The pairs by a facet of the first run's rows, in the suite's order of its values. */
function* groupsOf(
  pairs: readonly TaskPair[],
  before: RunRows,
  by: string,
): Pieces<ReadonlyMap<string, readonly TaskPair[]>> {
  const values = new Set<string | number>();
  yield* inSlices(before.rows, (rows) => {
    for (const { facets } of rows) if (facets[by] !== undefined) values.add(facets[by]);
    return [];
  });
  const order = inOrder(facetOrder([before], by));
  const groups = new Map([...values].sort(order).map((value) => [value, [] as TaskPair[]]));
  yield* inSlices(pairs, (slice) => {
    for (const pair of slice) {
      const own =
        pair.before.length === 1 ? pair.before : new Map(pair.before.map((row) => [row.facets[by], row])).values();
      for (const { facets } of own) if (facets[by] !== undefined) groups.get(facets[by])!.push(pair);
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
    groups.push(yield* comparedGroup(after.label, yield* pairedTasksInPieces(before, after), measure));
  }
  const notes = testNotes(groups.map(({ compared }) => compared));
  return {
    kind: "table",
    title: `${measure.title}: ${before.label} against ${others.length} others`,
    columns: tableColumns(["Against"], [before.label, "other", ...testColumns]),
    rows: yield* testedLines(groups, measure),
    notes: [
      "Only tasks with a score in both runs of a pair; the gap is the other minus the first, in points; Holm over the pairs",
      ...(notes.length === 0 ? [untested(measure)] : notes),
      ...(groups.some(({ pairs }) => hasTrials(pairs)) ? [trialsNote] : []),
    ],
  };
}

/** Pairs that are compared with each other: what each came to is worked out once. */
type ComparedGroup = {
  readonly name: string;
  readonly pairs: readonly TaskPair[];
  readonly scored: readonly TaskPair[];
  readonly values: ReturnType<typeof pairValues>;
  readonly compared: Comparison | undefined;
};

function* comparedGroup(name: string, pairs: readonly TaskPair[], measure: Measure): Pieces<ComparedGroup> {
  const scored = yield* inSlices(pairs, (slice) => scoredPairs(slice, measure));
  const values = measure.each && (yield* inSlices(scored, (slice) => pairValues(slice, measure)!));
  const compared =
    values === undefined || values.length === 0 ? undefined : yield* comparePairedInPieces(values, measure.name);
  return { name, pairs, scored, values, compared };
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

function untested({ each }: Measure): string {
  const why = each === undefined ? "This measure is not a mean over tasks" : "No task has a value of it in both runs";
  return `${why}: no test is made`;
}

function hasTrials(pairs: readonly TaskPair[]): boolean {
  return pairs.some(({ before, after }) => before.length > 1 || after.length > 1);
}

function* line(
  { name, pairs, scored, values, compared }: ComparedGroup,
  measure: Measure,
  adjusted: number | undefined,
): Pieces<Cell[]> {
  const before = yield* inSlices(scored, (slice) => slice.flatMap((pair) => pair.before));
  const after = yield* inSlices(scored, (slice) => slice.flatMap((pair) => pair.after));
  const [tasksBefore, tasksAfter] = [yield* inSlices(before, refs), yield* inSlices(after, refs)];
  const [a, b] = [measure.of(before), measure.of(after)];
  const difference = a.value === undefined || b.value === undefined ? undefined : b.value - a.value;
  // With an unequal number of trials the difference of means is not the mean difference of tasks, which was tested.
  const gap = hasTrials(scored) ? (compared?.difference ?? difference) : difference;
  const flips = (sign: 1 | -1): Pieces<readonly TaskRef[]> =>
    inSlices(scored, (slice, from) =>
      slice.flatMap((pair, index) => {
        const [one, other] = values?.[from + index] ?? [0, 0];
        return sign * (other - one) > 0 ? refs(pair.after) : [];
      }),
    );
  const show = (value: number | undefined) => shownValue(value, measure.unit);
  const interval = compared?.interval;
  const rests = yield* pairCoverage(pairs, scored);
  // Gained means better: where lower is better, that is the tasks whose value fell.
  const up = measure.better === "higher";
  const [gained, lost] = [yield* flips(up ? 1 : -1), yield* flips(up ? -1 : 1)];
  return [
    textCell(name),
    restingOn(
      { text: show(a.value), ...(a.value === undefined ? {} : { value: a.value }), n: a.n, tasks: tasksBefore },
      rests,
    ),
    restingOn(
      { text: show(b.value), ...(b.value === undefined ? {} : { value: b.value }), n: b.n, tasks: tasksAfter },
      rests,
    ),
    restingOn(
      {
        text: gap === undefined ? "-" : `${gap > 0 ? "+" : ""}${show(gap)}`,
        ...(gap === undefined ? {} : { value: gap }),
        tasks: tasksAfter,
      },
      rests,
    ),
    textCell(interval === undefined ? "-" : `[${show(interval.low)}, ${show(interval.high)}]`),
    textCell(compared === undefined ? "-" : String(up ? compared.gained : compared.lost), {
      tasks: gained,
    }),
    textCell(compared === undefined ? "-" : String(up ? compared.lost : compared.gained), {
      tasks: lost,
    }),
    pCell(compared?.p, compared?.test),
    pCell(adjusted, compared?.test),
    textCell(String(scored.length), { value: scored.length, tasks: tasksAfter }),
  ];
}

/** Of the tasks that ended in both runs, those with a score in both: `scored` are some of the pairs, in their order. */
function* pairCoverage(pairs: readonly TaskPair[], scored: readonly TaskPair[]): Pieces<Coverage> {
  let at = 0;
  const missing = yield* inSlices(pairs, (slice) =>
    slice.flatMap(({ task, before, after }) => {
      if (scored[at]?.task === task) {
        at += 1;
        return [];
      }
      // What neither run failed in is a task the measure is not about, unless a score is missing.
      const rests = [before, after].map((rows) => coverageOf(rows, isScored));
      if (rests.some(({ failed }) => failed > 0)) return ["failed" as const];
      return rests.some(({ unscored }) => unscored > 0) ? ["unscored" as const] : [];
    }),
  );
  const count = (kind: "failed" | "unscored") => missing.filter((each) => each === kind).length;
  return { scored: scored.length, unscored: count("unscored"), failed: count("failed") };
}

function pCell(p: number | undefined, test: string | undefined): Cell {
  if (p === undefined) return textCell("-");
  return { text: p < 0.0001 ? "<0.0001" : p.toFixed(4), value: p, ...(test === undefined ? {} : { note: test }) };
}
