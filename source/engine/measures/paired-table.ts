/** Two runs side by side, group by group, on the tasks both have: the table behind every ablation. */
import type { RunRows } from "../analysis.ts";
import type { Cell, TableFigure } from "../figure.ts";
import { byFacet, facetOrder, facetTitle, refs, shownValue, textCell } from "./measure-cell.ts";
import { comparePaired, holm, type Comparison } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import { tableColumns } from "./table-columns.ts";
import type { Row } from "../types.ts";

type Pair = { readonly before: Row; readonly after: Row };

/** Tasks that have a row in both runs. */
export function pairedRows(before: RunRows, after: RunRows): readonly Pair[] {
  const byTask = new Map(after.rows.map((row) => [row.task, row]));
  return before.rows.flatMap((row) => {
    const other = byTask.get(row.task);
    return other === undefined ? [] : [{ before: row, after: other }];
  });
}

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
  const pairs = pairedRows(before, after);
  const groups: (readonly [string, readonly Pair[]])[] = [];
  for (const [value, rows] of byFacet(before.rows, by, facetOrder([before], by))) {
    const tasks = new Set(rows.map(({ task }) => task));
    groups.push([String(value), pairs.filter((pair) => tasks.has(pair.before.task))]);
  }
  const compared = groups.map(([, group]) => compare(group, measure));
  // Groups in which nothing could be tested are no tests to correct for.
  const tested = compared.filter((each) => each !== undefined);
  const adjusted = new Map(holm(tested.map(({ p }) => p)).map((p, index) => [tested[index]!, p]));
  const lines = groups.map(([name, group], index) => {
    const own = compared[index];
    return line(name, group, measure, own, own && adjusted.get(own));
  });
  if (groups.length !== 1) lines.push(line("all", pairs, measure, compare(pairs, measure), undefined));
  const test = compared.find((each) => each !== undefined)?.test;
  return {
    kind: "table",
    title: `${measure.title}: ${before.label} against ${after.label}`,
    columns: tableColumns(
      [facetTitle([before], by)],
      [before.label, after.label, "gap", "95 % interval", "gained", "lost", "p", "p (Holm)", "n"],
    ),
    rows: lines,
    notes: [
      "Only tasks with a score in both runs; the gap is the second minus the first, in points",
      test === undefined ? untested(measure) : `p: ${test}, two-sided; interval of the gap: bootstrap over tasks`,
    ],
  };
}

function untested({ each }: Measure): string {
  const why = each === undefined ? "This measure is not a mean over tasks" : "No task has a value of it in both runs";
  return `${why}: no test is made`;
}

function compare(pairs: readonly Pair[], measure: Measure): Comparison | undefined {
  const { each } = measure;
  if (each === undefined) return undefined;
  const values = pairs.flatMap(({ before, after }) => {
    const [a, b] = [each(before), each(after)];
    return a === undefined || b === undefined ? [] : [[a, b] as const];
  });
  return values.length === 0 ? undefined : comparePaired(values, measure.name);
}

function line(
  name: string,
  pairs: readonly Pair[],
  measure: Measure,
  compared: Comparison | undefined,
  adjusted: number | undefined,
): Cell[] {
  const scored = pairs.filter(({ before, after }) => isScored(before, measure) && isScored(after, measure));
  const [before, after] = [scored.map((pair) => pair.before), scored.map((pair) => pair.after)];
  const [a, b] = [measure.of(before), measure.of(after)];
  const gap = a.value === undefined || b.value === undefined ? undefined : b.value - a.value;
  const flips = (sign: 1 | -1) =>
    refs(
      scored
        .filter((pair) => sign * ((measure.each?.(pair.after) ?? 0) - (measure.each?.(pair.before) ?? 0)) > 0)
        .map((pair) => pair.after),
    );
  const show = (value: number | undefined) => shownValue(value, measure.unit);
  const interval = compared?.interval;
  // Gained means better: where lower is better, that is the tasks whose value fell.
  const up = measure.better === "higher";
  return [
    textCell(name),
    { text: show(a.value), ...(a.value === undefined ? {} : { value: a.value }), n: a.n, tasks: refs(before) },
    { text: show(b.value), ...(b.value === undefined ? {} : { value: b.value }), n: b.n, tasks: refs(after) },
    {
      text: gap === undefined ? "-" : `${gap > 0 ? "+" : ""}${show(gap)}`,
      ...(gap === undefined ? {} : { value: gap }),
      tasks: refs(after),
    },
    textCell(interval === undefined ? "-" : `[${show(interval.low)}, ${show(interval.high)}]`),
    textCell(compared === undefined ? "-" : String(up ? compared.gained : compared.lost), {
      tasks: flips(up ? 1 : -1),
    }),
    textCell(compared === undefined ? "-" : String(up ? compared.lost : compared.gained), {
      tasks: flips(up ? -1 : 1),
    }),
    pCell(compared?.p),
    pCell(adjusted),
    textCell(String(scored.length), { value: scored.length, tasks: refs(after) }),
  ];
}

/** Where one run's answer could not be scored, the other's says nothing about the gap. */
function isScored(row: Row, { each }: Measure): boolean {
  return row.score !== undefined && (each === undefined || each(row) !== undefined);
}

function pCell(p: number | undefined): Cell {
  if (p === undefined) return textCell("-");
  return { text: p < 0.0001 ? "<0.0001" : p.toFixed(4), value: p };
}
