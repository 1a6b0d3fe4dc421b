/** Two runs side by side, group by group, on the tasks both have: the table behind every ablation. */
import type { RunRows } from "../analysis.ts";
import type { Cell, TableFigure } from "../figure.ts";
import { restingOn } from "./coverage.ts";
import { facetOrder, facetTitle, inOrder, shownValue, textCell, withTasks } from "./measure-cell.ts";
import { type Comparison, holm } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { measuredPairs, PairGroup } from "./pair-group.ts";
import { tableColumns } from "./table-columns.ts";
import { testNotes } from "./task-pairs.ts";

/** One row per group of `by` and one for all; p-values corrected by Holm over the groups. */
export function pairedTable(before: RunRows, after: RunRows, measure: Measure, by: string): TableFigure {
  const compared = comparedRuns(before, after, measure, by);
  return {
    kind: "table",
    title: `${measure.title}: ${before.label} against ${after.label}`,
    columns: tableColumns([facetTitle([before], by)], [before.label, after.label, ...testColumns]),
    rows: groupedLines(compared, measure),
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
      `Only tasks with a score in both runs of a pair; the gap is the second minus the first, in points; Holm over the ${isGrouped ? "groups of each pair" : "pairs"}`,
      ...comparisonNotes([...compared.flatMap(({ groups }) => groups), ...whole], measure),
    ],
  };
}

/** All tasks of two runs compared, and by groups where there are any. */
type ComparedRuns = { readonly groups: readonly ComparedGroup[]; readonly all: ComparedGroup };

function comparedRuns(before: RunRows, after: RunRows, measure: Measure, by: string): ComparedRuns {
  const measured = measuredPairs(before, after, measure);
  const whole = new PairGroup("all", measured);
  const found = new Map<FacetValue, PairGroup>();
  const groupOf = (value: FacetValue | undefined): PairGroup | undefined => {
    const known = found.get(value!);
    if (known !== undefined || value === undefined) return known;
    const group = new PairGroup(String(value), measured);
    found.set(value, group);
    return group;
  };
  const paired = measured.pairs.before;
  for (const [at, rows] of paired.entries()) {
    whole.add(at);
    if ("task" in rows) groupOf(rows.facets[by])?.add(at);
    else for (const value of new Set(rows.map(({ facets }) => facets[by]))) groupOf(value)?.add(at);
  }
  // Of tasks that the second run does not have, too: groups of nothing.
  if (paired.length < before.rows.length) for (const { facets } of before.rows) groupOf(facets[by]);
  const order = inOrder(facetOrder([before], by));
  const sorted = [...found].sort(([one], [other]) => order(one, other));
  const groups = sorted.map(([, group]) => comparedGroup(group));
  return { groups, all: groups.length === 1 ? groups[0]! : comparedGroup(whole) };
}

function groupedLines({ groups, all }: ComparedRuns, measure: Measure): readonly Cell[][] {
  const lines = testedLines(groups, measure);
  return groups.length === 1 ? lines : [...lines, line(all, measure, undefined)];
}

type FacetValue = NonNullable<Row["facets"][string]>;

/** One row per pair of the first run with another, over all tasks of the pair; p-values corrected by Holm over the pairs. */
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
      "Only tasks with a score in both runs of a pair; the gap is the other minus the first, in points; Holm over the pairs",
      ...comparisonNotes(groups, measure),
    ],
  };
}

type ComparedGroup = { readonly group: PairGroup; readonly compared: Comparison | undefined };

function comparedGroup(group: PairGroup): ComparedGroup {
  return { group, compared: group.compared() };
}

/** Groups in which nothing could be tested are no tests to correct for. */
function testedLines(groups: readonly ComparedGroup[], measure: Measure): readonly Cell[][] {
  const tested = groups.flatMap(({ compared }) => compared ?? []);
  const adjusted = new Map(holm(tested.map(({ p }) => p)).map((p, index) => [tested[index]!, p]));
  return groups.map((group) => line(group, measure, group.compared && adjusted.get(group.compared)));
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

function line({ group, compared }: ComparedGroup, measure: Measure, adjusted: number | undefined): Cell[] {
  const { name, rests } = group;
  const before = () => group.rows("before");
  const after = () => group.rows("after");
  const [a, b] = group.sides();
  const difference = a.value === undefined || b.value === undefined ? undefined : b.value - a.value;
  // With an unequal number of trials the difference of means is not the mean difference of tasks, which was tested.
  const gap = group.comparesTrials ? (compared?.difference ?? difference) : difference;
  const show = (value: number | undefined) => shownValue(value, measure.unit);
  const interval = compared?.interval;
  const valued = (value: number | undefined) => (value === undefined ? {} : { value });
  // Gained means better: where lower is better, that is the tasks whose value fell.
  const up = measure.better === "higher";
  return [
    textCell(name),
    withTasks(restingOn({ text: show(a.value), ...valued(a.value), n: a.n }, rests), before),
    withTasks(restingOn({ text: show(b.value), ...valued(b.value), n: b.n }, rests), after),
    withTasks(
      restingOn({ text: gap === undefined ? "-" : `${gap > 0 ? "+" : ""}${show(gap)}`, ...valued(gap) }, rests),
      after,
    ),
    textCell(interval === undefined ? "-" : `[${show(interval.low)}, ${show(interval.high)}]`),
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
  return { text: p < 0.0001 ? "<0.0001" : p.toFixed(4), value: p, ...(test === undefined ? {} : { note: test }) };
}
