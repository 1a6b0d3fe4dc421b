import type { Cell, TableFigure } from "../../figure.ts";
import { counted } from "../../text/counted.ts";
import { fit, fitMiddle, pad, printable, width } from "../../text/printable.ts";
import { columnHeads } from "../column-heads.ts";
import { countTitles } from "../unit-note.ts";
import { briefInterval } from "../interval-text.ts";
import { factOf } from "../../work/fact.ts";
import { cellText } from "./cell-text.ts";
import type { ColourOf, DrawOptions, Drawing } from "./drawing.ts";
import { inkOf, type Line, type Span, type Style, lineWidth } from "./line.ts";
import { withSharedPrefix, columnsToTellApart } from "./told-apart.ts";
import {
  isReported,
  isShort,
  markBehind,
  markColumns,
  type ScreenOutline,
  screenOutline,
  countedCell,
  screenText,
  showsCounts,
} from "./screen-text.ts";
import { columnGap, type IntervalPlace, namingColumns, naturalWidths } from "./table-outline.ts";
import { symbolsOf, dash } from "../../../look/signs.ts";
import { prepared } from "../prepared-figure.ts";

/** Placeholder for rows outside the window, of which there may be hundreds of thousands. */
const unseen: Line = [];

/**
 * Draws columns as wide as their texts. If they do not fit, truncates words and long titles in the middle as far as rows and
 * columns stay distinct. If that is not enough, keeps the columns that identify a row and `n`, and scrolls the others around the
 * cursor. Shows intervals if all of them fit, or on request on a second line below their values.
 */
export function drawTable(given: TableFigure, options: DrawOptions): Drawing {
  const figure = withRoom(given, options);
  const { ascii } = options;
  const place = intervalPlace(figure, options);
  const widths = columnWidths(figure, options);
  const shown = shownColumns(figure, widths, options);
  const hidden = figure.columns.length - shown.length;
  const head: Line = shown.flatMap((column) => {
    const { title, align } = figure.columns[column]!;
    const columns = widths[column]!;
    const text = align === "right" ? fitMiddle(printable(title), columns) : printable(title);
    // A title is above the values, unless it needs the columns of their marks.
    const marks =
      screenOf(figure, options)?.marked[column] === true && width(text) <= columns - markColumns ? markColumns : 0;
    const shown = pad(text, columns - marks, align) + " ".repeat(marks);
    return [{ text: " ".repeat(columnGap) }, { text: shown, style: "strong" as const }];
  });
  const symbols = symbolsOf(options.ascii);
  const onScreen = screenOf(figure, options);
  const rule: Line = [{ text: `  ${symbols.rule.repeat(Math.max(0, lineWidth(head) - columnGap))}`, style: "rule" }];
  const [from, to] = (place !== "below" && options.window) || [0, Infinity];
  const starts: number[] = [];
  const body: Line[] = [];
  for (let index = 0; index < figure.rows.length; index++) {
    starts.push(body.length);
    const isSeen = index >= from && index < to;
    const row = isSeen ? figure.rows[index]! : [];
    const line = shown.flatMap((column) =>
      drawCell(row[column], cellDrawing(figure, { row, index, column, columns: widths[column]!, place }, options)),
    );
    body.push(isSeen ? line : unseen);
    if (place === "below" && row.some((cell) => briefInterval(cell, ascii) !== undefined))
      body.push(
        shown.map((column) =>
          intervalSpan(row[column], widths[column]!, ascii, onScreen?.marked[column] === true ? markColumns : 0),
        ),
      );
  }
  const foot: Line[] = [];
  if (hidden > 0) foot.push([{ text: `  ${symbols.more} ${counted(hidden, "more column")}`, style: "faint" }]);
  if (place === "none" && options.intervals !== false && prepared(figure).look.outline.hasIntervals)
    foot.push([{ text: "  No room for intervals; the value under the cursor shows its interval", style: "faint" }]);
  if (place === "below") {
    const sign = `a${options.ascii ? "-" : dash}b`;
    foot.push([{ text: `  ${sign} below a value: its 95 % interval, rounded; i hides them`, style: "faint" }]);
  }
  const heads = [...headLines(figure, shown, widths, options.ascii), head, rule];
  return { head: heads, body, foot, ...(place === "below" && { starts }) };
}

/** Returns the interval of a value, at the end of its column, as wide as the column with its columnGap. */
function intervalSpan(cell: Cell | undefined, columns: number, ascii: boolean, marks: number): Span {
  const text = (cell && briefInterval(cell, ascii)) ?? "";
  const shown = pad(text, columns - marks, "right") + " ".repeat(marks);
  return { text: " ".repeat(columnGap) + shown, style: "faint" };
}

