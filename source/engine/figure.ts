/** Pictures as data: the terminal draws them, `planwright export` writes them as SVG, HTML, CSV, Markdown, LaTeX or JSON. */
import type { TaskRef } from "./types.ts";

/** The key of a cell's rows if its list of tasks is lazy. */
export const rowsBehind = Symbol("rows-of-cell");

/** The text of a cell whose number is printed in the paper but unreadable in the available copy of it. */
export const lostText = "lost";

/** One value in a figure, with its origin. */
export type Cell = {
  readonly [rowsBehind]?: () => readonly TaskRef[];
  /** Display text, rounded for people. */
  readonly text: string;
  /** Full precision, for exports and colour. */
  readonly value?: number;
  /** Denominator. */
  readonly n?: number;
  /** The tasks counted in the value, which the user can open from it. */
  readonly tasks?: readonly TaskRef[];
  /** True if the value comes from a paper, not from these runs. */
  readonly reported?: boolean;
  /** Value of perfect answers to the same tasks, if below the best possible value; bars and lines mark it. */
  readonly ceiling?: number;
  /** The best trivial answer to the same tasks; bars mark it. */
  readonly floor?: CellFloor;
  /** Ends of a 95 % interval. */
  readonly low?: number;
  readonly high?: number;
  /** True if the interval is a confidence sequence, which is valid at every look. */
  readonly anytime?: true;
  /** True if intervals of this kind contain the true value clearly less often than in 95 % of draws. */
  readonly rough?: true;
  /** Best (drawn bold) or second best (underlined) of the compared values, as shown. */
  readonly rank?: 1 | 2;
  /** Numbers of ended tasks with and without a score; absent if all have a score. */
  readonly rests?: { readonly scored: number; readonly unscored: number; readonly failed: number };
  /** True if too few tasks support the value (drawn faint and marked). */
  readonly faint?: boolean;
  readonly note?: string;
  /** The cells of a column with `parts`. Their texts make up the cell's text, and the cell itself has no value. */
  readonly parts?: readonly Cell[];
};

/** The score of a trivial answer on the tasks of a cell, and whether the cell's value is better. */
export type CellFloor = {
  /** In the unit of the cell's value. */
  readonly gets: number;
  /** The answer, such as `nothing` or `filler`. */
  readonly name: string;
  /** True if the floor is computed from the answers of other tasks. */
  readonly readsAnswerKey?: true;
  /** The paired difference of the cell's value; absent for measures without a value for each task. */
  readonly difference?: {
    readonly by: number;
    /** Ends of the floor's 95 % interval. */
    readonly from?: number;
    readonly to?: number;
    /** True if the value is above 0 at 95 %. */
    readonly isAbove: boolean;
  };
};

/** Returns the name of a floor, with a remark if it is computed from the answers of other tasks. */
export const floorName = ({ name, readsAnswerKey }: Pick<CellFloor, "name" | "readsAnswerKey">): string =>
  readsAnswerKey === true ? `${name}, which reads the answer key` : name;

/** Returns the cell with its tasks, which are listed on first use. */
export function withListed(cell: Cell, list: () => readonly TaskRef[]): Cell {
  let listed: readonly TaskRef[] | undefined;
  const tasks = { enumerable: true, get: () => (listed ??= list()) };
  const own = { ...Object.getOwnPropertyDescriptors(cell), tasks, [rowsBehind]: { configurable: true } };
  return Object.defineProperties({ text: cell.text }, own);
}

/** Returns a copy of the cell with further fields, whose list of tasks is still computed on demand. */
export const copyOf = (cell: Cell, more: Partial<Omit<Cell, "tasks">>): Cell =>
  Object.assign(Object.defineProperties({ text: cell.text }, Object.getOwnPropertyDescriptors(cell)), more);

/** Returns `9 of 10` (scored of ended tasks) if some ended tasks of a cell have no score. */
export function shortfallOf({ value, rests }: Cell): string | undefined {
  if (value === undefined || rests === undefined) return undefined;
  const left = rests.unscored + rests.failed;
  return left === 0 ? undefined : `${rests.scored} of ${rests.scored + left}`;
}

/** True if less than 90 % of the ended tasks behind a value have a score. */
export const restsOnFew = ({ value, rests }: Cell): boolean =>
  value !== undefined && rests !== undefined && rests.scored < (rests.unscored + rests.failed) * 9;

type Titled = {
  readonly title: string;
  /** Shown under the figure: denominators, modes, caveats, warnings. */
  readonly notes: readonly string[];
  /** True if the figure draws numbers of the table before it. */
  readonly drawsTable?: true;
};

export type TableColumn = {
  readonly title: string;
  readonly align: "left" | "right";
  /** Titles above the column's own title, the outermost first; neighbouring columns share equal titles. */
  readonly under?: readonly string[];
  /** For a column of intervals: the title of the preceding column with their values. Its cells have ends and no value. */
  readonly boundsOf?: string;
  /** Titles of the numbers that share a cell, as times and places in `42.1/26.3`. */
  readonly parts?: readonly string[];
};
export type TableFigure = Titled & {
  readonly kind: "table";
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
};
/** A heat map. `cells[y][x]` is undefined for an empty cell. */
export type GridFigure = Titled & {
  readonly kind: "grid";
  readonly x: { readonly label: string; readonly ticks: readonly string[] };
  readonly y: { readonly label: string; readonly ticks: readonly string[] };
  readonly cells: readonly (readonly (Cell | undefined)[])[];
  /** Values that map to the two ends of the colour scale. */
  readonly range: readonly [number, number];
  /** True if values are not shares: the scale then never shows percent. */
  readonly plain?: boolean;
};
export type BarsFigure = Titled & {
  readonly kind: "bars";
  readonly unit: string;
  readonly bars: readonly {
    /** Group title, such as a level, above neighbours of the same group; the label then names a run. */
    readonly group?: string;
    readonly label: string;
    readonly cell: Cell;
    /** Ends of a 95 % interval. */
    readonly low?: number | undefined;
    readonly high?: number | undefined;
  }[];
  /** The value of a full bar. Absent: the largest value. */
  readonly max?: number;
};
export type LinesFigure = Titled & {
  readonly kind: "lines";
  readonly x: string;
  readonly y: string;
  readonly series: readonly {
    readonly label: string;
    readonly points: readonly {
      readonly x: number;
      readonly cell: Cell;
      readonly low?: number;
      readonly high?: number;
    }[];
  }[];
};
/** The group of points that no other point beats in both directions; a line joins them. */
export const frontierGroup = "frontier";

export type PointsFigure = Titled & {
  readonly kind: "points";
  readonly x: string;
  readonly y: string;
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    readonly group: string;
    readonly label: string;
    readonly tasks?: readonly TaskRef[];
  }[];
};
export type Figure = TableFigure | GridFigure | BarsFigure | LinesFigure | PointsFigure;

/** Returns the columns that name a row, followed by the columns of numbers. */
export const tableColumns = (
  names: readonly string[],
  numbers: readonly (string | TableColumn)[],
): TableFigure["columns"] => [
  ...names.map((title) => ({ title, align: "left" as const })),
  ...numbers.map((column) => (typeof column === "string" ? { title: column, align: "right" as const } : column)),
];

/** Returns the column with the 95 % intervals of the values in the column with this title. */
export const boundsColumn = (boundsOf: string): TableColumn => ({ title: "95 % interval", align: "right", boundsOf });
