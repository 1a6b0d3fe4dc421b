import type { Cell, TableFigure } from "../../figure.ts";
import { pad, printable, width } from "../../text/printable.ts";
import type { DrawOptions, Drawing } from "./drawing.ts";
import { type Line, type Span, lineWidth } from "./line.ts";
import { symbolsOf } from "./symbols.ts";

const gap = 2;
const widest = 48;

/**
 * Columns as wide as their texts, the first shortened when they do not fit; where that is not enough, the first column
 * stays and as many others as fit are shown around the cursor.
 */
export function drawTable(figure: TableFigure, options: DrawOptions): Drawing {
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
      return drawCell(row[column], widths[column]!, align, selected, options.ascii);
    });
  });
  const foot: Line[] = [];
  if (hidden > 0) foot.push([{ text: `  ${symbols.more} ${hidden} more columns`, style: "faint" }]);
  return { head: [head, rule], body, foot };
}

/** The columns that fit, as their indexes: all of them, or the first and as many others as there is room for. */
export function fittingColumns(figure: TableFigure, options: DrawOptions): readonly number[] {
  return shownColumns(columnWidths(figure, options), options);
}

/** A cell's text with its marks: `~` before what rests on few tasks, a dagger behind what is reported by a paper. */
export function cellText(cell: Cell | undefined, ascii: boolean): string {
  if (cell === undefined) return "";
  const symbols = symbolsOf(ascii);
  const text = printable(cell.text);
  return `${cell.faint === true ? symbols.faint : ""}${text}${cell.reported === true && text !== "" ? symbols.reported : ""}`;
}

function drawCell(cell: Cell | undefined, columns: number, align: "left" | "right", selected: boolean, ascii: boolean) {
  const text = cellText(cell, ascii);
  const style = cell?.reported === true ? "reported" : cell?.faint === true ? "faint" : "plain";
  const before = selected ? ` ${symbolsOf(ascii).pointer}` : " ".repeat(gap);
  const spans: Span[] = [{ text: before, ...(selected && { style: "accent" as const }) }];
  spans.push({ text: pad(text, columns, align), style, ...(selected && { selected }) });
  return spans;
}

const natural = new WeakMap<TableFigure, { readonly ascii: boolean; readonly widths: readonly number[] }>();

/** The widths the texts themselves want: kept, as a long table is drawn again at every move of the cursor. */
function naturalWidths(figure: TableFigure, ascii: boolean): readonly number[] {
  const known = natural.get(figure);
  if (known?.ascii === ascii) return known.widths;
  const widths = figure.columns.map(({ title }, column) => {
    let most = width(printable(title));
    for (const row of figure.rows) most = Math.max(most, width(cellText(row[column], ascii)));
    return Math.min(most, widest);
  });
  natural.set(figure, { ascii, widths });
  return widths;
}

function columnWidths(figure: TableFigure, options: DrawOptions): number[] {
  const { columns } = figure;
  const widths = [...naturalWidths(figure, options.ascii)];
  const over = () => widths.reduce((sum, each) => sum + each + gap, 0) - options.width;
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
