/** Measures by number of toolkits: one line per otherwise equal setting. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { copyOf, type LinesFigure } from "../source/engine/figure.ts";
import { effortCounts, secondsOf } from "../source/engine/measures/effort.ts";
import { intervalAtAnyLook } from "../source/engine/measures/unfinished.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { metricOfRun, rowContents } from "../source/engine/measures/row-contents.ts";
import { settingTexts } from "../source/engine/measures/run-groups.ts";
import { effectOf } from "../source/engine/measures/effective-settings.ts";
import type { Measure } from "../source/engine/suite.ts";
import { printedSeries } from "../source/engine/measures/reported-lines.ts";
import { fieldValue } from "../source/engine/measures/run-field.ts";
import type { Facets, Row } from "../source/engine/types.ts";

/** Sources of k; a run without the chosen source is omitted. */
const axes = {
  "clusters.k": "k, toolkits requested",
  "cluster.count": "toolkits made",
  "clusters.eps": "eps of DBSCAN",
} as const;
type Axis = keyof typeof axes;
/** Measures of the suite shown by default. */
const main = 2;

/** Measures of effort per task, the same for all suites. */
const effort: readonly Measure[] = [
  perTask("calls", "Model calls per task", "number", ({ counted }) => counted.calls),
  // A suite's own count omits the call that ends a task, and tasks without a score.
  perTask("tool-calls", "Tool calls per task, including the last call", "number", ({ counted }) => counted.toolCalls),
  perTask("seconds", "Seconds per task", "seconds", secondsOf),
];

export const kSweep: Analysis = {
  name: "k-sweep",
  title: "k sweep",
  question: "How many toolkits work best?",
  choices: (runs) => ({
    measures: ["all", ...cells.measuresOf(runs).map(({ name }) => name), ...effort.map(({ name }) => name)],
    x: varied(runs).length > 0 ? varied(runs) : ["clusters.k"],
    paper: ["off", "on"],
  }),
  missing: (runs) =>
    varied(runs).length > 0
      ? undefined
      : "All runs have the same toolkits: make k a list in the run cell, such as `clusters: {k: [4, 8, 16]}`",
  compute(runs, { measures: named = "all", x = "clusters.k", paper = "off" }) {
    const own = cells.measuresOf(runs);
    const measures =
      named === "all" ? [...mainOf(own, runs), ...effort] : [...own, ...effort].filter(({ name }) => name === named);
    return measures.map((measure) => figure(runs, measure, x as Axis, paper === "on"));
  },
};

/** Returns the first of these measures for which a run has a value. */
function mainOf(measures: readonly Measure[], runs: readonly RunRows[]): readonly Measure[] {
  const valued: Measure[] = [];
  for (const measure of measures) if (valued.length < main && cells.isValued(measure, runs)) valued.push(measure);
  return valued;
}

function perTask(name: string, title: string, unit: Measure["unit"], each: (row: Row) => number | undefined): Measure {
  return { kind: "mean", name, title, mode: "effort", unit, better: "lower", each };
}

/** Returns a run's position on the axis: an effective option of its cell, or a metric of its tasks. */
function place({ spec, suite, rows, clusters }: RunRows, axis: Axis): number | undefined {
  if (axis === "cluster.count") return metricOfRun(rows, axis) ?? clusters?.toolkits.length;
  const value = effectOf(spec, suite)(axis) ? spec.options[axis] : undefined;
  const number = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns the axes on which these runs differ. */
const varied = (runs: readonly RunRows[]): Axis[] =>
  (Object.keys(axes) as Axis[]).filter(
    (axis) => new Set(runs.map((run) => place(run, axis)).filter((value) => value !== undefined)).size > 1,
  );

function figure(runs: readonly RunRows[], measure: Measure, axis: Axis, paper: boolean): LinesFigure {
  const placed = runs.flatMap((run) => {
    const x = place(run, axis);
    return x === undefined ? [] : [{ run, x }];
  });
  const label = settingsOf(placed.map(({ run }) => run));
  const out = runs.filter((run) => place(run, axis) === undefined);
  const lines = Map.groupBy(placed, ({ run }) => label(run));
  const isAbout = (where: Facets) => placed.some(({ run }) => isOnlyAbout(run, where));
  const printed = paper ? printedSeries(runs, measure, axis, isAbout) : [];
  return {
    kind: "lines",
    title: `${measure.title} by ${axes[axis]}`,
    x: axes[axis],
    y: measure.title,
    series: [
      ...[...lines].map(([setting, group]): LinesFigure["series"][number] => {
        const sorted = group.toSorted((a, b) => a.x - b.x);
        const points = sorted.map(({ run, x }) => {
          const rows = cells.endedRows(run.rows);
          const { anytime, ...ends } = intervalAtAnyLook(measure, rows, [run]) ?? {};
          const cell = cells.measureCell(measure, rows);
          return { x, cell: anytime === true ? copyOf(cell, { anytime }) : cell, ...ends };
        });
        return { label: setting, points };
      }),
      ...printed,
    ],
    notes: [
      "Lines show 95 % intervals",
      ...(paper && printed.length === 0 ? ["No paper reports this measure for these tasks along this axis"] : []),
      ...(out.length === 0 ? [] : [`Not on this axis: ${out.map(({ label }) => label).join("; ")}`]),
      ...cells.shortfall(runs, measure.mode === "effort" ? effortCounts : {}),
    ],
  };
}

/** Reports whether all tasks of a run are in this group. */
function isOnlyAbout({ rows }: RunRows, where: Facets): boolean {
  if (rows.length === 0) return false;
  const { facets } = rowContents(rows);
  return Object.entries(where).every(([facet, value]) => facets.get(facet)?.get(value) === rows.length);
}

/** Returns the settings in which the runs differ, except the number of toolkits; the strategy if there are no such settings. */
function settingsOf(runs: readonly RunRows[]): (run: RunRows) => string {
  const all = runs.map((run) => {
    const matters = effectOf(run.spec, run.suite);
    return new Map([...settingTexts(run, Object.keys(axes))].filter(([name]) => matters(name)));
  });
  const names = [...new Set(all.flatMap((each) => [...each.keys()]))];
  const differing = names.filter((name) => new Set(all.map((each) => each.get(name))).size > 1);
  return (run) => {
    const own = all[runs.indexOf(run)]!;
    const parts = differing.flatMap((name) => {
      const text = own.get(name);
      return text === undefined ? [] : [speaking.has(name) ? text : `${name} ${text}`];
    });
    return parts.length === 0 ? String(fieldValue(run, "strategy")) : parts.join(" · ");
  };
}

/** Settings whose values are self-explanatory. */
const speaking = new Set(["suite", "split", "strategy", "model"]);
