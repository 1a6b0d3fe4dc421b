/** How the measures depend on how hard the tasks are: one row per run and group, the paper's rows below. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Cell, TableFigure } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measure-cell.ts";
import type { Measure, Printed } from "../source/engine/suite.ts";

/** Measures shown where not all are asked for. */
const main = 6;

export const difficulty: Analysis = {
  name: "difficulty",
  title: "Difficulty",
  question: "How do the scores change from group to group of tasks?",
  choices(runs) {
    const modes = [...new Set(cells.measuresOf(runs).map(({ mode }) => mode))];
    return { by: cells.usableFacets(runs), mode: modes, measures: ["main", "all"], paper: ["beside", "off"] };
  },
  missing: (runs) => (cells.usableFacets(runs).length === 0 ? "This suite groups its tasks by nothing" : undefined),
  compute(runs, { by = "", mode = "", measures: howMany = "main", paper = "beside" }) {
    const all = cells.measuresOf(runs).filter((measure) => measure.mode === mode);
    const measures = howMany === "all" ? all : all.slice(0, main);
    const rows = runs.flatMap((run) => runRows(run, runs, by, measures));
    const printed = paper === "beside" ? printedRows(runs, by, measures) : [];
    const figure: TableFigure = {
      kind: "table",
      title: `Scores by ${cells.facetTitle(runs, by).toLowerCase()} (${mode})`,
      columns: [
        { title: "Run", align: "left" },
        { title: cells.facetTitle(runs, by), align: "left" },
        ...measures.map(({ title }) => ({ title, align: "right" as const })),
        { title: "n", align: "right" },
      ],
      rows: [...rows, ...printed],
      notes: [
        ...measures.flatMap(({ title, note }) => (note === undefined ? [] : [`${title}: ${note}`])),
        ...cells.shortfall(runs),
      ],
    };
    return [figure];
  },
};

function runRows(run: RunRows, runs: readonly RunRows[], by: string, measures: readonly Measure[]): Cell[][] {
  const ended = cells.endedRows(run.rows);
  const groups = [...cells.byFacet(ended, by, cells.facetOrder(runs, by))];
  const line = (name: string, rows: typeof ended): Cell[] => [
    cells.textCell(run.label),
    cells.textCell(name, { tasks: cells.refs(rows) }),
    ...measures.map((measure) =>
      run.suite.measures.some(({ name: own }) => own === measure.name)
        ? cells.measureCell(measure, rows)
        : cells.textCell("-"),
    ),
    cells.textCell(String(rows.length), { value: rows.length, tasks: cells.refs(rows) }),
  ];
  const lines = groups.map(([value, rows]) => line(String(value), rows));
  return groups.length > 1 ? [...lines, line("all", ended)] : lines;
}

/** One row per printed model and group that has at least one of these measures. */
function printedRows(runs: readonly RunRows[], by: string, measures: readonly Measure[]): Cell[][] {
  const seen = new Map<
    string,
    { readonly label: string; readonly group: string; readonly values: Map<string, Printed> }
  >();
  for (const printed of new Set(runs.flatMap((run) => run.printed.values))) {
    const facets = Object.keys(printed.where);
    if (!measures.some(({ name }) => name === printed.measure) || facets.some((facet) => facet !== by)) continue;
    const group = printed.where[by] === undefined ? "all" : String(printed.where[by]);
    const setting = Object.entries(printed.setting ?? {}).map(([name, value]) => `${name} ${value}`);
    const label = [printed.row, ...setting].join(", ");
    const key = `${label}\n${group}\n${printed.source}`;
    if (!seen.has(key)) seen.set(key, { label: `${label} (printed, ${printed.source})`, group, values: new Map() });
    seen.get(key)!.values.set(printed.measure, printed);
  }
  return [...seen.values()].map(({ label, group, values }) => [
    cells.textCell(label, { printed: true }),
    cells.textCell(group, { printed: true }),
    ...measures.map(({ name, unit }) => cells.printedCell(values.get(name), unit)),
    cells.textCell("", { printed: true }),
  ]);
}
