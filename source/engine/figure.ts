/** Pictures as data: the terminal draws them, `planwright export` writes them as SVG, HTML, CSV, Markdown, LaTeX or JSON. */
import type { TaskRef } from "./types.ts";

/** By it a cell whose `tasks` are listed only when somebody asks has the rows they are of. */
export const rowsBehind = Symbol("rows behind");

/** One value in a figure, with what it was computed from. */
export type Cell = {
  readonly [rowsBehind]?: () => readonly TaskRef[];
  /** As shown; for numbers already rounded for people. */
  readonly text: string;
  /** Full precision, for exports and colour. */
  readonly value?: number;
  /** Denominator. */
  readonly n?: number;
  /** The tasks behind it: opened by drilling down. */
  readonly tasks?: readonly TaskRef[];
  /** From a paper, not from these runs. */
  readonly reported?: boolean;
  /** What perfect answers to the same tasks get, where that is not the best value there is: bars and lines have a line there. */
  readonly ceiling?: number;
  /** Ends of a 95 % interval. */
  readonly low?: number;
  readonly high?: number;
  /** Best (drawn bold) or second best (underlined) of what it is compared with, as shown. */
  readonly rank?: 1 | 2;
  /** The tasks it is about that ended, by whether they have a score; absent: all have one. */
  readonly rests?: { readonly scored: number; readonly unscored: number; readonly failed: number };
  /** Too few tasks to trust (drawn faint and marked). */
  readonly faint?: boolean;
  readonly note?: string;
};

/** The cell with tasks that are listed when they are first asked for. */
export function withListed(cell: Cell, list: () => readonly TaskRef[]): Cell {
  let listed: readonly TaskRef[] | undefined;
  return Object.defineProperty({ ...cell }, "tasks", { enumerable: true, get: () => (listed ??= list()) });
}

/** The cell with something more, its tasks still unlisted. */
export function copyOf(cell: Cell, more: Partial<Omit<Cell, "tasks">>): Cell {
  return Object.assign(Object.defineProperties({ text: cell.text }, Object.getOwnPropertyDescriptors(cell)), more);
}

/** `1 of 10`: tasks with a score of those a cell is about, where these are less than nine tenths; it then rests on leftovers. */
export function shortfallOf({ value, rests }: Cell): string | undefined {
  if (value === undefined || rests === undefined) return undefined;
  const { scored, unscored, failed } = rests;
  const all = scored + unscored + failed;
  return scored * 10 < all * 9 ? `${scored} of ${all}` : undefined;
}

type Titled = {
  readonly title: string;
  /** Shown under the figure: denominators, modes, caveats, warnings. */
  readonly notes: readonly string[];
  /** Draws numbers of the table before it. */
  readonly drawsTable?: true;
};

export type TableColumn = {
  readonly title: string;
  readonly align: "left" | "right";
  /** Titles above its own, the outermost first; neighbours that share them stand under one. */
  readonly under?: readonly string[];
};
export type TableFigure = Titled & {
  readonly kind: "table";
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
};
/** A heat map. `cells[y][x]`; undefined where there is nothing. */
export type GridFigure = Titled & {
  readonly kind: "grid";
  readonly x: { readonly label: string; readonly ticks: readonly string[] };
  readonly y: { readonly label: string; readonly ticks: readonly string[] };
  readonly cells: readonly (readonly (Cell | undefined)[])[];
  /** Values that map to the two ends of the colour scale. */
  readonly range: readonly [number, number];
  /** Values are no shares: the scale is not shown in percent, however small they are. */
  readonly plain?: boolean;
};
export type BarsFigure = Titled & {
  readonly kind: "bars";
  readonly unit: string;
  readonly bars: readonly {
    /** What it stands under together with its neighbours of the same group, such as a level, while its label names a run. */
    readonly group?: string;
    readonly label: string;
    readonly cell: Cell;
    /** Ends of a 95 % interval. */
    readonly low?: number;
    readonly high?: number;
  }[];
  /** The value of a full bar; the largest one when absent. */
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

/** Columns that name a row, then columns of numbers. */
export function tableColumns(names: readonly string[], numbers: readonly string[]): TableFigure["columns"] {
  return [
    ...names.map((title) => ({ title, align: "left" as const })),
    ...numbers.map((title) => ({ title, align: "right" as const })),
  ];
}