/** The outline of a table on a screen; undefined if it is drawn as text. */
function screenOf(figure: TableFigure, { screen }: Pick<DrawOptions, "screen">): ScreenOutline | undefined {
  return screen === undefined || !isShort(figure) ? undefined : screenOutlineOf(figure);
}

const screenOutlineOf = factOf((figure: TableFigure) =>
  screenOutline(figure, prepared(figure).look.outline, showsCounts(figure)),
);

/** Returns the indexes of the columns that fit: all columns, or the fixed columns and as many others as possible. */
export function fittingColumns(given: TableFigure, options: DrawOptions): readonly number[] {
  const figure = withRoom(given, options);
  return shownColumns(figure, columnWidths(figure, options), options);
}

/**
 * Moves the common prefix of the names to the title if lines have no room for it, unless a screen's short names need less room.
 */
function withRoom(figure: TableFigure, options: DrawOptions): TableFigure {
  const whole = tableWidth(figure, "none", options);
  if (whole <= options.width) return figure;
  const shared = withSharedPrefix(figure);
  return options.screen !== undefined && tableWidth(shared, "none", options) >= whole ? figure : shared;
}

/** Draws titles shared by several columns, each with a line over all of them. */
function headLines(figure: TableFigure, shown: readonly number[], widths: readonly number[], ascii: boolean): Line[] {
  const { rule } = symbolsOf(ascii);
  const columns = shown.map((column) => figure.columns[column]!);
  return columnHeads(columns).map((heads) =>
    heads.flatMap(({ title, from, count }): Span[] => {
      const wide = Array.from({ length: count }, (_, index) => widths[shown[from + index]!]! + columnGap);
      const room = wide.reduce((sum, each) => sum + each, -columnGap);
      const text = fit(printable(title), room);
      const left = room - width(text);
      return [
        { text: " ".repeat(columnGap) },
        { text, style: "strong" },
        { text: title === "" || left < 2 ? " ".repeat(left) : ` ${rule.repeat(left - 1)}`, style: "rule" },
      ];
    }),
  );
}

type CellPlace = {
  readonly row: readonly Cell[];
  readonly index: number;
  readonly column: number;
  readonly columns: number;
  readonly place: IntervalPlace;
};

function cellDrawing(figure: TableFigure, of: CellPlace, options: DrawOptions): CellDrawing {
  const { row, index, column, columns, place } = of;
  const { at, ascii, colourOf } = options;
  const { pointer, reported } = symbolsOf(ascii);
  const onScreen = screenOf(figure, options);
  const cell = onScreen === undefined ? row[column] : countedCell(figure, row, column);
  const intervals = place === "beside";
  const selected = at?.row === index && at.column === column;
  const isPrinted = onScreen !== undefined && column === 0 && isReported(row);
  return {
    columns,
    align: figure.columns[column]!.align,
    selected,
    before: selected ? ` ${pointer}` : isPrinted ? `${reported} ` : undefined,
    text:
      onScreen === undefined
        ? cellText(cell, ascii, intervals)
        : !selected && isNamedAbove(figure, index, column, options.window?.[0])
          ? ""
          : (onScreen.brief.get(cell?.text ?? "") ??
            screenText(cell, onScreen.exact, intervals && cell?.value !== undefined)),
    mark: onScreen?.marked[column] === true ? markBehind(cell, row, showsCounts(figure)) : undefined,
    colourOf,
  };
}

/**
 * Returns true if the row above has the same names in this column and in all columns before it; the last name of a row is always
 * shown.
 */
function isNamedAbove(figure: TableFigure, row: number, column: number, first = 0): boolean {
  const above = figure.rows[row - 1];
  if (above === undefined || row <= first || column >= namingColumns(figure) - 1) return false;
  return above.slice(0, column + 1).every(({ text }, at) => text === figure.rows[row]![at]!.text);
}

type CellDrawing = {
  readonly columns: number;
  readonly align: "left" | "right";
  readonly selected: boolean;
  /** The text before the cell: the cursor, or the mark of its row. */
  readonly before: string | undefined;
  readonly text: string;
  /** The mark after the cell, in columns with marks. */
  readonly mark: string | undefined;
  readonly colourOf: ColourOf | undefined;
};

function drawCell(cell: Cell | undefined, { columns, align, selected, before, text, mark, colourOf }: CellDrawing) {
  const room = mark === undefined ? columns : columns - markColumns;
  const shown = align === "left" ? fitMiddle(text, room) : text;
  const spans: Span[] = [
    before === undefined
      ? { text: " ".repeat(columnGap) }
      : { text: before, style: selected ? ("accent" as const) : ("reported" as const) },
  ];
  const colour = cell === undefined || cell.value !== undefined ? undefined : colourOf?.(cell.text);
  const style = styleOf(cell);
  // Only the number is underlined, not the blanks before it.
  const blanks = style === "underlined" && align === "right" ? Math.max(0, room - width(shown)) : 0;
  if (blanks > 0) spans.push({ text: " ".repeat(blanks) });
  spans.push({ text: pad(shown, room - blanks, align), ...inkOf(colour, style), ...(selected && { selected }) });
  if (mark !== undefined) spans.push({ text: pad(mark, markColumns, "right"), style: styleOf(cell) });
  return spans;
}

