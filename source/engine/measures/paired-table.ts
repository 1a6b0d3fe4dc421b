/** Two runs side by side, group by group, on the tasks both have: the table behind every ablation. */
import type { RunRows } from "../analysis.ts";
import type { Cell, TableFigure } from "../figure.ts";
import { type Coverage, coverageOf, restingOn } from "./coverage.ts";
import { byFacet, facetOrder, facetTitle, isScored, refs, shownValue, textCell } from "./measure-cell.ts";
import { holm, type Comparison } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import { meanOf } from "./measure.ts";
import { tableColumns } from "./table-columns.ts";
import { comparedTasks, pairedTasks, scoredPairs, testNotes, type TaskPair } from "./task-pairs.ts";

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
  const pairs = pairedTasks(before, after);
  const groups: (readonly [string, readonly TaskPair[]])[] = [];
  for (const [value, rows] of byFacet(before.rows, by, facetOrder([before], by))) {
    const tasks = new Set(rows.map(({ task }) => task));
    groups.push([String(value), pairs.filter(({ task }) => tasks.has(task))]);
  }
  const compared = groups.map(([, group]) => comparedTasks(group, measure));
  // Groups in which nothing could be tested are no tests to correct for.
  const tested = compared.filter((each) => each !== undefined);
  const adjusted = new Map(holm(tested.map(({ p }) => p)).map((p, index) => [tested[index]!, p]));
  const lines = groups.map(([name, group], index) => {
    const own = compared[index];
    return line(name, group, measure, own, own && adjusted.get(own));
  });
  const all = groups.length === 1 ? compared[0] : comparedTasks(pairs, measure);
  if (groups.length !== 1) lines.push(line("all", pairs, measure, all, undefined));
  const notes = testNotes([...compared, all]);
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

/** One row per pair of the first run with another, over all tasks of the pair; p-values corrected by Holm over the pairs. */
export function pairsTable(before: RunRows, others: readonly RunRows[], measure: Measure): TableFigure {
  const pairs = others.map((after) => ({ after, tasks: pairedTasks(before, after) }));
  const compared = pairs.map(({ tasks }) => comparedTasks(tasks, measure));
  const tested = compared.filter((each) => each !== undefined);
  const adjusted = new Map(holm(tested.map(({ p }) => p)).map((p, index) => [tested[index]!, p]));
  const notes = testNotes(compared);
  return {
    kind: "table",
    title: `${measure.title}: ${before.label} against ${others.length} others`,
    columns: tableColumns(["Against"], [before.label, "other", ...testColumns]),
    rows: pairs.map(({ after, tasks }, index) => {
      const own = compared[index];
      return line(after.label, tasks, measure, own, own && adjusted.get(own));
    }),
    notes: [
      "Only tasks with a score in both runs of a pair; the gap is the other minus the first, in points; Holm over the pairs",
      ...(notes.length === 0 ? [untested(measure)] : notes),
      ...(pairs.some(({ tasks }) => hasTrials(tasks)) ? [trialsNote] : []),
    ],
  };
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

function line(
  name: string,
  pairs: readonly TaskPair[],
  measure: Measure,
  compared: Comparison | undefined,
  adjusted: number | undefined,
): Cell[] {
  const scored = scoredPairs(pairs, measure);
  const [before, after] = [scored.flatMap((pair) => pair.before), scored.flatMap((pair) => pair.after)];
  const [a, b] = [measure.of(before), measure.of(after)];
  const difference = a.value === undefined || b.value === undefined ? undefined : b.value - a.value;
  // With an unequal number of trials the difference of means is not the mean difference of tasks, which was tested.
  const gap = hasTrials(scored) ? (compared?.difference ?? difference) : difference;
  const { each } = measure;
  const flips = (sign: 1 | -1) =>
    refs(
      scored
        .filter(
          (pair) =>
            each !== undefined && sign * (meanOf(pair.after, each).value! - meanOf(pair.before, each).value!) > 0,
        )
        .flatMap((pair) => pair.after),
    );
  const show = (value: number | undefined) => shownValue(value, measure.unit);
  const interval = compared?.interval;
  const rests = pairCoverage(pairs, scored);
  // Gained means better: where lower is better, that is the tasks whose value fell.
  const up = measure.better === "higher";
  return [
    textCell(name),
    restingOn(
      { text: show(a.value), ...(a.value === undefined ? {} : { value: a.value }), n: a.n, tasks: refs(before) },
      rests,
    ),
    restingOn(
      { text: show(b.value), ...(b.value === undefined ? {} : { value: b.value }), n: b.n, tasks: refs(after) },
      rests,
    ),
    restingOn(
      {
        text: gap === undefined ? "-" : `${gap > 0 ? "+" : ""}${show(gap)}`,
        ...(gap === undefined ? {} : { value: gap }),
        tasks: refs(after),
      },
      rests,
    ),
    textCell(interval === undefined ? "-" : `[${show(interval.low)}, ${show(interval.high)}]`),
    textCell(compared === undefined ? "-" : String(up ? compared.gained : compared.lost), {
      tasks: flips(up ? 1 : -1),
    }),
    textCell(compared === undefined ? "-" : String(up ? compared.lost : compared.gained), {
      tasks: flips(up ? -1 : 1),
    }),
    pCell(compared?.p, compared?.test),
    pCell(adjusted, compared?.test),
    textCell(String(scored.length), { value: scored.length, tasks: refs(after) }),
  ];
}

/** Of the tasks that ended in both runs, those with a score in both. */
function pairCoverage(pairs: readonly TaskPair[], scored: readonly TaskPair[]): Coverage {
  const kept = new Set(scored.map(({ task }) => task));
  const missing = pairs.flatMap(({ task, before, after }) => {
    if (kept.has(task)) return [];
    // What neither run failed in is a task the measure is not about, unless a score is missing.
    const rests = [before, after].map((rows) => coverageOf(rows, isScored));
    if (rests.some(({ failed }) => failed > 0)) return ["failed" as const];
    return rests.some(({ unscored }) => unscored > 0) ? ["unscored" as const] : [];
  });
  const count = (kind: "failed" | "unscored") => missing.filter((each) => each === kind).length;
  return { scored: scored.length, unscored: count("unscored"), failed: count("failed") };
}

function pCell(p: number | undefined, test: string | undefined): Cell {
  if (p === undefined) return textCell("-");
  return { text: p < 0.0001 ? "<0.0001" : p.toFixed(4), value: p, ...(test === undefined ? {} : { note: test }) };
}
