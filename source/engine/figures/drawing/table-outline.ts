/** What all cells of a table come to, as far as drawing a few of its rows asks: it may have hundreds of thousands. */
import { type Cell, shortfallOf, type TableFigure } from "../../figure.ts";
import { printable, width } from "../../text/printable.ts";
import { cellText } from "./cell-text.ts";
import { mostNames } from "./told-apart.ts";
import { factOf } from "../../work/fact.ts";

/** No column of a table is wider, in columns of the terminal. */
export const widest = 48;

export type TableOutline = {
  /** Columns that the title of each column of the table takes, */
  readonly titles: readonly number[];
  /** and the texts below it, without the intervals beside their values and with them. */
  readonly plain: readonly number[];
  readonly wide: readonly number[];
  readonly hasIntervals: boolean;
  /** Of columns of words: their different texts, or the first of them where there are more than anyone compares. */
  readonly names: readonly (readonly string[] | undefined)[];
  readonly marks: Marks;
};

/** Which marks its cells have, and how many the best and second best are. */
export type Marks = {
  readonly reported: boolean;
  /** Of few tasks, where the cell itself does not say of how many. */
  readonly faint: boolean;
  readonly short: boolean;
  readonly ranked: { readonly reported: number; readonly own: number };
};

/** Looks at one row of a table after the other. */
export class OutlineLook {
  readonly #titles: readonly number[];
  readonly #plain: number[];
  readonly #wide: number[];
  readonly #names: readonly (Set<string> | undefined)[];
  readonly #marks = new MarkCount();
  #hasIntervals = false;

  constructor(figure: TableFigure) {
    this.#titles = figure.columns.map(({ title }) => Math.min(widest, width(printable(title))));
    this.#plain = this.#titles.map(() => 0);
    this.#wide = this.#titles.map(() => 0);
    this.#names = figure.columns.map(({ align }) => (align === "left" ? new Set<string>() : undefined));
  }

  look(row: readonly Cell[]): void {
    for (let column = 0; column < this.#titles.length; column++) {
      const cell = row[column];
      // Marks are of one column in ASCII too.
      const text = cellText(cell, false);
      const columns = width(text);
      const all = cell?.low === undefined ? columns : width(cellText(cell, false, true));
      this.#plain[column] = Math.min(widest, Math.max(this.#plain[column]!, columns));
      this.#wide[column] = Math.min(widest, Math.max(this.#wide[column]!, all));
      this.#hasIntervals ||= cell?.low !== undefined;
      const names = this.#names[column];
      if (names !== undefined && names.size <= mostNames) names.add(text);
      if (cell !== undefined) this.#marks.add(cell);
    }
  }

  /** Once all rows have been looked at. */
  outline(): TableOutline {
    return {
      titles: this.#titles,
      plain: this.#plain,
      wide: this.#wide,
      hasIntervals: this.#hasIntervals,
      names: this.#names.map((own) => own && [...own]),
      marks: this.#marks,
    };
  }
}

/** Counts the marks of one cell after the other. */
export class MarkCount implements Marks {
  reported = false;
  faint = false;
  short = false;
  readonly ranked = { reported: 0, own: 0 };

  add(cell: Cell): void {
    this.reported ||= cell.reported === true;
    if (cell.rests !== undefined && shortfallOf(cell) !== undefined) this.short = true;
    else if (cell.faint === true) this.faint = true;
    if (cell.rank !== undefined) this.ranked[cell.reported === true ? "reported" : "own"] += 1;
  }
}

/** What marked cells are the best of: runs of what was answered on the same tasks, a paper's values of what it prints. */
export function rankNote({ ranked }: Pick<Marks, "ranked">, mark: string): string | undefined {
  const { own, reported } = ranked;
  if (own + reported === 0) return undefined;
  if (reported === 0) return `${mark}, on the same tasks`;
  if (own === 0) return `${mark} among those reported`;
  return `${mark}: of runs on the same tasks, and among the values reported`;
}

/**
 * How many of the first columns it takes: those of words before the first number, as long as rows still look alike. One, where
 * words are all there is, where it takes more columns than are of words, and in tables of more rows than anyone compares.
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