function styleOf(cell: Cell | undefined): Style {
  if (cell?.rank === 1) return "strong";
  if (cell?.rank === 2) return "underlined";
  if (cell?.reported === true) return "reported";
  return cell?.faint === true ? "faint" : "plain";
}

const whole = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each + columnGap, 0);

/** Returns the width of a whole table with its intervals at this place. */
export const tableWidth = (
  figure: TableFigure,
  place: IntervalPlace,
  options: Pick<DrawOptions, "screen"> = {},
): number => whole(wholeWidths(figure, place, options));

function wholeWidths(
  figure: TableFigure,
  place: IntervalPlace,
  options: Pick<DrawOptions, "screen">,
): readonly number[] {
  const own = screenOf(figure, options);
  return own === undefined ? prepared(figure).widths(place) : naturalWidths(figure.columns, own, place);
}

/** Maximum number of rows of a table with intervals below its values, because all rows of such a table are drawn. */
const mostStacked = 200;

export function intervalPlace(figure: TableFigure, options: DrawOptions): IntervalPlace {
  const { width: columns, intervals } = options;
  if (intervals === false || !prepared(figure).look.outline.hasIntervals) return "none";
  if (intervals === true || tableWidth(figure, "beside", options) <= columns) return "beside";
  return intervals === "below" && figure.rows.length <= mostStacked ? "below" : "none";
}

function columnWidths(figure: TableFigure, options: DrawOptions): number[] {
  const { columns } = figure;
  const place = intervalPlace(figure, options);
  const widths = [...wholeWidths(figure, place, options)];
  const over = () => whole(widths) - options.width;
  if (over() <= 0) return widths;
  const fewest = leastWidths(figure, place, options);
  const spare = (index: number) => widths[index]! - fewest[index]!;
  // The column with the most spare width shrinks first.
  while (over() > 0) {
    const most = columns.reduce((best, _, index) => (spare(index) > spare(best) ? index : best), 0);
    if (spare(most) <= 0) break;
    widths[most] = Math.max(fewest[most]!, widths[most]! - over());
  }
  return widths;
}

const leastOf = factOf((figure: TableFigure) => ({
  words: prepared(figure).look.outline.names.map((own) => own && columnsToTellApart(own, 12)),
  title: columnsToTellApart(
    figure.columns.map(({ title }) => printable(title)),
    12,
  ),
}));

/** Returns the smallest widths of word columns and number titles: those at which texts stay distinct, at least 12 columns. */
function leastWidths(figure: TableFigure, place: IntervalPlace, options: DrawOptions): readonly number[] {
  const { words, title } = leastOf(figure);
  const outline = screenOf(figure, options) ?? prepared(figure).look.outline;
  return naturalWidths(figure.columns, outline, place, title).map((columns, index) =>
    Math.min(columns, words[index] ?? columns),
  );
}

/**
 * Returns the columns that stay while others scroll: those that identify a row, as far as a number fits beside them, and counts.
 */
function heldColumns(figure: TableFigure, widths: readonly number[], room: number): readonly number[] {
  const counting = figure.columns.flatMap(({ title, align }, column) =>
    countTitles.has(title) && align === "right" && column > 0 ? [column] : [],
  );
  const names = Array.from({ length: namingColumns(figure) }, (_, column) => column);
  const held = [...names, ...(counting.length === 1 ? counting : [])];
  const others = widths.filter((_, column) => !held.includes(column));
  const wide = whole(held.map((column) => widths[column]!)) + columnGap + Math.max(0, ...others);
  return wide <= room ? held : held.filter((column) => column === 0 || !names.includes(column));
}

function shownColumns(figure: TableFigure, widths: readonly number[], { width: columns, at }: DrawOptions): number[] {
  if (widths.length === 0) return [];
  const held = heldColumns(figure, widths, columns);
  const room = columns - held.reduce((sum, column) => sum + widths[column]! + columnGap, 0);
  const fits = (from: number): number[] => {
    const shown: number[] = [];
    let used = 0;
    for (let column = from; column < widths.length; column++) {
      if (held.includes(column)) continue;
      used += widths[column]! + columnGap;
      if (used > room) break;
      shown.push(column);
    }
    return shown;
  };
  let from = 1;
  // On a held column, the cursor leaves the other columns as they were.
  const wanted = widths.findLastIndex((_, column) => column <= (at?.column ?? 0) && !held.includes(column));
  while (wanted > from && !fits(from).includes(wanted)) from += 1;
  return [...held, ...fits(from)].toSorted((one, other) => one - other);
}
