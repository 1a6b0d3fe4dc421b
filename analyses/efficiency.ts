/** Effort of each strategy: requests, tool calls, tokens, new plans, switches and seconds per task. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type BarsFigure, type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { stepsNoted } from "../source/engine/log/rows/row-notes.ts";
import { coverageOf, restingOn } from "../source/engine/measures/coverage.ts";
import { effortCounts, effortOf, type JudgedEffort, sumCounts, usageOf } from "../source/engine/measures/effort.ts";
import { meanOf, rowValues } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { fieldValue } from "../source/engine/measures/run-field.ts";
import type { Row } from "../source/engine/types.ts";
import { filtered } from "../source/engine/work/growing-list.ts";
import { tokensOverTime } from "./tokens-over-time.ts";

type Effort = {
  readonly name: string;
  readonly title: string;
  readonly digits: number;
  readonly each: JudgedEffort;
};

const counted = (name: string, title: string, kind: string): Effort => ({
  name,
  title,
  digits: 2,
  each: (row) => stepsNoted(row, kind),
});
/** Metrics that suites add to their tasks; a column appears only if a row has the metric. */
const suiteMetric = (metric: string, title: string): Effort => ({
  name: metric.replaceAll("_", "-"),
  title,
  digits: 2,
  each: ({ score }) => score?.metrics[metric],
});
const effort: readonly Effort[] = [
  { name: "calls", title: "Requests", digits: 2, each: (row, judge) => usageOf(row, judge).calls },
  { name: "tool-calls", title: "Tool calls", digits: 2, each: ({ counted: { toolCalls } }) => toolCalls },
  { name: "failed-tool-calls", title: "Failed", digits: 2, each: ({ score }) => score?.metrics["tool_failures"] },
  suiteMetric("cached", "From cache"),
  suiteMetric("simulated", "Simulated"),
  { name: "input", title: "Tokens in", digits: 0, each: (row, judge) => usageOf(row, judge).tokens.input },
  { name: "output", title: "Tokens out", digits: 0, each: (row, judge) => usageOf(row, judge).tokens.output },
  counted("switches", "Switches", "switch"),
  counted("replans", "New plans", "replan"),
  counted("backtracks", "Backtracks", "backtrack"),
  suiteMetric("steps_again", "Steps rerun"),
  suiteMetric("plan_length", "Plan length"),
  suiteMetric("apis_per_step", "APIs a step"),
  counted("bounds", "Bounds hit", "bound"),
  suiteMetric("first_call", "To first call, s"),
  { name: "seconds", title: "Seconds", digits: 2, each: (row, judge) => usageOf(row, judge).seconds },
  { name: "cost", title: "Cost", digits: 4, each: (row, judge) => usageOf(row, judge).cost },
];
/** Parts of the work, by the stages of a strategy's requests. */
const parts: readonly (readonly [string, readonly string[]])[] = [
  ["planning", ["plan"]],
  ["acting", ["step", "thought", "action", "answer"]],
  ["summarising", ["state", "check", "extract", "reflect", "final"]],
  ["replanning", ["replan", "refine"]],
  ["judging", ["judge-answer", "judge-steps", "judge-fac", "judge-preference", "judge-error"]],
  ["simulating", ["simulate"]],
];

export const efficiency: Analysis = {
  name: "efficiency",
  title: "Efficiency",
  question: "What effort does each strategy take: requests, tokens, new plans, seconds?",
  choices: () => ({
    per: ["task", "success", "total"],
    judge: ["without", "with"],
    bars: ["seconds", ...effort.map(({ name }) => name).filter((name) => name !== "seconds")],
    time: ["off", "on"],
  }),
  titles: Object.fromEntries(effort.map(({ name, title }) => [name, title.toLowerCase()])),
  missing: (runs) =>
    runs.some(({ rows }) => rowContents(rows).endedRuns.size > 0) ? undefined : "No task has ended yet",
  compute(runs, { per = "task", judge = "without", bars = "seconds", time = "off" }) {
    const ended = runs.filter(({ rows }) => cells.endedRows(rows).length > 0);
    const chosen = effort.find(({ name }) => name === bars) ?? effort[0]!;
    const how = { per, judge: judge === "with" };
    return [
      table(ended, how),
      stages(ended, how),
      barsOf(ended, chosen, how),
      ...(time === "on" ? [tokensOverTime(ended, how.judge)] : []),
    ];
  },
};

type How = { readonly per: string; readonly judge: boolean };

const isWon = ({ score }: Row): boolean => (score?.value ?? 0) >= 0.5;
const scoreOf = ({ score }: Row) => score?.value;

