/** How a measure falls as plans grow wide (parallel) and long (sequential): a heat map per run. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { GridFigure } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Row } from "../source/engine/types.ts";

/** Cells with fewer tasks say little; AppBench's Figure 4 leaves them out, here they are drawn faint. */
const few = 10;

export const scale: Analysis = {
  name: "scale",
  title: "Parallel x sequential scale",
  question: "Where in the dependency graph does it break: in width or in length?",
  choices(runs) {
    const names = cells.measuresOf(runs).map(({ name }) => name);
    const first = names.find((name) => name.endsWith("argument-em"));
    return { metric: first === undefined ? names : [first, ...names.filter((name) => name !== first)] };
  },
  missing: (runs) =>
    runs.some(hasScale) ? undefined : "The tasks of this suite have no parallel and sequential scale",
  compute(all, { metric = "" }) {
    const runs = all.filter(hasScale);
    const measure = cells.measureNamed(all, metric);
    return runs.map((run): GridFigure => {
      const rows = cells.endedRows(run.rows);
      const byParallel = cells.byFacet(rows, "parallel");
      const sequential = [...cells.byFacet(rows, "sequential").keys()];
      const cell = (group: readonly Row[]) => {
        // A denominator of calls or arguments says less here than how many tasks there are to go by.
        const n = group.filter(({ score }) => score !== undefined).length;
        const own = { ...cells.measureCell(measure, group), n };
        return n < few ? { ...own, faint: true, note: `fewer than ${few} tasks` } : own;
      };
      return {
        kind: "grid",
        title: `${measure.title} by scale: ${run.label}`,
        x: { label: "sequential", ticks: sequential.map(String) },
        y: { label: "parallel", ticks: [...byParallel.keys()].map(String) },
        cells: [...byParallel.values()].map((across) =>
          sequential.map((length) => {
            const group = across.filter(({ facets }) => facets["sequential"] === length);
            return group.length === 0 ? undefined : cell(group);
          }),
        ),
        range: [0, 1],
        notes: [
          `~ marks cells with fewer than ${few} tasks`,
          ...(measure.note === undefined ? [] : [measure.note]),
          ...cells.shortfall([run]),
        ],
      };
    });
  },
};

/** Runs of other suites may stand in the same notebook: an empty map of theirs says nothing. */
function hasScale({ rows }: RunRows): boolean {
  return rows.some(({ facets }) => facets["parallel"] !== undefined && facets["sequential"] !== undefined);
}
