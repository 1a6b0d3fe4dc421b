/** Compares tool use with the reference, and lists the endings of runs with tools that deliver no plan. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, type Figure, type LinesFigure, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { metricOf, rowValues } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import type { Reported } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { filtered, keyByName } from "../source/engine/work/growing-list.ts";

const PREFIX = "tool:";
const failed = "tool:failed";
const GROUP = "Tool use";

export const toolUse: Analysis = {
  name: "tool-use",
  title: "Tool use",
  question: "How often is each tool used, and how do runs without a plan end?",
  choices: () => ({ paper: ["on", "off"] }),
  missing: (runs) =>
    runs.some(acted)
      ? undefined
      : "No run here counts uses of each tool; TravelPlanner runs with `react` or `reflexion` do",
  compute(runs, { paper = "on" }) {
    const acting = runs.filter(acted);
    const ofRuns = acting.map((run): readonly Figure[] => [uses(run, paper === "on"), ...byDays(run)]);
    const table = endings(acting, paper === "on");
    return table.rows.length === 0 ? ofRuns.flat() : [...ofRuns.flat(), table];
  },
};

/** Returns whether a run used tools, even if all of its calls failed or it ended without a valid call. */
function acted(run: RunRows): boolean {
  const { metrics, errorKinds } = rowContents(run.rows);
  return [...metrics].some((name) => name.startsWith(PREFIX)) || kindsOf(run).some(({ name }) => errorKinds.has(name));
}

/**
 * Returns the tools with metrics `tool:NAME`: the paper's tools in the paper's order, then others. `tool:failed` counts failed
 * calls.
 */
function toolsOf({ rows, reported }: RunRows): readonly string[] {
  const printed = reported.values.map(({ measure }) => measure).filter((name) => name.startsWith(PREFIX));
  const others = [...rowContents(rows).metrics].filter((name) => name.startsWith(PREFIX) && name !== failed);
  return [...new Set([...printed, ...others.toSorted()])];
}

type Column = { readonly label: string; readonly group: string | number };

/**
 * Builds a table of the mean number of uses per task. It has a row for each tool, a column for each number of days, and the
 * paper's agent and reference on the right.
 */
function uses(run: RunRows, paper: boolean): TableFigure {
  const days = daysOf(run);
  const groups: typeof days = days.length === 0 ? [["all", filtered(isScored, run.rows)]] : days;
  const reported = paper ? reportedUses(run) : [];
  const tools = [...toolsOf(run), failed];
  const lines = tools.map((tool): Cell[] => [
    cells.textCell(titleOf(tool)),
    ...groups.map(([, rows]) => meanCell(tool, rows)),
    ...reported.map(({ values }) => reportedMean(values.get(tool))),
  ]);
  const count = [
    cells.textCell("n"),
    // A count is not a mean, so it has no bar.
    ...groups.map(([, rows]) => cells.withTasks({ text: String(rows.length) }, rows)),
    ...reported.map(() => cells.textCell("", { reported: true })),
  ];
  const titles = groups.map(([group]) => (days.length === 0 ? String(group) : `${group} days`));
  return {
    kind: "table",
    title: `Mean uses of each tool: ${run.label}`,
    columns: [
      ...tableColumns(["Tool"], titles),
      ...reported.map(({ label, group }) => ({ title: String(group), align: "right" as const, under: [label] })),
    ],
    rows: [...lines, count],
    notes: [
      "Uses per task, including failed calls",
      ...cells.shortfall([run], { unscored: "uses of tools in these tasks still count" }),
    ],
  };
}

/**
 * Plots the mean number of uses against the number of days, with a line for each used tool. Returns none if all trips have the
 * same length.
 */
function byDays(run: RunRows): readonly LinesFigure[] {
  const days = daysOf(run);
  if (days.length < 2) return [];
  const series = [...toolsOf(run), failed].map((tool) => {
    const points = days.map(([length, rows]) => ({ x: Number(length), cell: meanCell(tool, rows) }));
    return { label: titleOf(tool), points };
  });
  return [
    {
      kind: "lines",
      drawsTable: true,
      title: `Mean uses of each tool by days: ${run.label}`,
      x: "days",
      y: "uses a task",
      series: series.filter(({ points }) => points.some(({ cell }) => cell.value !== 0)),
      notes: ["Unused tools are left out"],
    },
  ];
}

