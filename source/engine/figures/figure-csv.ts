/** Exports figures as CSV for programs: numbers in columns of numbers, with empty fields for missing numbers. */
import { type Cell, type Figure, shortfallOf, type TableColumn, type TableFigure, lostText } from "../figure.ts";
import { csvLine } from "../text/csv.ts";
import { columnName } from "./column-heads.ts";
import type { Parts } from "./figure-parts.ts";
import { partsOf, textsOf } from "./figure-parts.ts";
import { visibleText } from "./markup.ts";
import { prepared } from "./prepared-figure.ts";
import { countTitles } from "./unit-note.ts";

/** A column of the file: its name, and the field of each row of the figure. */
type Column = { readonly name: string; readonly field: (row: readonly Cell[]) => string };

/**
 * Writes full precision, a header line and RFC 4180 quoting, without warnings and notes, which are in a separate file. Columns
 * after a value contain the number of scored tasks (if some ended tasks have no score), the ends of its interval, and `n` (unless
 * the row's column `n` has it). A range without a value has two columns, a shared cell one column for each of its numbers.
 */
export function figureCsvParts(figure: Figure): Parts {
  const { table } = prepared(figure);
  // Other kinds have columns of their own for counts.
  const columns = columnsOf(table, figure.kind === "table");
  const line = (fields: readonly string[]) => csvLine(fields.map(visibleText));
  return partsOf(
    line(columns.map(({ name }) => name)),
    textsOf(table.rows, (row) => line(columns.map(({ field }) => field(row)))),
  );
}

function columnsOf({ columns, rows }: TableFigure, counted: boolean): readonly Column[] {
  const looks = columns.map(() => new ColumnLook());
  const counts = columns.findIndex(({ title, align }) => align === "right" && countTitles.has(title));
  for (const row of rows) for (const [at, cell] of row.entries()) looks[at]?.look(cell, row[counts]?.value);
  return columns.flatMap((column, at): readonly Column[] => {
    // The ends of these intervals follow the values.
    if (column.boundsOf !== undefined) return [];
    const name = exportedName(column);
    const { isEnded, isShort, isNumeric, isRange, hasOwnCount } = looks[at]!;
    if (column.parts !== undefined && column.parts.length > 1)
      return column.parts.map((part, index) => ({
        name: `${name} ${part}`,
        field: (row) => numberOf(row[at]?.parts?.[index] ?? { text: "" }),
      }));
    if (isRange) return [endColumn(name, "low", at), endColumn(name, "high", at)];
    const numbers = column.align === "right" && isNumeric;
    const rest = (each: "scored" | "ended"): Column => ({
      name: `${name} ${each}`,
      field: (row) => restOf(row[at])?.[each] ?? "",
    });
    const bounds = isEnded ? at : boundsAt(columns, at);
    return [
      { name, field: (row) => (row[at] === undefined ? "" : numbers ? numberOf(row[at]) : exact(row[at])) },
      ...(isShort ? [rest("scored"), rest("ended")] : []),
      ...(bounds === undefined ? [] : [endColumn(name, "low", bounds), endColumn(name, "high", bounds)]),
      ...(counted && hasOwnCount
        ? [{ name: `${name} n`, field: (row: readonly Cell[]) => String(row[at]?.n ?? "") }]
        : []),
    ];
  });
}

/** Returns the index of the column with the intervals of this column's values; undefined if there is no such column. */
function boundsAt(columns: readonly TableColumn[], of: number): number | undefined {
  const at = columns.findIndex(({ boundsOf }, place) => place > of && boundsOf === columns[of]!.title);
  return at < 0 ? undefined : at;
}

function endColumn(name: string, end: "low" | "high", at: number): Column {
  const field = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? "" : String(value));
  return { name: `${name} ${end}`, field: (row) => field(row[at]?.[end]) };
}

/** Values are exact, so percentages are exported as shares. */
const exportedName = (column: TableColumn) =>
  columnName(column)
    .replace(/^%$/, "share")
    .replace(/^% of /, "share of ")
    .replace(/, %$/, "");

const exact = ({ text, value }: Cell) => (value === undefined ? text : String(value));

/** Returns the number of a cell; empty if it has no number. */
const numberOf = (cell: Cell) => (cell.value === undefined && !isNumber(cell.text) ? "" : exact(cell));

const isNumber = (text: string) => text.trim() !== "" && Number.isFinite(Number(text));

/** Returns the ended tasks of a value, and the scored tasks among them; undefined if all of them are scored. */
function restOf(cell: Cell | undefined): { readonly scored: string; readonly ended: string } | undefined {
  if (cell?.rests === undefined) return undefined;
  const { scored, unscored, failed } = cell.rests;
  return { scored: String(scored), ended: String(scored + unscored + failed) };
}

/** Determines in one pass which properties the cells of a column have. */
class ColumnLook {
  isEnded = false;
  isShort = false;
  /** True if a value has another `n` than its row. */
  hasOwnCount = false;
  #hasWords = false;
  #hasValues = false;
  #hasRanges = false;

  look(cell: Cell, count: number | undefined): void {
    this.isEnded ||= cell.low !== undefined && cell.value !== undefined;
    this.isShort ||= shortfallOf(cell) !== undefined;
    this.hasOwnCount ||= cell.value !== undefined && cell.n !== undefined && cell.n !== count;
    this.#hasValues ||= cell.value !== undefined;
    this.#hasRanges ||= cell.low !== undefined;
    this.#hasWords ||= !isNumber(cell.text) && !["", "-", lostText].includes(cell.text);
  }

  /** True if the cells of the column have two ends and no value between them. */
  get isRange(): boolean {
    return this.#hasRanges && !this.#hasValues;
  }

  /** True for a column of numbers: a cell has a value, or no cell has text other than a missing number. */
  get isNumeric(): boolean {
    return this.#hasValues || !this.#hasWords;
  }
}
