/** Failing checks by level or another grouping: a heat map for each run. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Cell, GridFigure } from "../source/engine/figure.ts";
import { faintNote, restingOn } from "../source/engine/measures/coverage.ts";
import { evaluate } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Measure } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { factOf } from "../source/engine/work/fact.ts";
import { filtered } from "../source/engine/work/growing-list.ts";
import { columnsOf, hasChecks, whyNoChecks } from "./plan-checks.ts";

/** Cells with fewer tasks are marked. */
const few = 5;

export const checks: Analysis = {
  name: "checks",
  title: "Checks",
  question: "Which checks fail as tasks get harder?",
  choices: (runs) => ({ by: cells.groupings(runs.filter(hasChecks)), show: ["kept", "broken"] }),
  missing: (runs) => (runs.some(hasChecks) ? undefined : whyNoChecks),
  compute: (runs, { by = "level", show = "kept" }) => runs.filter(hasChecks).map((run) => grid(run, runs, by, show)),
};

const hasValue = factOf(
  ({ each }: Measure) =>
    (row: Row) =>
      each?.(row) !== undefined,
);
const isBelow = factOf(
  ({ each }: Measure) =>
    (row: Row) =>
      each!(row)! < 1,
);

function grid(run: RunRows, runs: readonly RunRows[], by: string, show: string): GridFigure {
  const ended = cells.endedRows(run.rows);
  const groups = [...cells.byFacet(ended, by, cells.facetOrder(runs, by))];
  const columns: readonly (readonly [string, readonly Row[]])[] = [
    ...groups.map(([name, rows]) => [String(name), rows] as const),
    ...(groups.length === 1 ? [] : [["all", ended] as const]),
  ];
  const measures = columnsOf(runs, "table");
  const fields = measures.map((measure) =>
    columns.map(([, rows]): Cell | undefined => {
      const own = filtered(hasValue(measure), rows);
      const { value, n } = evaluate(measure, own);
      if (value === undefined) return undefined;
      const isKept = show === "kept";
      const behind = isKept ? own : filtered(isBelow(measure), own);
      const shown = isKept ? value : 1 - value;
      const text = cells.shownValue(shown, measure.unit);
      const cell = { text, value: shown, n, ...(n < few ? { faint: true } : {}) };
      return cells.withTasks(restingOn(cell, cells.measureCoverage(measure, rows)), behind);
    }),
  );
  return {
    kind: "grid",
    title: `${show === "kept" ? "Checks kept" : "Checks broken"}${cells.groupedBy(runs, by)}: ${run.label}`,
    x: { label: cells.facetTitle(runs, by), ticks: columns.map(([name]) => name) },
    y: { label: "Check", ticks: measures.map(({ title }) => title) },
    cells: fields,
    range: [0, 1],
    notes: [
      "Each check is a share of the tasks it applies to; plans that cannot be read have no checks",
      ...faintNote(fields, few),
      ...cells.shortfall([run]),
    ],
  };
}
