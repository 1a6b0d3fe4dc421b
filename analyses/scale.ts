/** A measure by width (parallel) and length (sequential) of plans: a heat map per run. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, copyOf, type GridFigure } from "../source/engine/figure.ts";
import { faintNote } from "../source/engine/measures/coverage.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import type { Measure } from "../source/engine/suite.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row } from "../source/engine/types.ts";
import { filtered } from "../source/engine/work/growing-list.ts";

/** Cells with fewer tasks are drawn faint, or left out as in AppBench's Figure 4. */
const few = 10;
const leftOut = "left out";
/** The map's own facets. */
const axes: readonly string[] = ["parallel", "sequential"];

export const scale: Analysis = {
  name: "scale",
  title: "Parallel x sequential scale",
  question: "Where in the dependency graph do plans fail: in width or in length?",
  choices(runs) {
    const names = cells.measuresOf(runs).map(({ name }) => name);
    const capped = new Set(runs.flatMap(({ suite }) => suite.ceilings?.map(({ measure }) => measure) ?? []));
    const fitting = names.filter((name) => name.endsWith("argument-em"));
    // A measure that perfect plans do not reach decreases with the scale by itself.
    const first = fitting.find((name) => !capped.has(name)) ?? fitting[0];
    const measures = first === undefined ? names : [first, ...names.filter((name) => name !== first)];
    const by = ["nothing", ...cells.usableFacets(runs).filter((name) => !axes.includes(name))];
    return { measures, by, few: ["marked", leftOut] };
  },
  missing: (runs) =>
    runs.some(hasScale) ? undefined : "The tasks of this suite have no parallel and sequential scale",
  compute(all, { measures: named = "", by = "nothing", few: how = "marked" }) {
    const runs = all.filter(hasScale).flatMap((run) => groupsOf(run, by));
    const measure = cells.measureNamed(all, named);
    return runs.map((run): GridFigure => {
      const rows = cells.endedRows(run.rows);
      const sequential = [...cells.byFacet(rows, "sequential").keys()];
      const byParallel = [...cells.byFacet(rows, "parallel")].map(([width, across]) => ({
        width,
        byLength: cells.byFacet(across, "sequential"),
      }));
      const ceilings = new Map<readonly Row[], number | undefined>();
      for (const { byLength } of byParallel)
        for (const group of byLength.values()) ceilings.set(group, measure.ceiling?.(group));
      const isCapped = ceilings.values().some((ceiling) => ceiling !== undefined && ceiling < 1);
      const cell = (group: readonly Row[]): Cell => {
        // The number of tasks is more informative here than a denominator of calls or arguments.
        const { length: n } = filtered(hasScore, group);
        const own = copyOf(cells.measureCell(measure, group), { n });
        const capped = isCapped ? underCeiling(own, ceilings.get(group)) : own;
        if (n >= few) return capped;
        const note = [`fewer than ${few} tasks`, ...(capped.note === undefined ? [] : [capped.note])].join("; ");
        return copyOf(capped, { faint: true, note });
      };
      const all = {
        widths: byParallel.map(({ width }) => String(width)),
        lengths: sequential.map(String),
        fields: byParallel.map(({ byLength }) =>
          sequential.map((length) => {
            const group = byLength.get(length);
            return group === undefined ? undefined : cell(group);
          }),
        ),
        notes: [],
      };
      const { widths, lengths, fields, notes } = how === leftOut ? withoutFew(all) : all;
      return {
        kind: "grid",
        title: `${measure.title} by scale: ${run.label}`,
        x: { label: "sequential", ticks: lengths },
        y: { label: "parallel", ticks: widths },
        cells: fields,
        range: [0, 1],
        notes: [
          ...notes,
          ...faintNote(fields, few),
          ...(measure.note === undefined ? [] : [measure.note]),
          ...ceilingNotes(measure, run, [...ceilings.values()]),
          ...cells.shortfall([run]),
        ],
      };
    });
  },
};

const hasScore = ({ score }: Row): boolean => score !== undefined;

type Fields = {
  readonly widths: readonly string[];
  readonly lengths: readonly string[];
  readonly fields: GridFigure["cells"];
  readonly notes: readonly string[];
};

/**
 * Omits cells with few tasks, and the rows and columns that contain only such cells. If all cells have few tasks, all of them
 * stay, because a map of marked cells is more useful than an empty map.
 */
function withoutFew({ widths, lengths, fields }: Fields): Fields {
  const left = fields.flat().flatMap((cell) => (cell !== undefined && cell.n! < few ? [cell] : []));
  if (left.length === 0) return { widths, lengths, fields, notes: [] };
  const kept = fields.map((row) => row.map((cell) => (cell === undefined || left.includes(cell) ? undefined : cell)));
  const isCell = (cell: Cell | undefined) => cell !== undefined;
  if (!kept.flat().some(isCell))
    return { widths, lengths, fields, notes: [`No combination of scales has ${few} tasks, so none is left out`] };
  const hasWidth = (_: unknown, at: number) => kept[at]!.some(isCell);
  const hasLength = (_: unknown, at: number) => kept.some((row) => isCell(row[at]));
  const tasks = left.reduce((sum, { n }) => sum + n!, 0);
  return {
    widths: widths.filter(hasWidth),
    lengths: lengths.filter(hasLength),
    fields: kept.filter(hasWidth).map((row) => row.filter(hasLength)),
    notes: [
      `${counted(left.length, "combination")} of scales with fewer than ${few} tasks left out (${counted(tasks, "task")})`,
    ],
  };
}

/** Splits the run into the tasks of each group, one map each. */
function groupsOf(run: RunRows, by: string): readonly RunRows[] {
  if (by === "nothing") return [run];
  const groups = [...cells.byFacet(run.rows, by, cells.facetOrder([run], by))];
  return groups.map(([value, rows]) => ({ ...run, rows, label: `${run.label}, ${value}` })).filter(hasScale);
}

/** Formats the value, a perfect plan's value in this cell, and their ratio: `36.4/90.9 40%`. */
function underCeiling(cell: Cell, ceiling: number | undefined): Cell {
  if (cell.value === undefined || ceiling === undefined || ceiling === 0) return cell;
  const share = cell.value / ceiling;
  const short = (part: number) => String(Math.round(part * 1000) / 10);
  return copyOf(cell, {
    text: `${short(cell.value)}/${short(ceiling)} ${Math.round(share * 100)}%`,
    ceiling,
    note: `${cell.text}, ${(share * 100).toFixed(2)} % of a perfect plan's value`,
  });
}

function ceilingNotes(measure: Measure, run: RunRows, ceilings: readonly (number | undefined)[]): readonly string[] {
  if (measure.ceiling === undefined || !cells.isKnown(measure, [run])) return [];
  if (ceilings.every((ceiling) => ceiling === undefined))
    return ["The score of a perfect plan is unknown for these runs because an earlier version scored them"];
  if (ceilings.every((ceiling) => ceiling === undefined || ceiling === 1))
    return ["A perfect plan gets 100 in every cell"];
  return ["a/b c%: the value, a perfect plan's value, and their ratio"];
}

/** The notebook may contain runs of other suites, whose maps would be empty. */
function hasScale({ rows }: RunRows): boolean {
  const known = rowContents(rows).facets;
  if (!axes.every((name) => known.has(name))) return false;
  return rows.some(({ facets }) => facets["parallel"] !== undefined && facets["sequential"] !== undefined);
}
