import type { Cell, TableFigure } from "../../figure.ts";
import { counted } from "../../text/counted.ts";
import { fit, fitMiddle, pad, printable, width } from "../../text/printable.ts";
import { columnHeads } from "../column-heads.ts";
import { countTitles } from "../unit-note.ts";
import { factOf } from "../../work/fact.ts";
import { cellText } from "./cell-text.ts";
import type { ColourOf, DrawOptions, Drawing } from "./drawing.ts";
import { inkOf, type Line, type Span, type Style, lineWidth } from "./line.ts";
import { withSharedPrefix, columnsToTellApart } from "./told-apart.ts";
import { namingColumns, widest } from "./table-outline.ts";
import { symbolsOf } from "./symbols.ts";
import { prepared } from "../prepared-figure.ts";

const gap = 2;

/** Placeholder for rows outside the window, of which there may be hundreds of thousands. */
const unseen: Line = [];

/**
 * Draws columns as wide as their texts. If they do not fit, words and long titles are cut in the middle as far as rows and
 * columns stay distinct. If that is not enough, the columns that name a row and `n` stay, and the others scroll around the
 * cursor. Intervals are shown if all of them fit.
 */
export function drawTable(given: TableFigure, options: DrawOptions): Drawing {
  const figure = withRoom(given, options);
  const { ascii, colourOf } = options;
  const intervals = showsIntervals(figure, options);
  const widths = columnWidths(figure, options);
  const shown = shownColumns(figure, widths, options);
  const hidden = figure.columns.length - shown.length;
  const head: Line = shown.flatMap((column) => {
    const { title, align } = figure.columns[column]!;
    const columns = widths[column]!;
    const text = align === "right" ? fitMiddle(printable(title), columns) : printable(title);
    return [{ text: " ".repeat(gap) }, { text: pad(text, columns, align), style: "strong" as const }];
  });
  const symbols = symbolsOf(options.ascii);
  const rule: Line = [{ text: `  ${symbols.rule.repeat(Math.max(0, lineWidth(head) - gap))}`, style: "rule" }];
  const [from, to] = options.window ?? [0, Infinity];
  const body = Array.from({ length: figure.rows.length }, (_, index): Line => {
    if (index < from || index >= to) return unseen;
    const row = figure.rows[index]!;
    return shown.flatMap((column) => {
      const selected = options.at?.row === index && options.at.column === column;
      const { align } = figure.columns[column]!;
      const how = { columns: widths[column]!, align, selected, intervals, ascii, colourOf };
      return drawCell(row[column], how);
    });
  });
  const foot: Line[] = [];
  if (hidden > 0) foot.push([{ text: `  ${symbols.more} ${counted(hidden, "more column")}`, style: "faint" }]);
  if (!intervals && prepared(figure).look.outline.hasIntervals)
    foot.push([{ text: "  No room for intervals; the value under the cursor shows its own", style: "faint" }]);
  return { head: [...headLines(figure, shown, widths, options.ascii), head, rule], body, foot };
}

/** Returns the indexes of the columns that fit: all of them, or the held ones and as many others as possible. */
export function fittingColumns(given: TableFigure, options: DrawOptions): readonly number[] {
  const figure = withRoom(given, options);
  return shownColumns(figure, columnWidths(figure, options), options);
}

/** Moves the common prefix of the names to the title if lines have no room for it. */
function withRoom(figure: TableFigure, { width: columns }: DrawOptions): TableFigure {
  return tableWidth(figure, false) <= columns ? figure : withSharedPrefix(figure);
}

