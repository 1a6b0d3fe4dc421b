/** Axes of a table: facets of the tasks or settings of the runs, one per row or column. */
import type { RunRows } from "../../analysis.ts";
import type { Reported, Measure } from "../../suite.ts";
import type { Row } from "../../types.ts";
import { facetOrder, facetTitle, inOrder, usableFacets } from "../measure-cell.ts";
import { fieldNames, fieldTitle, fieldValue } from "../run-field.ts";
import type { Cell } from "../../figure.ts";
import { isCodeFacet } from "../code-facets.ts";

export type AxisValue = string | number;
export type Axis = {
  readonly name: string;
  readonly title: string;
  /** True for a facet of tasks, false for a setting of runs. */
  readonly isFacet: boolean;
  of(run: RunRows, row: Row): AxisValue | undefined;
  /** Returns the paper's value on this axis; undefined if the paper does not give one. */
  ofReported(reported: Reported): AxisValue | undefined;
  compare(a: AxisValue, b: AxisValue): number;
};

/** Returns the names of axes: facets first, then settings in which the runs differ, then the others. */
export function axisNames(runs: readonly RunRows[]): readonly string[] {
  const facets = usableFacets(runs);
  // A notebook may have the runs of one suite before those of another.
  const named = [...runs.flatMap(fieldNames), "suite"];
  const fields = [...new Set(named)].filter((name) => !facets.includes(name));
  const varies = (name: string) => new Set(runs.map((run) => fieldValue(run, name))).size > 1;
  return [...facets, ...fields.filter(varies), ...fields.filter((name) => !varies(name))];
}

/** Returns the facet of this name if a suite or the codebook has one, otherwise the setting. */
export function axisNamed(runs: readonly RunRows[], name: string): Axis {
  if (isCodeFacet(name) || runs.some(({ suite }) => suite.facets.some((facet) => facet.name === name)))
    return {
      name,
      title: facetTitle(runs, name),
      isFacet: true,
      of: (_, { facets }) => facets[name],
      ofReported: ({ where }) => where[name],
      compare: inOrder(facetOrder(runs, name)),
    };
  // The value is read once per run, because a run may have hundreds of thousands of rows.
  const byRun = new Map(runs.map((run) => [run, fieldValue(run, name)]));
  const values = [...byRun.values()].filter((value) => value !== undefined);
  return {
    name,
    title: fieldTitle(runs, name),
    isFacet: false,
    of: (run) => (byRun.has(run) ? byRun.get(run) : fieldValue(run, name)),
    ofReported: ({ row, setting }) => (name === "model" ? row : setting?.[name]),
    // Numbers sort by size; names keep the order of the runs.
    compare: inOrder(values.every((value) => typeof value === "number") ? [] : values),
  };
}

/** Returns the names of axes: facets first, then settings in which the runs differ, then the other settings. */
export type Place = Readonly<Record<string, AxisValue>>;

/** One column for each measure, under these titles. */
export type ColumnGroup = {
  readonly titles: readonly string[];
  readonly place: Place;
  /** If given, each cell is the unweighted mean of these columns and needs a value in all of them. */
  readonly meanOf?: readonly ColumnGroup[];
};

/** A run or a model of the paper, with its values on the axes of the lines. */
export type PivotLine = {
  readonly label: string;
  readonly place: Place;
  readonly isReported: boolean;
  /** Absent in lines of a paper. */
  readonly rows?: readonly Row[];
  /** `rows`, divided by the settings that are columns; each value of the line uses the tasks of only one part. */
  readonly parts?: readonly (readonly Row[])[];
  readonly note?: string;
  /** Caveats of the paper's numbers in the line, undefined for numbers without a caveat; absent in other lines. */
  readonly caveats?: readonly (string | undefined)[];
  /** Heading that the paper prints above this and other rows. */
  readonly group?: string;
  cell(group: ColumnGroup, measure: Measure): Cell;
};