/** Groups scored rows by the days of their trips. */
function daysOf(run: RunRows): readonly (readonly [string | number, readonly Row[]])[] {
  const scored = filtered(isScored, run.rows);
  return [...cells.byFacet(scored, "days", cells.facetOrder([run], "days"))];
}

const isScored = ({ score }: Row) => score !== undefined;

const titleOf = (tool: string): string => (tool === failed ? "calls that failed" : tool.slice(PREFIX.length));

const hasUses = keyByName(
  (tool: string) =>
    (row: Row): boolean =>
      (metricOf(tool)(row) ?? 0) > 0,
);

function meanCell(tool: string, rows: readonly Row[]): Cell {
  if (rows.length === 0) return cells.textCell("-");
  const used = filtered(hasUses(tool), rows);
  const value = rowValues(metricOf(tool), rows).reduce((sum, own) => sum + own, 0) / rows.length;
  return cells.withTasks({ text: value.toFixed(1), value, n: rows.length }, used);
}

function reportedMean(reported: Reported | undefined): Cell {
  const cell = cells.reportedCell(reported, "number");
  return reported?.value === undefined ? cell : { ...cell, text: reported.value.toFixed(1) };
}

function reportedUses({ reported }: RunRows): readonly (Column & { readonly values: ReadonlyMap<string, Reported> })[] {
  const about = reported.values.filter(
    ({ measure, where }) => measure.startsWith(PREFIX) && where["days"] !== undefined,
  );
  const groups = Map.groupBy(about, ({ row, where }) => `${row}\n${where["days"]}`);
  return [...groups.values()].map((values) => ({
    label: values[0]!.row,
    group: values[0]!.where["days"]!,
    values: new Map(values.map((value) => [value.measure, value])),
  }));
}

/** Selects the undelivered rows of a run whose error is in the suite's group of tool-use errors. */
function endingsOf(run: RunRows): readonly Row[] {
  return filtered(hasMistake(kindsOf(run).map(({ name }) => name)), run.rows);
}

const hasMistake = keyByName(
  (kinds: readonly string[]) =>
    ({ score }: Row): boolean =>
      score?.errors.some(({ kind }) => kinds.includes(kind)) === true,
);
const kindsOf = ({ suite }: RunRows) => suite.errorKinds.filter(({ group }) => group === GROUP);

/**
 * Builds a table of the shares of endings among undelivered runs, with a row for each run, a column for each ending, and the
 * paper's rows below.
 */
function endings(acting: readonly RunRows[], paper: boolean): TableFigure {
  const kinds = acting.slice(0, 1).flatMap(kindsOf);
  const all = acting.map((run) => ({ run, ended: endingsOf(run) }));
  const found = all.filter(({ ended }) => ended.length > 0);
  const runs = found.map(({ run }) => run);
  const lines = found.map(({ run, ended }): Cell[] => {
    const shares = kinds.map(({ name }): Cell => {
      const hit = ended.filter((row) => row.score!.errors.some(({ kind }) => kind === name));
      const value = hit.length / ended.length;
      return cells.withTasks({ text: cells.shownValue(value, "percent"), value, n: ended.length }, hit);
    });
    return [cells.textCell(run.label), ...shares, cells.withTasks({ text: String(ended.length) }, ended)];
  });
  const reported = new Set(paper ? acting.flatMap((run) => run.reported.values) : []);
  const shares = [...reported].filter(({ measure }) => measure.startsWith("ending."));
  const below = [...Map.groupBy(shares, ({ row }) => row)].map(([row, values]): Cell[] => [
    cells.textCell(row, { reported: true, note: values[0]!.source }),
    ...kinds.map(({ name }) =>
      cells.reportedCell(
        values.find(({ measure }) => measure === `ending.${name}`),
        "percent",
      ),
    ),
    cells.textCell("", { reported: true }),
  ]);
  return {
    kind: "table",
    title: "How runs without a plan ended",
    columns: tableColumns(["Run"], [...kinds.map(({ title }) => title), "n"]),
    rows: cells.withPrintedDecimals([...lines, ...below]),
    notes: [
      "Percent of the tasks with tools that ended without a plan",
      ...cells.overruled(runs),
      ...cells.shortfall(runs),
    ],
  };
}