/** Draws titles shared by several columns, each with a line over all of them. */
function headLines(figure: TableFigure, shown: readonly number[], widths: readonly number[], ascii: boolean): Line[] {
  const { rule } = symbolsOf(ascii);
  const columns = shown.map((column) => figure.columns[column]!);
  return columnHeads(columns).map((heads) =>
    heads.flatMap(({ title, from, count }): Span[] => {
      const wide = Array.from({ length: count }, (_, index) => widths[shown[from + index]!]! + gap);
      const room = wide.reduce((sum, each) => sum + each, -gap);
      const text = fit(printable(title), room);
      const left = room - width(text);
      return [
        { text: " ".repeat(gap) },
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

function drawCell(
  cell: Cell | undefined,
  { columns, align, selected, intervals, ascii, colourOf }: CellDrawing,
): Span[] {
  const shown = cellText(cell, ascii, intervals);
  const text = align === "left" ? fitMiddle(shown, columns) : shown;
  const before = selected ? ` ${symbolsOf(ascii).pointer}` : " ".repeat(gap);
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

/** Returns the widest text of each column, with titles limited to `title` columns. */
function naturalWidths(figure: TableFigure, intervals: boolean, title = widest): readonly number[] {
  const { titles, plain, wide } = prepared(figure).look.outline;
  const texts = intervals ? wide : plain;
  return underHeads(
    figure,
    titles.map((columns, index) => Math.max(Math.min(columns, title), texts[index]!)),
  );
}

/** Widens the last columns under shared titles that are longer than their columns. */
function underHeads(figure: TableFigure, given: readonly number[]): readonly number[] {
  const widths = [...given];
  for (const { title, from, count } of columnHeads(figure.columns).flat()) {
    const room = widths.slice(from, from + count).reduce((sum, each) => sum + each + gap, -gap);
    widths[from + count - 1]! += Math.max(0, Math.min(width(printable(title)), widest) - room);
  }
  return widths;
}

const whole = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each + gap, 0);

/** Returns the width of a whole table, with or without intervals. */
export function tableWidth(figure: TableFigure, intervals: boolean): number {
  return whole(naturalWidths(figure, intervals));
}

function showsIntervals(figure: TableFigure, { width: columns, intervals }: DrawOptions): boolean {
  return (
    prepared(figure).look.outline.hasIntervals && (intervals === true || whole(naturalWidths(figure, true)) <= columns)
  );
}

function columnWidths(figure: TableFigure, options: DrawOptions): number[] {
  const { columns } = figure;
  const intervals = showsIntervals(figure, options);
  const widths = [...naturalWidths(figure, intervals)];
  const over = () => whole(widths) - options.width;
  if (over() <= 0) return widths;
  const fewest = leastWidths(figure, intervals);
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
function leastWidths(figure: TableFigure, intervals: boolean): readonly number[] {
  const { words, title } = leastOf(figure);
  return naturalWidths(figure, intervals, title).map((columns, index) => Math.min(columns, words[index] ?? columns));
}

/** Returns the columns that stay while others scroll: those that name a row, as far as a number fits beside them, and counts. */
function heldColumns(figure: TableFigure, widths: readonly number[], room: number): readonly number[] {
  const counting = figure.columns.flatMap(({ title, align }, column) =>
    countTitles.has(title) && align === "right" && column > 0 ? [column] : [],
  );
  const names = Array.from({ length: namingColumns(figure) }, (_, column) => column);
  const held = [...names, ...(counting.length === 1 ? counting : [])];
  const others = widths.filter((_, column) => !held.includes(column));
  const wide = whole(held.map((column) => widths[column]!)) + gap + Math.max(0, ...others);
  return wide <= room ? held : held.filter((column) => column === 0 || !names.includes(column));
}

function shownColumns(
  figure: TableFigure,
  widths: readonly number[],
  { width: columns, at }: Pick<DrawOptions, "width" | "at">,
): number[] {
  if (widths.length === 0) return [];
  const held = heldColumns(figure, widths, columns);
  const room = columns - held.reduce((sum, column) => sum + widths[column]! + gap, 0);
  const fits = (from: number): number[] => {
    const shown: number[] = [];
    let used = 0;
    for (let column = from; column < widths.length; column++) {
      if (held.includes(column)) continue;
      used += widths[column]! + gap;
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
