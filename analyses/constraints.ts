/** Which constraints plans keep: pass rates in the layout of TravelPlanner's Table 3, every constraint in that of Table 4. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Cell, TableFigure } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measure-cell.ts";
import type { Measure, Printed } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";

const PREFIX = "constraint.";
const PAPER = ["same mode", "all", "off"] as const;

export const constraints: Analysis = {
  name: "constraints",
  title: "Constraints",
  question: "Which constraints do the plans keep, and how many plans keep all of them?",
  choices: (runs) => ({ by: levelFirst(cells.usableFacets(runs)), paper: PAPER }),
  missing: (runs) =>
    constraintsOf(runs).length === 0 ? "None of these suites checks its plans against constraints" : undefined,
  compute(runs, { by = "level", paper = "same mode" }) {
    const able = runs.filter((run) => constraintsOf([run]).length > 0);
    return [rates(able, paper), table(able, by, paper)];
  },
};

const isConstraint = ({ name }: Measure) => name.startsWith(PREFIX);

function constraintsOf(runs: readonly RunRows[]): readonly Measure[] {
  return cells.measuresOf(runs).filter(isConstraint);
}

function levelFirst(facets: readonly string[]): readonly string[] {
  return facets.includes("level") ? ["level", ...facets.filter((name) => name !== "level")] : facets;
}

/** One line a run, one column a rate; the paper's lines for the same split below. */
function rates(runs: readonly RunRows[], paper: string): TableFigure {
  const measures = cells.measuresOf(runs).filter((measure) => !isConstraint(measure) && measure.unit === "percent");
  const lines = runs.map((run): Cell[] => {
    const ended = cells.endedRows(run.rows);
    const tasks = cells.refs(ended);
    const shown = measures.map((measure) => cells.measureCell(measure, ended));
    return [cells.textCell(run.label), ...shown, cells.textCell(String(ended.length), { value: ended.length, tasks })];
  });
  const printed = printedFor(runs, paper).filter(({ where }) => Object.keys(where).every((facet) => facet === "split"));
  const groups = Map.groupBy(
    printed,
    ({ row, where }) => `${row}${where["split"] === undefined ? "" : `, ${where["split"]}`}`,
  );
  const below = [...groups].map(([row, values]): Cell[] => {
    const of = new Map(values.map((value) => [value.measure, value]));
    return [
      cells.textCell(row, { printed: true, note: values[0]!.source }),
      ...measures.map(({ name, unit }) => cells.printedCell(of.get(name), unit)),
      cells.textCell("", { printed: true }),
    ];
  });
  return {
    kind: "table",
    title: "Pass rates",
    columns: [
      { title: "Run", align: "left" },
      ...measures.map(({ title }) => ({ title, align: "right" as const })),
      { title: "n", align: "right" },
    ],
    rows: [...lines, ...below],
    notes: notesOf(runs, measures),
  };
}

/** One line a constraint, one column a run and group; printed columns at the right. */
function table(runs: readonly RunRows[], by: string, paper: string): TableFigure {
  const measures = constraintsOf(runs);
  const columns = runs.flatMap((run) => {
    const groups = [...cells.byFacet(cells.endedRows(run.rows), by, cells.facetOrder(runs, by))];
    return groups.map(([value, rows]) => ({ title: `${run.label}: ${value}`, rows }));
  });
  const beside = printedColumns(runs, measures, by, paper);
  const lines = measures.map((measure): Cell[] => [
    cells.textCell(groupOf(runs, measure)),
    cells.textCell(measure.title),
    ...columns.map(({ rows }) => constraintCell(measure, rows)),
    ...beside.map(({ values }) => cells.printedCell(values.get(measure.name), measure.unit)),
  ]);
  return {
    kind: "table",
    title: `Constraints by ${cells.facetTitle(runs, by).toLowerCase()}`,
    columns: [
      { title: "Group", align: "left" },
      { title: "Constraint", align: "left" },
      ...[...columns, ...beside].map(({ title }) => ({ title, align: "right" as const })),
    ],
    rows: lines,
    notes: ["A cell opens the plans that break the constraint, if any do", ...notesOf(runs, measures)],
  };
}

/** The share of plans that keep it; behind it the plans that do not. */
function constraintCell(measure: Measure, rows: readonly Row[]): Cell {
  const broken = rows.filter((row) => measure.each?.(row) === 0);
  const cell = cells.measureCell(measure, rows);
  return broken.length === 0 ? cell : { ...cell, tasks: cells.refs(broken) };
}

function groupOf(runs: readonly RunRows[], { name }: Measure): string {
  const kinds = runs.flatMap(({ suite }) => suite.errorKinds);
  return kinds.find((kind) => kind.name === name.slice(PREFIX.length))?.group ?? "";
}

function printedColumns(runs: readonly RunRows[], measures: readonly Measure[], by: string, paper: string) {
  const names = new Set(measures.map(({ name }) => name));
  const fitting = printedFor(runs, paper, "any split").filter(
    ({ measure, where }) => names.has(measure) && where[by] !== undefined,
  );
  const groups = Map.groupBy(fitting, ({ row, where }) => `${row}: ${where[by]}`);
  return [...groups].map(([title, values]) => ({
    title,
    values: new Map(values.map((value) => [value.measure, value])),
  }));
}

/** Printed numbers of these runs' modes (or all), about their splits: a paper may print its constraints for another split only. */
function printedFor(runs: readonly RunRows[], paper: string, splits: "own" | "any split" = "own"): readonly Printed[] {
  if (paper === "off") return [];
  const found = runs.flatMap((run) => {
    const own = new Set(run.rows.map((row) => row.facets["split"]));
    const mode = run.spec.options["mode"];
    return run.printed.values.filter(({ where, setting }) => {
      const sameSplit =
        splits === "any split" || where["split"] === undefined || own.has(where["split"]) || own.has("train");
      const sameMode = mode === undefined || setting?.["mode"] === undefined || setting["mode"] === mode;
      return sameSplit && (sameMode || setting?.["mode"] === "baseline" || paper === "all");
    });
  });
  return [...new Set(found)];
}

function notesOf(runs: readonly RunRows[], measures: readonly Measure[]): readonly string[] {
  const said = measures.flatMap(({ note }) => (note === undefined ? [] : [note]));
  return [...new Set([...said, ...runs.flatMap(({ warnings }) => warnings)]), ...cells.shortfall(runs)];
}
