/** Axes of a table: a facet of the tasks, or a setting of the runs. Lines and columns are laid out by them. */
import type { RunRows } from "../analysis.ts";
import type { Reported, Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { facetOrder, facetTitle, inOrder, usableFacets } from "./measure-cell.ts";
import { fieldNames, fieldTitle, fieldValue } from "./run-field.ts";
import type { Cell } from "../figure.ts";

export type AxisValue = string | number;
export type Axis = {
  readonly name: string;
  readonly title: string;
  /** Of tasks; otherwise of runs. */
  readonly isFacet: boolean;
  of(run: RunRows, row: Row): AxisValue | undefined;
  /** What a number of the paper is about; undefined where the paper does not say. */
  ofReported(reported: Reported): AxisValue | undefined;
  compare(a: AxisValue, b: AxisValue): number;
};

/** Facets, then settings in which the runs differ, then the others. */
export function axisNames(runs: readonly RunRows[]): readonly string[] {
  const facets = usableFacets(runs);
  const fields = [...new Set(runs.flatMap(fieldNames))].filter((name) => !facets.includes(name));
  const varies = (name: string) => new Set(runs.map((run) => fieldValue(run, name))).size > 1;
  return [...facets, ...fields.filter(varies), ...fields.filter((name) => !varies(name))];
}

/** A facet where a suite has one of this name, else the setting. */
export function axisNamed(runs: readonly RunRows[], name: string): Axis {
  if (runs.some(({ suite }) => suite.facets.some((facet) => facet.name === name)))
    return {
      name,
      title: facetTitle(runs, name),
      isFacet: true,
      of: (_, { facets }) => facets[name],
      ofReported: ({ where }) => where[name],
      compare: inOrder(facetOrder(runs, name)),
    };
  // Looked up once a run, of which there may be hundreds of thousands of rows.
  const byRun = new Map(runs.map((run) => [run, fieldValue(run, name)]));
  const values = [...byRun.values()].filter((value) => value !== undefined);
  return {
    name,
    title: fieldTitle(runs, name),
    isFacet: false,
    of: (run) => (byRun.has(run) ? byRun.get(run) : fieldValue(run, name)),
    ofReported: ({ row, setting }) => (name === "model" ? row : setting?.[name]),
    // Numbers by size, names as the runs have them.
    compare: inOrder(values.every((value) => typeof value === "number") ? [] : values),
  };
}

/** Values of axes by their names: which rows a cell is of. */
export type Place = Readonly<Record<string, AxisValue>>;

/** One column for each measure, under these titles. */
export type ColumnGroup = {
  readonly titles: readonly string[];
  readonly place: Place;
  /** Instead of what lies in its place: the plain mean of these other columns, where each has a value. */
  readonly meanOf?: readonly ColumnGroup[];
};

/** A run or model of the paper, and where it stands on the axes of the lines. */
export type PivotLine = {
  readonly label: string;
  readonly place: Place;
  readonly isReported: boolean;
  /** Of one's own lines. */
  readonly rows?: readonly Row[];
  readonly note?: string;
  cell(group: ColumnGroup, measure: Measure): Cell;
};
