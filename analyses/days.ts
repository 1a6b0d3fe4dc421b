/** Trip length against difficulty: one heat map per run. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, copyOf, type GridFigure } from "../source/engine/figure.ts";
import { faintNote } from "../source/engine/measures/coverage.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Measure } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";

/** Cells with fewer plans are drawn faint. */
const FEW = 5;

export const days: Analysis = {
  name: "days",
  title: "Days and level",
  question: "How do pass rates change with the length of a trip and the level of the request?",
  choices: (runs) => ({ measures: cells.measuresOf(runs.filter(isTrip)).map(({ name }) => name) }),
  missing: (runs) => (runs.some(isTrip) ? undefined : "None of these suites groups its tasks by level and days"),
  compute(runs, { measures: name = "" }) {
    const trips = runs.filter(isTrip);
    const measure = cells.measuresOf(trips).find((each) => each.name === name) ?? cells.measuresOf(trips)[0];
    return measure === undefined ? [] : trips.map((run) => grid(run, measure));
  },
};

const isTrip = ({ suite }: RunRows): boolean =>
  ["level", "days"].every((facet) => suite.facets.some(({ name }) => name === facet));

function grid(run: RunRows, measure: Measure): GridFigure {
  const ended = cells.endedRows(run.rows);
  const levels = [...cells.byFacet(ended, "level", cells.facetOrder([run], "level"))];
  const lengths = [...cells.byFacet(ended, "days", cells.facetOrder([run], "days")).keys()];
  const ticks = levels.map(([level]) => String(level));
  const fields = levels.map(([, rows]) =>
    lengths.map((length) => cellOf(measure, cells.withFacet(rows, "days", length))),
  );
  return {
    kind: "grid",
    title: `${measure.title}: ${run.label}`,
    x: { label: cells.facetTitle([run], "days"), ticks: lengths.map(String) },
    y: { label: cells.facetTitle([run], "level"), ticks },
    cells: fields,
    range: [0, 1],
    notes: [
      ...(measure.note === undefined ? [] : [measure.note]),
      ...faintNote(fields, FEW, "plans"),
      ...cells.shortfall([run]),
    ],
  };
}

function cellOf(measure: Measure, rows: readonly Row[]): Cell | undefined {
  if (rows.length === 0) return undefined;
  const cell = cells.measureCell(measure, rows);
  return rows.length < FEW ? copyOf(cell, { faint: true }) : cell;
}
