/** Planning models by acting models: a grid for a measure and for the effort. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Cell, GridFigure, TableFigure } from "../source/engine/figure.ts";
import { effortCounts, secondsOf } from "../source/engine/measures/effort.ts";
import { meanOf } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { modelTitle } from "../source/engine/measures/run-field.ts";
import type { Row } from "../source/engine/types.ts";

const actorOf = (run: RunRows): string =>
  run.named?.["actor"] ?? (run.spec.actor === undefined ? modelTitle(run) : run.spec.actor);
/** Strategies whose planner and actor can differ. */
const acts = ({ suite, spec }: RunRows): boolean =>
  suite.strategies.find(({ name }) => name === spec.strategy)?.roles.includes("actor") ?? false;

export const plannerActor: Analysis = {
  name: "planner-actor",
  title: "Planner and actor",
  question: "Is it worthwhile to plan with one model and act with another?",
  choices: (runs) => ({
    measures: cells.measuresOf(runs).map(({ name }) => name),
    strategy: [...new Set(runs.filter(acts).map(({ spec }) => spec.strategy))],
    published: ["beside", "off"],
  }),
  missing: (runs) =>
    runs.some(acts)
      ? undefined
      : "No run has a strategy that plans with one model and acts with another (tool-planner, adaplanner)",
  compute(runs, { measures: named = "", strategy = "", published = "beside" }) {
    const chosen = runs.filter((run) => acts(run) && (strategy === "" || run.spec.strategy === strategy));
    const measure = cells.measureNamed(chosen, named) ?? cells.measuresOf(chosen)[0]!;
    const percent = measure.unit === "percent";
    const grids = [
      grid(chosen, measure.title, percent ? [0, 1] : undefined, {}, (rows) => cells.measureCell(measure, rows)),
      grid(chosen, "Requests per task", undefined, effortCounts, (rows) => meanCell(rows, callsOf)),
      grid(chosen, "Seconds per task", undefined, effortCounts, (rows) => meanCell(rows, secondsOf)),
    ];
    return published === "off" ? grids : [...grids, ...publishedTables(runs)];
  },
};

const callsOf = ({ counted }: Row) => counted.calls;

function meanCell(rows: readonly Row[], each: (row: Row) => number | undefined): Cell {
  const { value, n } = meanOf(rows, each);
  const text = value === undefined ? "-" : value.toFixed(2);
  return cells.withTasks({ ...cells.valueCell(value, "number", n), text }, rows);
}

/** Runs with the same two models are pooled. */
function grid(
  runs: readonly RunRows[],
  title: string,
  range: readonly [number, number] | undefined,
  counting: Parameters<typeof cells.shortfall>[1],
  cellFor: (rows: readonly Row[]) => Cell,
): GridFigure {
  const planners = [...new Set(runs.map(modelTitle))];
  const actors = [...new Set(runs.map(actorOf))];
  const all = planners.map((planner) =>
    actors.map((actor) => {
      const same = runs.filter((run) => modelTitle(run) === planner && actorOf(run) === actor);
      return same.length === 0 ? undefined : cellFor(cells.endedRowsOf(same));
    }),
  );
  const values = all.flat().flatMap((cell) => (cell?.value === undefined ? [] : [cell.value]));
  return {
    kind: "grid",
    title,
    x: { label: "acts", ticks: actors },
    y: { label: "plans", ticks: planners },
    cells: all,
    range: range ?? [0, Math.max(1e-9, ...values)],
    ...(range === undefined && { plain: true }),
    notes: ["A run without an actor acts with its planner", ...cells.shortfall(runs, counting)],
  };
}

/** Returns the paper's own tables of planning and acting models. */
function publishedTables(runs: readonly RunRows[]): readonly TableFigure[] {
  const tables = new Map(runs.flatMap(({ reported }) => reported.tables.map((table) => [table.title, table] as const)));
  return [...tables.values()].filter(({ columns }) => columns.some(({ title }) => title === "planning model"));
}
