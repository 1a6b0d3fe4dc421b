/** The paper's tables as reported, with their caveats and with rows for comparable runs. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { PrintedTable } from "../source/engine/benchmark.ts";
import type { Cell, TableFigure } from "../source/engine/figure.ts";
import { floorRows, withFloor } from "../source/engine/measures/floor.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Facets, Row } from "../source/engine/types.ts";
import { filtered, keyByName } from "../source/engine/work/growing-list.ts";

export const paper: Analysis = {
  name: "paper",
  title: "Tables of the paper",
  question: "What does the paper report?",
  choices: (runs) => ({ table: ["all", ...titles(runs)], floor: ["off", "on"] }),
  needsFloors: true,
  missing: (runs) => (titles(runs).length === 0 ? "This suite has no tables from a paper" : undefined),
  compute(runs, { table = "all", floor = "off" }) {
    const tables = new Set(runs.flatMap(({ reported }) => reported.tables));
    const shown = [...tables].filter(({ title }) => table === "all" || title === table);
    return shown.map((each) => withRuns(each, runs, floor === "on"));
  },
};

const titles = (runs: readonly RunRows[]): readonly string[] => [
  ...new Set(runs.flatMap(({ reported }) => reported.tables.map(({ title }) => title))),
];

/** Appends rows for the runs that have a value in some column, below the printed rows. */
function withRuns(
  { measured = [], ...table }: PrintedTable,
  runs: readonly RunRows[],
  showsFloors: boolean,
): TableFigure {
  const rows = runs.map((run) =>
    measured.map((column, index): Cell => {
      if (index === 0) return cells.textCell(run.label);
      // A mean over a table's columns requires all of them; a run may lack some.
      if (column === undefined || Object.keys(column.where).length === 0) return cells.textCell("");
      const measure = run.suite.measures.find(({ name }) => name === column.measure);
      const own = filtered(fits(column.where), cells.endedRows(run.rows));
      if (measure === undefined || own.length === 0) return cells.textCell("-");
      return withFloor(cells.measureCell(measure, own), measure, own, [run]);
    }),
  );
  const own = rows.filter((row) => row.some(({ value }) => value !== undefined));
  const valued = showsFloors ? [...own, ...floorRows(own)] : own;
  const note = "The rows below the printed rows are the runs measured here";
  return {
    ...table,
    rows: [...table.rows, ...valued],
    notes: valued.length === 0 ? table.notes : [note, ...table.notes, ...cells.shortfall(runs)],
  };
}

const fits = keyByName(
  (where: Facets) =>
    ({ facets }: Row) =>
      Object.entries(where).every(([name, value]) => String(facets[name]) === String(value)),
);
