/** Lines and columns of a pivoted table, before they have cells. */
import type { Cell } from "../figure.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import type { AxisValue } from "./axis.ts";

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
