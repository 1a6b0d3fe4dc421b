/** Prints figures as text for pipes, files and dumb terminals. */
import { drawFigure, figureNotes } from "./drawing/draw-figure.ts";
import { columnHeads } from "./column-heads.ts";
import { type Line, fitLine, lineText } from "./drawing/line.ts";
import { toAscii } from "./drawing/symbols.ts";
import { figureTable, isEmpty } from "./figure-table.ts";
import { fittingFields } from "./drawing/grid.ts";
import { fittingColumns } from "./drawing/table.ts";
import type { Figure, GridFigure, TableFigure } from "../figure.ts";
import { printable } from "../text/printable.ts";

export type FigureTextOptions = { readonly width: number; readonly ascii: boolean };

/**
 * Prints a figure with its title and notes, every line at most `width` columns and without trailing blanks. A wider table or
 * map continues below itself with its names repeated, and a plot is followed by its values, so nothing is omitted.
 */
export function figureText(figure: Figure, options: FigureTextOptions): string {
  const title: Line = [{ text: printable(figure.title), style: "title" }];
  const drawn = pages(figure, options).map((page) => {
    const { head, body, foot } = drawFigure(page, { ...options, intervals: true });
    return [...head, ...body, ...foot];
  });
  const parts = drawn.flatMap((lines, index): Line[] => (index === 0 ? [...lines] : [[], ...lines]));
  const lines = [title, ...parts, ...figureNotes(figure, options.width, options.ascii)];
  const texts = lines.map((line) => lineText(fitLine(line, options.width)).trimEnd());
  return texts.map((text) => (options.ascii ? toAscii(text) : text)).join("\n");
}

/** Splits a table that is too wide into tables that fit, each of whole column groups as far as these fit. */
function pages(figure: Figure, options: FigureTextOptions): readonly Figure[] {
  if (figure.kind === "grid") return gridPages(figure, options);
  // A plot shows values only roughly.
  if (figure.kind === "lines" && !isEmpty(figure)) return [figure, ...pages(figureTable(figure), options)];
  if (figure.kind !== "table") return [figure];
  const fitting = (columns: readonly number[]) =>
    fittingColumns(only(figure, columns), { ...options, intervals: true }).map((at) => columns[at]!);
  const all = [...figure.columns.keys()];
  const texts = figure.columns.findIndex(({ align }) => align === "right");
  const names = all.slice(0, Math.max(1, texts));
  const first = fitting(all);
  // If no number fits beside all text columns, the first of them is repeated alone.
  const lead = first.some((column) => !names.includes(column)) ? names : [0];
  const isMore = (column: number) => !lead.includes(column);
  let shown = withoutPartOfGroup(figure, first, isMore);
  // A page alone may need more width, because its columns then carry the shared titles alone.
  while (shown.filter(isMore).length > 1 && fitting(shown).length < shown.length)
    shown = withoutPartOfGroup(figure, shown.toSpliced(shown.findLastIndex(isMore), 1), isMore);
  const left = all.filter((column) => !shown.includes(column) && isMore(column));
  if (left.length === 0 || !shown.some(isMore)) return [figure];
  return [only(figure, shown), ...pages(only(figure, [...lead, ...left]), options)];
}

/** Splits a map that is too wide into maps that fit, each with all rows. */
function gridPages(figure: GridFigure, options: FigureTextOptions): readonly GridFigure[] {
  const { x, cells } = figure;
  const part = (from: number, to?: number): GridFigure => ({
    ...figure,
    x: { ...x, ticks: x.ticks.slice(from, to) },
    cells: cells.map((row) => row.slice(from, to)),
  });
  let count = fittingFields(figure, options).length;
  // A page alone may need more width, because its counts may then be shown at each row.
  while (count > 1 && fittingFields(part(0, count), options).length < count) count -= 1;
  return count >= x.ticks.length ? [figure] : [part(0, count), ...gridPages(part(count), options)];
}

/** Leaves out the columns of groups that are not wholly among these, unless no other column of `isMore` remains. */
function withoutPartOfGroup({ columns }: TableFigure, shown: readonly number[], isMore: (column: number) => boolean) {
  const [heads = []] = columnHeads(columns);
  const part = heads.flatMap(({ from, count }) => {
    const group = Array.from({ length: count }, (_, index) => from + index);
    return group.every((column) => shown.includes(column)) ? [] : group;
  });
  const whole = shown.filter((column) => !part.includes(column) || !isMore(column));
  return whole.some(isMore) ? whole : shown;
}

function only(figure: TableFigure, columns: readonly number[]): TableFigure {
  const pick = <Item>(items: readonly Item[]) => columns.map((column) => items[column]!);
  return { ...figure, columns: pick(figure.columns), rows: figure.rows.map(pick) };
}
