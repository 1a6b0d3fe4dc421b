/** How a measure falls as plans grow wide (parallel) and long (sequential): a heat map per run. */
import { type Analysis, inPieces, type RunRows } from "../source/engine/analysis.ts";
import { type Cell, copyOf, type Figure, type GridFigure } from "../source/engine/figure.ts";
import { faintNote } from "../source/engine/measures/coverage.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { workedOut } from "../source/engine/measures/measure.ts";
import { rowContents, rowContentsInPieces } from "../source/engine/measures/row-contents.ts";
import type { Measure } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { kept, partByPart, type Pieces } from "../source/engine/work/pieces.ts";

/** Cells with fewer tasks say little; AppBench's Figure 4 leaves them out, here they are drawn faint. */
const few = 10;
/** The facets of the map itself. */
const axes: readonly string[] = ["parallel", "sequential"];

export const scale: Analysis = {
  name: "scale",
  title: "Parallel x sequential scale",
  question: "Where in the dependency graph does it break: in width or in length?",
  choices(runs) {
    const names = cells.measuresOf(runs).map(({ name }) => name);
    const capped = new Set(runs.flatMap(({ suite }) => suite.ceilings?.map(({ measure }) => measure) ?? []));
    const fitting = names.filter((name) => name.endsWith("argument-em"));
    // A measure that perfect plans do not reach falls with the scale by itself.
    const first = fitting.find((name) => !capped.has(name)) ?? fitting[0];
    const measures = first === undefined ? names : [first, ...names.filter((name) => name !== first)];
    return { measures, by: ["nothing", ...cells.usableFacets(runs).filter((name) => !axes.includes(name))] };
  },
  missing: (runs) =>
    runs.some(hasScale) ? undefined : "The tasks of this suite have no parallel and sequential scale",
  ...inPieces(figures),
};

function* figures(
  ...[all, { measures: named = "", by = "nothing" }]: Parameters<Analysis["compute"]>
): Pieces<readonly Figure[]> {
  const runs = (yield* partByPart(all.filter(hasScale), (run) => groupsOf(run, by))).flat();
  const measure = cells.measureNamed(all, named);
  return yield* partByPart(runs, function* (run): Pieces<GridFigure> {
    const rows = cells.endedRows(run.rows);
    const sequential = [...(yield* cells.byFacet(rows, "sequential")).keys()];
    const byParallel = yield* partByPart(yield* cells.byFacet(rows, "parallel"), function* ([width, across]) {
      return { width, byLength: yield* cells.byFacet(across, "sequential") };
    });
    const ceilings = new Map<readonly Row[], number | undefined>();
    for (const { byLength } of byParallel)
      for (const group of byLength.values())
        ceilings.set(group, measure.ceiling && (yield* workedOut(measure.ceiling, group)));
    const isCapped = ceilings.values().some((ceiling) => ceiling !== undefined && ceiling < 1);
    const cell = function* (group: readonly Row[]): Pieces<Cell> {
      // A denominator of calls or arguments says less here than how many tasks there are to go by.
      const { length: n } = yield* kept(group, ({ score }) => score !== undefined);
      const own = copyOf(yield* cells.measureCell(measure, group), { n });
      const capped = isCapped ? underCeiling(own, ceilings.get(group)) : own;
      if (n >= few) return capped;
      const note = [`fewer than ${few} tasks`, ...(capped.note === undefined ? [] : [capped.note])].join("; ");
      return copyOf(capped, { faint: true, note });
    };
    const fields = yield* partByPart(byParallel, ({ byLength }) =>
      partByPart(sequential, function* (length) {
        const group = byLength.get(length);
        return group === undefined ? undefined : yield* cell(group);
      }),
    );
    return {
      kind: "grid",
      title: `${measure.title} by scale: ${run.label}`,
      x: { label: "sequential", ticks: sequential.map(String) },
      y: { label: "parallel", ticks: byParallel.map(({ width }) => String(width)) },
      cells: fields,
      range: [0, 1],
      notes: [
        ...faintNote(fields, few),
        ...(measure.note === undefined ? [] : [measure.note]),
        ...(yield* ceilingNotes(measure, run, [...ceilings.values()])),
        ...cells.shortfall([run]),
      ],
    };
  });
}

/** The run with the tasks of each group alone, one map each. */
function* groupsOf(run: RunRows, by: string): Pieces<readonly RunRows[]> {
  if (by === "nothing") return [run];
  const groups = [...(yield* cells.byFacet(run.rows, by, cells.facetOrder([run], by)))];
  for (const [, rows] of groups) yield* rowContentsInPieces(rows);
  return groups.map(([value, rows]) => ({ ...run, rows, label: `${run.label}, ${value}` })).filter(hasScale);
}

/** The value, what a perfect plan gets in this cell, and the value as a share of that: `36.4/90.9 40%`. */
function underCeiling(cell: Cell, ceiling: number | undefined): Cell {
  if (cell.value === undefined || ceiling === undefined || ceiling === 0) return cell;
  const share = cell.value / ceiling;
  const short = (part: number) => String(Math.round(part * 1000) / 10);
  return copyOf(cell, {
    text: `${short(cell.value)}/${short(ceiling)} ${Math.round(share * 100)}%`,
    ceiling,
    note: `${cell.text}, ${(share * 100).toFixed(2)} % of its ceiling`,
  });
}

function* ceilingNotes(
  measure: Measure,
  run: RunRows,
  ceilings: readonly (number | undefined)[],
): Pieces<readonly string[]> {
  if (measure.ceiling === undefined || !(yield* cells.isKnown(measure, [run]))) return [];
  if (ceilings.every((ceiling) => ceiling === undefined))
    return ["What a perfect plan gets is not known of these runs: they were scored by an earlier version"];
  if (ceilings.every((ceiling) => ceiling === undefined || ceiling === 1))
    return ["A perfect plan gets 100 in every cell"];
  return ["a/b c%: the value, what a perfect plan gets there, and the value as a share of that"];
}

/** Runs of other suites may stand in the same notebook: an empty map of theirs says nothing. */
function hasScale({ rows }: RunRows): boolean {
  const known = rowContents(rows).facets;
  if (!axes.every((name) => known.has(name))) return false;
  return rows.some(({ facets }) => facets["parallel"] !== undefined && facets["sequential"] !== undefined);
}
