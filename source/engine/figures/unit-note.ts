/** Notes on the values of a figure: which values are in percent, and how many tasks they have, unless the figure shows this. */
import type { Cell, Figure, TableFigure } from "../figure.ts";
import { columnName } from "./column-heads.ts";
import { areShownInPercent, shownInPercent } from "./interval-text.ts";

/** Returns `values in %`, or undefined if no note is needed. */
export function drawingUnits(figure: Exclude<Figure, TableFigure>): string | undefined {
  switch (figure.kind) {
    case "grid":
      return figure.plain !== true && figure.cells.some((row) => row.some(isBarePercent)) ? all : undefined;
    case "bars":
      return !namesPercent.test(figure.unit) && figure.bars.some(({ cell }) => isBarePercent(cell)) ? all : undefined;
    case "lines":
    case "points":
      return undefined;
    default:
      return figure satisfies never;
  }
}

const all = "values in %";
const namesPercent = /%|percent/i;

/** Returns the y axis name of lines, with the unit if their values are in percent. */
export function valueAxis({ y, series }: Extract<Figure, { kind: "lines" }>): string {
  const cells = series.flatMap(({ points }) => points.map(({ cell }) => cell));
  const inPercent = areShownInPercent(cells) && !cells.some(({ text }) => text.includes("%"));
  return inPercent && !namesPercent.test(y) ? `${y}, %` : y;
}

/** Units of a table by row or by column, whichever is consistent. Counts (`n`) need no unit. */
export class TableUnits {
  readonly #figure: TableFigure;
  readonly #columns: Named[];
  readonly #rows: Unit[] = [];

  constructor(figure: TableFigure) {
    this.#figure = figure;
    this.#columns = figure.columns.map((column) => ({
      name: columnName(column),
      title: column.title,
      unit: undefined,
    }));
  }

  /** Reads the rows one by one, from the first. */
  look(row: readonly Cell[]): void {
    let own: Unit;
    for (let at = 0; at < this.#columns.length; at++) {
      const unit = unitOf(row[at]);
      const column = this.#columns[at]!;
      column.unit = together(column.unit, unit);
      if (at > 0) own = together(own, unit);
    }
    this.#rows.push(own);
  }

  /**
   * Returns text such as `values in %`, `in %: Succ, F1 app` if only some values are, or undefined. Complete after all rows have
   * been read.
   */
  note(): string | undefined {
    const ofColumns = noteOfUnits(this.#columns);
    if (ofColumns !== "mixed") return ofColumns.note;
    const { rows } = this.#figure;
    const named = this.#rows.map((unit, at): Named => {
      const name = rows[at]![0]?.text ?? "";
      return { name, title: name, unit };
    });
    const ofRows = noteOfUnits(named);
    if (ofRows !== "mixed") return ofRows.note;
    // Rows of another unit, such as p values below shares, are named separately.
    const apart = named.filter(({ unit }) => unit === "other").map(({ name }) => name);
    if (apart.length === 0) return undefined;
    const rest = { ...this.#figure, rows: rows.filter((_, at) => this.#rows[at] !== "other") };
    const look = new TableUnits(rest);
    for (const row of rest.rows) look.look(row);
    const note = look.note();
    return note === undefined ? undefined : `${note}, except in ${[...new Set(apart)].join(", ")}`;
  }
}

/** Returns the note for columns or rows of one unit each; `mixed` if any of them has several units. */
function noteOfUnits(units: readonly Named[]): { readonly note: string | undefined } | "mixed" {
  if (units.some(({ unit }) => unit === "mixed")) return "mixed";
  const inPercent = units.filter(({ unit }) => unit === "percent");
  const others = units.filter(({ name, unit }) => unit === "other" && name !== "n");
  if (inPercent.length === 0) return { note: undefined };
  if (others.length === 0) return { note: all };
  // `Succ` covers all columns with that title if they share a unit.
  const nameOf = ({ name, title, unit }: Named) =>
    units.some((other) => other.title === title && other.unit !== undefined && other.unit !== unit) ? name : title;
  const names = (of: readonly Named[]) => [...new Set(of.map(nameOf))].join(", ");
  return { note: inPercent.length <= others.length ? `in %: ${names(inPercent)}` : `${all}, except ${names(others)}` };
}

/** A column or row, with its whole name and the last part of the name. */
type Named = { readonly name: string; readonly title: string; unit: Unit };

/** The unit of some numeric cells; undefined if there are no such cells or their texts show it. */
type Unit = "percent" | "other" | "mixed" | undefined;

const unitOf = (cell: Cell | undefined): Unit =>
  isBareNumber(cell) ? (shownInPercent(cell) ? "percent" : "other") : undefined;

const together = (one: Unit, other: Unit): Unit =>
  one === undefined || one === other ? other : other === undefined ? one : "mixed";

/** A displayed zero is the same in every unit. */
const isBareNumber = (cell: Cell | undefined): cell is Cell =>
  cell?.value !== undefined && Number.parseFloat(cell.text) !== 0 && !cell.text.includes("%");

const isBarePercent = (cell: Cell | undefined): boolean => isBareNumber(cell) && shownInPercent(cell);

/** Titles of columns that count tasks. */
export const countTitles: ReadonlySet<string> = new Set(["n", "tasks", "n / split"]);

/** Reads the rows of a table one by one. */
export class CountLook {
  readonly #column: number;
  /** True if a row declares that it has the counts. */
  #says = false;
  /** True if each value has the `n` of its row. */
  #isShown: boolean;
  #least = Infinity;
  #most = 0;

  constructor(figure: TableFigure) {
    this.#column = figure.columns.findIndex(({ title }) => countTitles.has(title));
    this.#isShown = this.#column >= 0;
  }

  look(row: readonly Cell[]): void {
    if (this.#says) return;
    const count = row[this.#column]?.value;
    for (const [at, { text, value, n, reported }] of row.entries()) {
      if (text === "n" && value === undefined) this.#says = true;
      if (at === this.#column || n === undefined || reported === true || value === undefined) continue;
      if (n !== count) this.#isShown = false;
      [this.#least, this.#most] = [Math.min(this.#least, n), Math.max(this.#most, n)];
    }
  }

  /**
   * Returns text such as `n: 8 to 48 for each value`, without reported values; undefined if the table shows the counts or no
   * count is known.
   */
  note(): string | undefined {
    const counts = this.#least === this.#most ? `${this.#least}` : `${this.#least} to ${this.#most}`;
    return this.#says || this.#isShown || this.#least > this.#most ? undefined : `n: ${counts} for each value`;
  }
}