/** Aggregates a value over the rows of a run: per task, per successful task, or as a sum. */
function cellOf(rows: readonly Row[], { each, digits }: Effort, { per, judge }: How): Cell {
  const mean = meanOf(rows, effortOf(each, judge));
  const { length: wins } = filtered(isWon, rows);
  const sum = mean.value === undefined ? undefined : mean.value * mean.n;
  const value =
    per === "total" ? sum : per === "success" ? (wins === 0 || sum === undefined ? undefined : sum / wins) : mean.value;
  const n = per === "success" ? wins : mean.n;
  if (value === undefined) return { text: "-", n };
  return cells.withTasks({ text: value.toFixed(per === "total" ? Math.min(digits, 2) : digits), value, n }, rows);
}

function table(runs: readonly RunRows[], how: How): TableFigure {
  const { per, judge } = how;
  const shown = taken(effort, runs, judge);
  const words = { task: "per task", success: "per task that succeeded", total: "in total" }[per] ?? per;
  return {
    kind: "table",
    title: `Effort ${words}`,
    columns: tableColumns(["Run", "Strategy"], ["Success", ...shown.map(({ title }) => title), "n"]),
    rows: runs.map((run): Cell[] => {
      const { label, rows: all } = run;
      const rows = cells.endedRows(all);
      // Sums contain what stopped tasks used; a mean would count their part as a whole task.
      const used = per === "total" ? rowContents(all).spent : rows;
      const { value, n } = meanOf(rows, scoreOf);
      return [
        cells.textCell(label),
        cells.textCell(String(fieldValue(run, "strategy"))),
        restingOn(cells.valueCell(value, "percent", n), coverageOf(rows, cells.isScored)),
        ...shown.map((one) => cellOf(used, one, how)),
        cells.textCell(String(rows.length), { value: rows.length }),
      ];
    }),
    notes: [
      `Requests of every role${judge ? ", including the judge" : " except the judge"}; seconds cover the whole task, including waiting`,
      ...(runs.some(({ spec }) => spec.strategy === "tool-planner")
        ? [
            "According to the paper Tool-Planner takes about twice the time of ReAct and AdaPlanner; DFSDT takes six to eight times their time",
          ]
        : []),
      ...estimated(runs),
      ...cells.shortfall(runs, per === "total" ? sumCounts : effortCounts),
    ],
  };
}

const isEstimated = ({ counted: { tokens } }: Row): boolean => tokens.estimated;

function estimated(runs: readonly RunRows[]): readonly string[] {
  for (const { rows } of runs)
    if (filtered(isEstimated, rows).length > 0)
      return ["Some tokens are estimated because not every server counts them"];
  return [];
}

/** Returns the columns for which some row has a value other than 0. */
const taken = <Column extends Pick<Effort, "each">>(
  columns: readonly Column[],
  runs: readonly RunRows[],
  judge: boolean,
): readonly Column[] =>
  columns.filter(({ each }) => {
    return runs.some(({ rows }) => rowValues(effortOf(each, judge), rows).some((value) => value !== 0));
  });

const requestsOf = ({ notes }: Row, isMeant: (stage: string) => boolean): number =>
  notes.reduce((sum, note) => sum + (note.type === "stage" && isMeant(note.stage) ? note.times : 0), 0);

/** The requests of each part of the work. */
const partEfforts = [...parts, ["other", []] as const].map(([title, names]): Effort => {
  const isMeant = (stage: string) =>
    title === "other" ? parts.every(([, known]) => !known.includes(stage)) : names.includes(stage);
  return { name: title, title, digits: 2, each: (row) => requestsOf(row, isMeant) };
});

/** Counts requests per task by part of the work. */
function stages(runs: readonly RunRows[], { judge }: How): TableFigure {
  const columns = taken(
    partEfforts.filter(({ title }) => judge || title !== "judging"),
    runs,
    judge,
  );
  return {
    kind: "table",
    title: "Requests per task by part of the work",
    columns: tableColumns(["Run"], [...columns.map(({ title }) => title), "n"]),
    rows: runs.map(({ label, rows }): Cell[] => {
      const ended = cells.endedRows(rows);
      const shown = columns.map((part) => cellOf(ended, part, { per: "task", judge }));
      return [cells.textCell(label), ...shown, cells.countCell(ended)];
    }),
    notes: [],
  };
}

const barsOf = (runs: readonly RunRows[], chosen: Effort, { judge }: How): BarsFigure => ({
  kind: "bars",
  title: `${chosen.title} per task`,
  unit: "",
  bars: runs.map(({ label, rows }) => {
    const ended = cells.endedRows(rows);
    return {
      label,
      cell: cellOf(ended, chosen, { per: "task", judge }),
      ...cells.rowsInterval(ended, effortOf(chosen.each, judge)),
    };
  }),
  notes: ["Lines show 95 % intervals"],
});
