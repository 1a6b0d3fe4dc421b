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
import { columnGap, type IntervalPlace, namingColumns, naturalWidths } from "./table-outline.ts";
import { symbolsOf, dash } from "../../../look/signs.ts";
import { prepared } from "../prepared-figure.ts";

/** Placeholder for rows outside the window; there may be hundreds of thousands. */
const unseen: Line = [];

/**
 * Draws columns as wide as their texts. If they do not fit, words and long titles are cut in the middle as far as rows and
 * columns stay distinct. If that is not enough, the columns that name a row and `n` stay, and the others scroll around the
 * cursor. Intervals are shown if all of them fit, or if requested on a second line below their values.
 */
export function drawTable(given: TableFigure, options: DrawOptions): Drawing {
  const figure = withRoom(given, options);
  const { ascii, colourOf } = options;
  const place = intervalPlace(figure, options);
  const widths = columnWidths(figure, options);
  const shown = shownColumns(figure, widths, options);
  const hidden = figure.columns.length - shown.length;
  const head: Line = shown.flatMap((column) => {
    const { title, align } = figure.columns[column]!;
    const columns = widths[column]!;
    const text = align === "right" ? fitMiddle(printable(title), columns) : printable(title);
    return [{ text: " ".repeat(columnGap) }, { text: pad(text, columns, align), style: "strong" as const }];
  });
  const symbols = symbolsOf(options.ascii);
  const rule: Line = [{ text: `  ${symbols.rule.repeat(Math.max(0, lineWidth(head) - columnGap))}`, style: "rule" }];
  const [from, to] = (place !== "below" && options.window) || [0, Infinity];
  const starts: number[] = [];
  const body: Line[] = [];
  for (let index = 0; index < figure.rows.length; index++) {
    starts.push(body.length);
    const isSeen = index >= from && index < to;
    const row = isSeen ? figure.rows[index]! : [];
    const line = shown.flatMap((column) => {
      const selected = options.at?.row === index && options.at.column === column;
      const { align } = figure.columns[column]!;
      const how = { columns: widths[column]!, align, selected, intervals: place === "beside", ascii, colourOf };
      return drawCell(row[column], how);
    });
    body.push(isSeen ? line : unseen);
    if (place === "below" && row.some((cell) => briefInterval(cell, ascii) !== undefined))
      body.push(shown.map((column) => intervalSpan(row[column], widths[column]!, ascii)));
  }
  const foot: Line[] = [];
  if (hidden > 0) foot.push([{ text: `  ${symbols.more} ${counted(hidden, "more column")}`, style: "faint" }]);
  if (place === "none" && options.intervals !== false && prepared(figure).look.outline.hasIntervals)
    foot.push([{ text: "  No room for intervals; the value under the cursor shows its own", style: "faint" }]);
  if (place === "below") {
    const sign = `a${options.ascii ? "-" : dash}b`;
    foot.push([{ text: `  ${sign} below a value: its 95 % interval, rounded; i hides them`, style: "faint" }]);
  }
  const heads = [...headLines(figure, shown, widths, options.ascii), head, rule];
  return { head: heads, body, foot, ...(place === "below" && { starts }) };
}

/** Returns the interval of a value, at the end of its column, as wide as the column with its columnGap. */
function intervalSpan(cell: Cell | undefined, columns: number, ascii: boolean): Span {
  const text = (cell && briefInterval(cell, ascii)) ?? "";
  return { text: " ".repeat(columnGap) + pad(text, columns, "right"), style: "faint" };
}

/** Returns the indexes of the columns that fit: all of them, or the held ones and as many others as possible. */
export function fittingColumns(given: TableFigure, options: DrawOptions): readonly number[] {
  const figure = withRoom(given, options);
  return shownColumns(figure, columnWidths(figure, options), options);
}

/** Moves the common prefix of the names to the title if lines have no room for it. */
const withRoom = (figure: TableFigure, { width: columns }: DrawOptions): TableFigure =>
  tableWidth(figure, "none") <= columns ? figure : withSharedPrefix(figure);

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

type CellDrawing = {
  readonly columns: number;
  readonly align: "left" | "right";
  readonly selected: boolean;
  readonly intervals: boolean;
  readonly ascii: boolean;
  readonly colourOf: ColourOf | undefined;
};

function drawCell(cell: Cell | undefined, { columns, align, selected, intervals, ascii, colourOf }: CellDrawing) {
  const shown = cellText(cell, ascii, intervals);
  const text = align === "left" ? fitMiddle(shown, columns) : shown;
  const before = selected ? ` ${symbolsOf(ascii).pointer}` : " ".repeat(columnGap);
  const spans: Span[] = [{ text: before, ...(selected && { style: "accent" as const }) }];
  const colour = cell === undefined || cell.value !== undefined ? undefined : colourOf?.(cell.text);
  spans.push({ text: pad(text, columns, align), ...inkOf(colour, styleOf(cell)), ...(selected && { selected }) });
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
export const tableWidth = (figure: TableFigure, place: IntervalPlace): number => whole(prepared(figure).widths(place));

/** All rows of a table with intervals below the values are drawn, so longer ones have none. */
const mostStacked = 200;

function intervalPlace(figure: TableFigure, { width: columns, intervals }: DrawOptions): IntervalPlace {
  if (intervals === false || !prepared(figure).look.outline.hasIntervals) return "none";
  if (intervals === true || whole(prepared(figure).widths("beside")) <= columns) return "beside";
  return intervals === "below" && figure.rows.length <= mostStacked ? "below" : "none";
}

function columnWidths(figure: TableFigure, options: DrawOptions): number[] {
  const { columns } = figure;
  const place = intervalPlace(figure, options);
  const widths = [...prepared(figure).widths(place)];
  const over = () => whole(widths) - options.width;
  if (over() <= 0) return widths;
  const fewest = leastWidths(figure, place);
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

/** Returns how far word columns and number titles may be cut: until they would look alike, and at least 12 columns wide. */
function leastWidths(figure: TableFigure, place: IntervalPlace): readonly number[] {
  const { words, title } = leastOf(figure);
  const { outline } = prepared(figure).look;
  return naturalWidths(figure.columns, outline, place, title).map((columns, index) =>
    Math.min(columns, words[index] ?? columns),
  );
}

/** Returns the columns that stay while others scroll: those that name a row, as far as a number fits beside them, and counts. */
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
