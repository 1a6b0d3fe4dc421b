/** Compares scenarios: one row for each run, so that strong and weak scenarios of models can be compared. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, copyOf, type GridFigure, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { faintNote } from "../source/engine/measures/coverage.ts";
import { evaluate } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Measure } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";

/** Cells with fewer tasks are marked. */
const few = 5;

export const scenario: Analysis = {
  name: "scenario",
  title: "Scenario",
  question: "Which model is strong in which scenarios?",
  choices: (runs) => ({
    measures: cells.measuresOf(runs.filter(hasScenarios)).map(({ name }) => name),
    against: ["itself", "mean"],
  }),
  missing: (runs) => (runs.some(hasScenarios) ? undefined : "These tasks belong to no scenarios"),
  compute(runs, { measures: named = "", against = "itself" }) {
    const own = runs.filter(hasScenarios);
    const measure = cells.measuresOf(own).find(({ name }) => name === named) ?? cells.measuresOf(own)[0]!;
    const found = own.map((run) => [...byScenario(run, own).keys()]);
    return [grid(own, [...new Set(found.flat())], measure, against), extremes(own, measure)];
  },
};

const hasScenarios = ({ suite }: RunRows): boolean => suite.facets.some(({ name }) => name === "scenario");

function byScenario(run: RunRows, runs: readonly RunRows[]): ReadonlyMap<string, readonly Row[]> {
  const groups = cells.byFacet(cells.endedRows(run.rows), "scenario", cells.facetOrder(runs, "scenario"));
  return new Map([...groups].map(([name, rows]) => [String(name), rows]));
}

/** `mean` shows each scenario's difference from the run's own mean, which is the shape of a profile without its level. */
function grid(runs: readonly RunRows[], names: readonly string[], measure: Measure, against: string): GridFigure {
  const relative = against === "mean";
  const rows = runs.map((run) => {
    const groups = byScenario(run, runs);
    const mean = relative ? (evaluate(measure, cells.endedRows(run.rows)).value ?? 0) : 0;
    return names.map((name) => shown(measure, groups.get(name), mean, relative));
  });
  const values = rows.flat().flatMap((cell) => (cell?.value === undefined ? [] : [Math.abs(cell.value)]));
  const most = Math.max(0.01, ...values);
  const range: readonly [number, number] = relative ? [-most, most] : measure.unit === "percent" ? [0, 1] : [0, most];
  return {
    kind: "grid",
    title: relative ? `${measure.title} by scenario, difference from each run's mean` : `${measure.title} by scenario`,
    x: { label: "Scenario", ticks: names.map((name) => name.replace(/^\d+_/, "")) },
    y: { label: "Run", ticks: runs.map(({ label }) => label) },
    cells: rows,
    range,
    notes: [...faintNote(rows, few), ...cells.shortfall(runs)],
  };
}

function shown(measure: Measure, rows: readonly Row[] | undefined, mean: number, relative: boolean): Cell | undefined {
  if (rows === undefined) return undefined;
  const cell = cells.measureCell(measure, rows);
  const faint = (cell.n ?? 0) < few ? { faint: true } : {};
  if (cell.value === undefined || !relative) return copyOf(cell, faint);
  const value = cell.value - mean;
  return copyOf(cell, { ...faint, value, text: `${value > 0 ? "+" : ""}${cells.shownValue(value, measure.unit)}` });
}

/** Returns the best and the worst scenario of each run, among the scenarios with enough tasks. */
function extremes(runs: readonly RunRows[], measure: Measure): TableFigure {
  const rows = runs.map((run): Cell[] => {
    const found = [...byScenario(run, runs)].flatMap(([name, own]) => {
      const cell = cells.measureCell(measure, own);
      return cell.value === undefined || (cell.n ?? 0) < few ? [] : [{ name, cell, value: cell.value }];
    });
    const order = found.toSorted((a, b) => (measure.better === "higher" ? b.value - a.value : a.value - b.value));
    const [best, worst] = [order[0], order.at(-1)];
    const spread = best === undefined ? undefined : Math.abs(best.value - worst!.value);
    const named = (end: typeof best): Cell =>
      end === undefined
        ? cells.textCell("-")
        : copyOf(end.cell, { text: `${end.name.replace(/^\d+_/, "")} ${end.cell.text}` });
    return [
      cells.textCell(run.label),
      named(best),
      named(worst),
      { text: cells.shownValue(spread, measure.unit), ...(spread === undefined ? {} : { value: spread }) },
    ];
  });
  return {
    kind: "table",
    title: `${measure.title}: best and worst scenario`,
    columns: tableColumns(["Run", "Best", "Worst"], ["Spread"]),
    rows,
    notes: [`Scenarios with fewer than ${few} tasks are omitted`],
  };
}
