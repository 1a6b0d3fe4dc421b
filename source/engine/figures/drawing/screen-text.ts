/** Values on a screen: weight marks the best value, a separate column marks the source, and values have few decimals. */
import { signs } from "../../../look/signs.ts";
import { type Cell, copyOf, type Figure, shortfallOf, type TableFigure } from "../../figure.ts";
import { printable, width } from "../../text/printable.ts";
import { factOf } from "../../work/fact.ts";
import { intervalEnds, shownInPercent } from "../interval-text.ts";
import { countTitles } from "../unit-note.ts";
import { briefNames } from "./brief-names.ts";
import { mostNames } from "./told-apart.ts";
import { type TableOutline, widestColumn } from "./table-outline.ts";

/** From this many tasks on, percent has a decimal. */
const exactFrom = 100;

/** True if the figure contains a paper's number; all numbers then have as many decimals. */
export const isExact = factOf(
  (figure: Exclude<Figure, TableFigure>): boolean =>
    (figure.kind === "bars" && figure.bars.some(({ cell }) => cell.reported === true)) ||
    (figure.kind === "grid" && figure.cells.some((row) => row.some((cell) => cell?.reported === true))),
);

/**
 * Returns a cell's text without marks: percentages of fewer than 100 tasks as whole numbers, of more tasks with one decimal,
 * unless `exact`. The number of scored tasks follows if some have no score, and optionally the interval.
 */
export function screenText(cell: Cell | undefined, exact: boolean, intervals = false): string {
  if (cell === undefined) return "";
  const short = shortfallOf(cell);
  const interval = intervals ? screenInterval(cell, exact) : undefined;
  const text = exact ? printable(cell.text) : roundedText(cell);
  return `${text}${short === undefined ? "" : ` (${short})`}${interval === undefined ? "" : ` ${interval}`}`;
}

/** Returns the decimals of a share of so many tasks. */
export const percentDigits = (n: number): number => (n < exactFrom ? 0 : 1);

function roundedText(cell: Cell): string {
  const text = printable(cell.text);
  const { value, n, low, high } = cell;
  if (n === undefined) return text;
  if (value === undefined && low !== undefined && high !== undefined)
    return `[${[low, high].map((end) => roundedEnd(end, n)).join(", ")}]`;
  if (value === undefined || !shownInPercent(cell)) return text;
  const whole = Math.abs(value * 100).toFixed(percentDigits(n));
  const rounded = text.replace(/\d+\.\d+/, whole);
  // A difference that is rounded to nothing has no sign.
  return Number(whole) === 0 && ["+", "-", signs.missing].includes(rounded.charAt(0)) ? rounded.slice(1) : rounded;
}

/** Returns the end of an interval in percent; one that is rounded to nothing has no sign. */
function roundedEnd(end: number, n: number): string {
  const text = (end * 100).toFixed(percentDigits(n));
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/**
 * Returns the cell of a column with the count that decides its decimals. Intervals in a column of their own, and differences, have
 * the count of their row.
 */
export function countedCell({ columns }: TableFigure, row: readonly Cell[], column: number): Cell | undefined {
  const cell = row[column];
  const of = columns[column]!.boundsOf ?? columns[column]!.title;
  if (cell === undefined || cell.n !== undefined || !columns.some(({ boundsOf }) => boundsOf === of)) return cell;
  const value = row[columns.findIndex(({ title }) => title === of)];
  const n = value?.n ?? row[columns.findIndex(({ title }) => countTitles.has(title))]?.value;
  return value !== undefined && n !== undefined && shownInPercent(value) ? copyOf(cell, { n }) : cell;
}

/** Returns an interval such as `[36, 92]`, with as many decimals as its value. */
export function screenInterval({ text, value, n, rough, low, high }: Ended, exact: boolean): string | undefined {
  const shared = { text, ...(value !== undefined && { value }) };
  const ends = intervalEnds({ ...shared, low, high });
  if (ends === undefined) return undefined;
  const isWhole = !exact && n !== undefined && shownInPercent(shared) && percentDigits(n) === 0;
  const shown = isWhole ? [low!, high!].map((end) => roundedEnd(end, n)) : ends;
  return `${rough === true ? signs.faint : ""}[${shown.join(", ")}]`;
}

type Ended = {
  readonly text: string;
  readonly value?: number | undefined;
  readonly n?: number | undefined;
  readonly rough?: true | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
};

/** The widths of a table on a screen, and the marks and intervals beside its values; `marked` are the columns with marks. */
export type ScreenOutline = TableOutline & {
  readonly marked: readonly boolean[];
  readonly exact: boolean;
  /** Short names by the texts of columns of words. */
  readonly brief: ReadonlyMap<string, string>;
};

/** The columns that a mark takes after its value. */
export const markColumns = 2;

/** Returns true if a paper reports all values of a row; a mark before the row then shows this. */
export const isReported = (row: readonly Cell[]): boolean =>
  row.some(({ reported }) => reported === true) &&
  row.every(({ reported, text }) => reported === true || text.trim() === "");

/** The text of a value that does not exist. */
const nothing = "-";

/**
 * Returns the mark after a value: that of reported values, or that of few tasks in a table that does not show the number of
 * tasks.
 */
export function markBehind(cell: Cell | undefined, row: readonly Cell[], countsShown: boolean): string {
  if (cell === undefined || cell.text === "" || cell.text === nothing) return "";
  if (cell.reported === true) return isReported(row) ? "" : signs.reported;
  return cell.faint === true && !countsShown && shortfallOf(cell) === undefined ? signs.faint : "";
}

export const showsCounts = ({ columns }: TableFigure): boolean => columns.some(({ title }) => countTitles.has(title));

/** Longer tables are drawn as plain text is: otherwise all of their cells would have to be read. */
export const isShort = ({ rows }: TableFigure): boolean => rows.length <= mostNames;

/** Measures the texts of a short table; `own` is the table's outline as text. */
export function screenOutline(figure: TableFigure, own: TableOutline, counts: boolean): ScreenOutline {
  const { columns, rows } = figure;
  const exact = own.marks.reported;
  const brief = briefTexts(columns, rows);
  const widest = (of: (cell: Cell | undefined) => string) =>
    columns.map((_, column) => Math.max(0, ...rows.map((row) => width(of(countedCell(figure, row, column))))));
  const marked = columns.map((_, column) => rows.some((row) => markBehind(row[column], row, counts) !== ""));
  const withMark = (widths: readonly number[]) =>
    widths.map((wide, at) => Math.min(widestColumn, wide + (marked[at] === true ? markColumns : 0)));
  return {
    ...own,
    plain: withMark(widest((cell) => brief.get(cell?.text ?? "") ?? screenText(cell, exact))),
    wide: withMark(widest((cell) => brief.get(cell?.text ?? "") ?? screenText(cell, exact, cell?.value !== undefined))),
    ends: withMark(own.ends.map((end) => (end === 0 ? -markColumns : end))).map((end) => Math.max(0, end)),
    marked,
    exact,
    brief,
  };
}

/** Returns the texts of columns of words that have a shorter name. */
function briefTexts({ length }: TableFigure["columns"], rows: TableFigure["rows"]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let column = 0; column < length; column++) {
    const texts = [
      ...new Set(rows.flatMap((row) => (row[column]?.value === undefined ? (row[column]?.text ?? []) : []))),
    ];
    for (const [at, name] of briefNames(texts).entries())
      if (name !== texts[at]) found.set(texts[at]!, printable(name));
  }
  return found;
}
