/** Cost of plans against the budget, only for plans whose cost counts, since an incomplete plan costs little. */
import { median } from "simple-statistics";
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, type PointsFigure, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import type { Row } from "../source/engine/types.ts";
import { counted } from "../source/engine/text/counted.ts";
import { filtered, flatMapped } from "../source/engine/work/growing-list.ts";

export const cost: Analysis = {
  name: "cost",
  title: "Cost against budget",
  question: "How close do plans come to their budgets, and which plans exceed them?",
  choices: (runs) => ({ by: cells.groupings(runs.filter(hasCosts)) }),
  missing: (runs) => (runs.some(hasCosts) ? undefined : "No plan of these runs has a cost and a budget"),
  compute(runs, { by = "" }) {
    const priced = runs.filter(hasCosts);
    return [table(priced, by), ...priced.map(points)];
  },
};

type Priced = { readonly row: Row; readonly cost: number; readonly budget: number };

/** Selects plans whose budget check counts in the benchmark. */
const pricedOf = (rows: readonly Row[]): readonly Priced[] => filtered(isCounted, flatMapped(withCost, rows));

/** Selects the plans whose cost is unknown, because they are incomplete or name unknown places. */
const uncountedOf = (rows: readonly Row[]): readonly Row[] => filtered(isUncounted, rows);

const isCounted = ({ row }: Priced): boolean => budgetOf(row) !== undefined;
const isUncounted = (row: Row): boolean => row.score?.metrics["budget"] !== undefined && budgetOf(row) === undefined;
const budgetOf = ({ score }: Row) => score?.checks.find(({ name }) => name === "Budget")?.kept;

function withCost(row: Row): readonly Priced[] {
  const { cost: spent, budget } = row.score?.metrics ?? {};
  return spent === undefined || budget === undefined || budget <= 0 ? [] : [{ row, cost: spent, budget }];
}

function hasCosts({ rows }: RunRows): boolean {
  const { metrics } = rowContents(rows);
  return metrics.has("cost") && metrics.has("budget") && flatMapped(withCost, rows).length > 0;
}

const over = ({ cost: spent, budget }: Priced) => spent > budget;

const pointOf = (each: Priced): PointsFigure["points"][number] => ({
  x: each.budget,
  y: each.cost,
  group: over(each) ? "over budget" : "within budget",
  label: each.row.task,
  tasks: cells.refs([each.row]),
});
const rowOf = ({ row }: Priced) => row;

function points(run: RunRows): PointsFigure {
  const priced = pricedOf(run.rows);
  return {
    kind: "points",
    title: `Cost against budget: ${run.label}`,
    x: "budget, dollars",
    y: "cost, dollars",
    points: flatMapped(pointOf, priced),
    notes: [`${counted(priced.length, "plan")} with a known cost and budget`, ...uncountedNote(run)],
  };
}

function table(runs: readonly RunRows[], by: string): TableFigure {
  const lines = runs.map((run) => {
    const groups = [...cells.byFacet(run.rows, by, cells.facetOrder(runs, by))];
    const parts = groups.length > 1 ? [...groups, ["all", run.rows] as const] : [["all", run.rows] as const];
    return parts.map(([name, rows]): Cell[] => [
      cells.textCell(run.label),
      cells.textCell(String(name)),
      ...cellsOf(rows),
    ]);
  });
  return {
    kind: "table",
    title: `Cost against budget${cells.groupedBy(runs, by)}`,
    columns: tableColumns(
      ["Run", cells.facetTitle(runs, by)],
      ["Median cost / budget", "Over budget, %", "Median overrun, $", "n", "Not counted"],
    ),
    rows: lines.flat(),
    notes: [...runs.flatMap(uncountedNote), ...cells.shortfall(runs)],
  };
}

const medianOf = (values: readonly number[]) => (values.length === 0 ? undefined : median(values));

function uncountedNote({ label, rows }: RunRows): readonly string[] {
  const { length } = uncountedOf(rows);
  if (length === 0) return [];
  return [
    `${label}: ${counted(length, "plan")} not counted (incomplete or not within the sandbox); a plan that is not counted fails the Budget check regardless of cost`,
  ];
}

function cellsOf(rows: readonly Row[]): Cell[] {
  const priced = pricedOf(rows);
  const n = priced.length;
  const overs = filtered(over, priced);
  const counted = flatMapped(rowOf, priced);
  const tooDear = flatMapped(rowOf, overs);
  const ratio = medianOf(priced.map(({ cost: spent, budget }) => spent / budget));
  const share = n === 0 ? undefined : overs.length / n;
  const overrun = medianOf(overs.map(({ cost: spent, budget }) => spent - budget));
  return [
    cells.withTasks({ ...cells.valueCell(ratio, "percent", n), text: ratio?.toFixed(2) ?? "-" }, counted),
    cells.withTasks(cells.valueCell(share, "percent", n), tooDear),
    cells.withTasks({ ...cells.valueCell(overrun, "number", overs.length), text: overrun?.toFixed(0) ?? "-" }, tooDear),
    cells.countCell(counted),
    cells.countCell(uncountedOf(rows)),
  ];
}
