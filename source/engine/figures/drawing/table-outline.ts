/**
 * Properties of all cells of a table that are needed to draw a few of its rows; a table may have hundreds of thousands of rows.
 */
import { type Cell, restsOnFew, shortfallOf, type TableFigure } from "../../figure.ts";
import { printable, width } from "../../text/printable.ts";
import { columnHeads } from "../column-heads.ts";
import { briefInterval } from "../interval-text.ts";
import { cellText } from "./cell-text.ts";
import { mostNames } from "./told-apart.ts";
import { factOf } from "../../work/fact.ts";

/** Maximum width of a table column, in terminal columns. */
export const widestColumn = 48;
const widest = widestColumn;

/** Terminal columns between two columns of a table. */
export const columnGap = 2;

/** The position of a table's intervals, relative to their values. */
export type IntervalPlace = "beside" | "below" | "none";

export type TableOutline = {
  /** Width of each column's title. */
  readonly titles: readonly number[];
  /** Width of the texts in each column, without intervals. */
  readonly plain: readonly number[];
  /** The width of the texts, including the intervals next to the values. */
  readonly wide: readonly number[];
  /** Width of the intervals below the values; 0 without any. */
  readonly ends: readonly number[];
  readonly hasIntervals: boolean;
  /** Distinct texts of columns of words, or only the first texts if there are too many to compare. */
  readonly names: readonly (readonly string[] | undefined)[];
  readonly marks: Marks;
};

/** The marks that the cells have, and how many cells are best or second best. */
export type Marks = {
  readonly reported: boolean;
  /** True if the number of tasks of a cell is small, and its text does not show this number. */
  readonly faint: boolean;
  /** True if a cell shows how many of its tasks have a score. */
  readonly short: boolean;
  /** True if less than 90 % of a cell's tasks have one. */
  readonly few: boolean;
  /** True if an interval is a confidence sequence. */
  readonly anytime: boolean;
  /** True if an interval is rough. */
  readonly rough: boolean;
  readonly ranked: { readonly reported: number; readonly own: number };
};

/** True if a cell's interval is drawn after its value; a column of intervals has no values. */
const isEnded = (cell: Cell | undefined): boolean => cell?.low !== undefined && cell.value !== undefined;

/** Reads the rows of a table one by one. */
export class OutlineLook {
  readonly #titles: readonly number[];
  readonly #plain: number[];
  readonly #wide: number[];
  readonly #ends: number[];
  readonly #names: readonly (Set<string> | undefined)[];
  readonly #marks = new MarkCount();
  #hasIntervals = false;

  constructor(figure: TableFigure) {
    this.#titles = figure.columns.map(({ title }) => Math.min(widest, width(printable(title))));
    this.#plain = this.#titles.map(() => 0);
    this.#wide = this.#titles.map(() => 0);
    this.#ends = this.#titles.map(() => 0);
    this.#names = figure.columns.map(({ align }) => (align === "left" ? new Set<string>() : undefined));
  }

  look(row: readonly Cell[]): void {
    for (let column = 0; column < this.#titles.length; column++) {
      const cell = row[column];
      // Marks are one column wide in ASCII too.
      const text = cellText(cell, false);
      const columns = width(text);
      const all = !isEnded(cell) ? columns : width(cellText(cell, false, true));
      this.#plain[column] = Math.min(widest, Math.max(this.#plain[column]!, columns));
      this.#wide[column] = Math.min(widest, Math.max(this.#wide[column]!, all));
      const ends = isEnded(cell) ? briefInterval(cell!, true) : undefined;
      this.#ends[column] = Math.max(this.#ends[column]!, ends?.length ?? 0);
      this.#hasIntervals ||= isEnded(cell);
      const names = this.#names[column];
      if (names !== undefined && names.size <= mostNames) names.add(text);
      if (cell !== undefined) this.#marks.add(cell);
    }
  }

  /** Complete after all rows have been read. */
  outline(): TableOutline {
    return {
      titles: this.#titles,
      plain: this.#plain,
      wide: this.#wide,
      ends: this.#ends,
      hasIntervals: this.#hasIntervals,
      names: this.#names.map((own) => own && [...own]),
      marks: this.#marks,
    };
  }
}

/** Counts the marks of the cells one by one. */
export class MarkCount implements Marks {
  reported = false;
  faint = false;
  short = false;
  few = false;
  anytime = false;
  rough = false;
  readonly ranked = { reported: 0, own: 0 };

  add(cell: Cell): void {
    this.reported ||= cell.reported === true;
    this.anytime ||= cell.anytime === true;
    this.rough ||= cell.rough === true;
    if (cell.rests !== undefined && shortfallOf(cell) !== undefined) this.short = true;
    if (restsOnFew(cell)) this.few = true;
    else if (cell.faint === true) this.faint = true;
    if (cell.rank !== undefined) this.ranked[cell.reported === true ? "reported" : "own"] += 1;
  }
}

/** Explains `(9 of 10)` after values, and the sign before values with less than 90 %. */
export const shortNote = ({ few }: Pick<Marks, "few">, faint: string): string =>
  `(a of b): of b tasks that ended, a have a score${few ? `; ${faint} less than 90 %` : ""}`;

/** Describes the values that ranks compare: the user's runs on the same tasks, and reported values. */
export function rankNote({ ranked }: Pick<Marks, "ranked">, mark: string): string | undefined {
  const { own, reported } = ranked;
  if (own + reported === 0) return undefined;
  if (reported === 0) return `${mark}, on the same tasks`;
  if (own === 0) return `${mark} among reported values`;
  return `${mark}: among runs on the same tasks, and among reported values`;
}

/** Returns the width of the widest text of each column, with titles limited to `title` terminal columns. */
export function naturalWidths(
  columns: TableFigure["columns"],
  { titles, plain, wide, ends }: TableOutline,
  place: IntervalPlace,
  title = widest,
): readonly number[] {
  const below = () => plain.map((each, index) => Math.max(each, ends[index]!));
  const texts = place === "beside" ? wide : place === "below" ? below() : plain;
  return underHeads(
    columns,
    titles.map((each, index) => Math.max(Math.min(each, title), texts[index]!)),
  );
}

/** Widens the last columns under shared titles that are longer than their columns. */
function underHeads(columns: TableFigure["columns"], given: readonly number[]): readonly number[] {
  const widths = [...given];
  for (const { title, from, count } of columnHeads(columns).flat()) {
    const room = widths.slice(from, from + count).reduce((sum, each) => sum + each + columnGap, -columnGap);
    widths[from + count - 1]! += Math.max(0, Math.min(width(printable(title)), widest) - room);
  }
  return widths;
}

/**
 * Number of leading columns that identify a row: columns of words before the first number, until all rows are distinct. Returns 1
 * if there are only words, if distinct names would need more columns, or if the table has too many rows to compare.
 */
export const namingColumns = factOf(({ columns, rows }: TableFigure): number => {
  const words = columns.findIndex(({ align }) => align === "right");
  if (rows.length > mostNames) return 1;
  for (let count = 1; count <= words; count++) {
    const names = rows.map((row) => JSON.stringify(row.slice(0, count).map(({ text }) => text)));
    if (new Set(names).size === rows.length) return count;
  }
  return 1;
});
