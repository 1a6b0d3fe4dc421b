import { type Cell, shortfallOf, type TableFigure } from "../../figure.ts";
import { counted } from "../../text/counted.ts";
import { fit, fitMiddle, pad, printable, width } from "../../text/printable.ts";
import { columnHeads } from "../column-heads.ts";
import { intervalText } from "../interval-text.ts";
import type { ColourOf, DrawOptions, Drawing } from "./drawing.ts";
import { inkOf, type Line, type Span, type Style, lineWidth } from "./line.ts";
import { withSharedPrefix } from "./shared-prefix.ts";
import { symbolsOf } from "./symbols.ts";

const gap = 2;
const widest = 48;

/**
 * Columns as wide as their texts, those with words shortened when they do not fit, names in their middle; where that is not
 * enough, the first column stays and as many others as fit are shown around the cursor. Intervals stand beside the values where
 * there is room for all.
 */
export function drawTable(given: TableFigure, options: DrawOptions): Drawing {
  const figure = withRoom(given, options);
  const { ascii, colourOf } = options;
  const intervals = showsIntervals(figure, options);
  const widths = columnWidths(figure, options);
  const shown = shownColumns(widths, options);
  const hidden = figure.columns.length - shown.length;
  const head: Line = shown.flatMap((column) => {
    const { title, align } = figure.columns[column]!;
    return [
      { text: " ".repeat(gap) },
      { text: pad(printable(title), widths[column]!, align), style: "strong" as const },
    ];
  });
  const symbols = symbolsOf(options.ascii);
  const rule: Line = [{ text: `  ${symbols.rule.repeat(Math.max(0, lineWidth(head) - gap))}`, style: "rule" }];
  const [from, to] = options.window ?? [0, Infinity];
  const body = figure.rows.map((row, index) => {
    if (index < from || index >= to) return [];
    return shown.flatMap((column) => {
      const selected = options.at?.row === index && options.at.column === column;
      const { align } = figure.columns[column]!;
      const how = { columns: widths[column]!, align, isName: column === 0, selected, intervals, ascii, colourOf };
      return drawCell(row[column], how);
    });
  });
  const foot: Line[] = [];
  if (hidden > 0) foot.push([{ text: `  ${symbols.more} ${counted(hidden, "more column")}`, style: "faint" }]);
  if (!intervals && hasIntervals(figure))
    foot.push([{ text: "  No room for intervals: they stand with the value under the cursor", style: "faint" }]);
  return { head: [...headLines(figure, shown, widths, options.ascii), head, rule], body, foot };
}

/** The columns that fit, as their indexes: all of them, or the first and as many others as there is room for. */
export function fittingColumns(figure: TableFigure, options: DrawOptions): readonly number[] {
  return shownColumns(columnWidths(withRoom(figure, options), options), options);
}

/** With what its names have in common in a title, where there is no room for it in each line. */
function withRoom(figure: TableFigure, { ascii, width: columns }: DrawOptions): TableFigure {
  return whole(naturalWidths(figure, ascii).plain) <= columns ? figure : withSharedPrefix(figure);
}

/**
 * A cell's text with its marks: `~` before what rests on few tasks; behind it the mark of the best or second best, a dagger for
 * what is reported by a paper, how few tasks it rests on, and, if wanted, the interval.
 */
export function cellText(cell: Cell | undefined, ascii: boolean, intervals = false): string {
  if (cell === undefined) return "";
  const symbols = symbolsOf(ascii);
  const text = printable(cell.text);
  const interval = intervals ? intervalText(cell) : undefined;
  const short = shortfallOf(cell);
  return [
    cell.faint === true ? symbols.faint : "",
    text,
    cell.rank === 1 ? symbols.best : cell.rank === 2 ? symbols.second : "",
    cell.reported === true && text !== "" ? symbols.reported : "",
    short === undefined ? "" : ` (${short})`,
    interval === undefined ? "" : ` ${interval}`,
  ].join("");
}

export function hasIntervals({ rows }: TableFigure): boolean {
  return rows.some((row) => row.some(({ low }) => low !== undefined));
}

/** Titles shared by several columns, each with a line over all of them. */
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
  readonly isName: boolean;
  readonly selected: boolean;
  readonly intervals: boolean;
  readonly ascii: boolean;
  readonly colourOf: ColourOf | undefined;
};

function drawCell(
  cell: Cell | undefined,
  { columns, align, isName, selected, intervals, ascii, colourOf }: CellDrawing,
): Span[] {
  const shown = cellText(cell, ascii, intervals);
  const text = isName ? fitMiddle(shown, columns) : shown;
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

type Widths = { readonly ascii: boolean; readonly plain: readonly number[]; readonly wide: readonly number[] };

const natural = new WeakMap<TableFigure, Widths>();

/** The widths the texts themselves want: kept, as a long table is drawn again at every move of the cursor. */
function naturalWidths(figure: TableFigure, ascii: boolean): Widths {
  const known = natural.get(figure);
  if (known?.ascii === ascii) return known;
  const heads = columnHeads(figure.columns).flat();
  const measured = (intervals: boolean) => {
    const widths = figure.columns.map(({ title }, column) => {
      let most = width(printable(title));
      for (const row of figure.rows) most = Math.max(most, width(cellText(row[column], ascii, intervals)));
      return Math.min(most, widest);
    });
    for (const { title, from, count } of heads) {
      const room = widths.slice(from, from + count).reduce((sum, each) => sum + each + gap, -gap);
      widths[from + count - 1]! += Math.max(0, Math.min(width(printable(title)), widest) - room);
    }
    return widths;
  };
  const plain = measured(false);
  const found = { ascii, plain, wide: hasIntervals(figure) ? measured(true) : plain };
  natural.set(figure, found);
  return found;
}

const whole = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each + gap, 0);

/** The columns in which all of a table stands, with intervals beside its values or without. */
export function tableWidth(figure: TableFigure, ascii: boolean, intervals: boolean): number {
  return whole(naturalWidths(figure, ascii)[intervals ? "wide" : "plain"]);
}

function showsIntervals(figure: TableFigure, { ascii, width: columns, intervals }: DrawOptions): boolean {
  return hasIntervals(figure) && (intervals === true || whole(naturalWidths(figure, ascii).wide) <= columns);
}

function columnWidths(figure: TableFigure, options: DrawOptions): number[] {
  const { columns } = figure;
  const { plain, wide } = naturalWidths(figure, options.ascii);
  const widths = [...(showsIntervals(figure, options) ? wide : plain)];
  const over = () => whole(widths) - options.width;
  // The widest text column gives way first, down to 12 columns.
  while (over() > 0) {
    const candidates = columns.map((_, index) => index).filter((index) => columns[index]!.align === "left");
    const longest = candidates.reduce((best, index) => (widths[index]! > (widths[best] ?? 0) ? index : best), -1);
    if (longest < 0 || widths[longest]! <= 12) break;
    widths[longest] = Math.max(12, widths[longest]! - over());
  }
  return widths;
}

function shownColumns(widths: readonly number[], { width: columns, at }: DrawOptions): number[] {
  if (widths.length === 0) return [];
  const room = columns - (widths[0]! + gap);
  const fits = (from: number): number[] => {
    const shown: number[] = [];
    let used = 0;
    for (let column = from; column < widths.length; column++) {
      used += widths[column]! + gap;
      if (used > room) break;
      shown.push(column);
    }
    return shown;
  };
  let from = 1;
  while (at !== undefined && at.column > from && !fits(from).includes(at.column)) from += 1;
  return [0, ...fits(from)];
}
