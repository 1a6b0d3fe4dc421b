/** Prints figures as text for pipes, files and dumb terminals. */
import { drawFigure, figureNotes } from "./drawing/draw-figure.ts";
import { columnHeads, columnName } from "./column-heads.ts";
import { cellText } from "./drawing/cell-text.ts";
import type { Drawing } from "./drawing/drawing.ts";
import { type Line, fitLine, lineText, lineWidth, styled } from "./drawing/line.ts";
import { toAscii } from "../text/ascii-text.ts";
import { figureTable, isEmpty } from "./figure-table.ts";
import { fittingFields } from "./drawing/grid.ts";
import { fittingColumns } from "./drawing/table.ts";
import { countTitles } from "./unit-note.ts";
import type { Figure, GridFigure, TableFigure } from "../figure.ts";
import { printable, wrap } from "../text/printable.ts";

export type FigureTextOptions = { readonly width: number; readonly ascii: boolean };

/**
 * Prints a figure with its title and notes, every line at most `width` columns and without trailing blanks. A wider table or map
 * continues below with its names repeated, and a plot is followed by its values, so nothing is omitted. If the page is too narrow
 * for a name beside a value, each row is printed as its name with its values below.
 */
export function figureText(figure: Figure, options: FigureTextOptions): string {
  const title: Line = [{ text: printable(figure.title), style: "title" }];
  const own = pages(figure, options).map((page) => ({
    page,
    drawing: drawFigure(page, { ...options, intervals: true }),
  }));
  const areWhole = own.every(({ page, drawing }) => isWhole(page, drawing, options));
  const kept = areWhole ? own : own.filter(({ page }) => page.kind === "lines");
  const drawn = kept.map(({ drawing: { head, body, foot } }) => [...head, ...body, ...foot]);
  if (!areWhole) drawn.push(rowsAlone(figureTable(figure), options));
  const parts = drawn.flatMap((lines, index): Line[] => (index === 0 ? [...lines] : [[], ...lines]));
  const lines = [title, ...parts, ...figureNotes(figure, options.width, options.ascii)];
  const texts = lines.map((line) => lineText(fitLine(line, options.width)).trimEnd());
  return texts.map((text) => (options.ascii ? toAscii(text) : text)).join("\n");
}

/** Returns true if each value of a page is drawn in full; a plot is always followed by its values. */
function isWhole(page: Figure, { body }: Drawing, options: FigureTextOptions): boolean {
  if (page.kind === "lines" || isEmpty(page)) return true;
  if (page.kind === "table" && fittingColumns(page, { ...options, intervals: true }).length < page.columns.length)
    return false;
  return body.every((line) => lineWidth(line) <= options.width);
}

/** Prints each row as its name, with the names and values of its other columns below it. */
function rowsAlone({ columns, rows }: TableFigure, { width, ascii }: FigureTextOptions): Line[] {
  const indented = (text: string, by: number): Line[] =>
    wrap(text, width - by).map((line) => styled(by === 2 ? "strong" : "plain", " ".repeat(by) + line));
  return rows.flatMap((row) =>
    row.flatMap((cell, at) => {
      const text = cellText(cell, ascii, true);
      if (at === 0) return indented(text, 2);
      return text === "" ? [] : indented(`${printable(columnName(columns[at]!))}: ${text}`, 4);
    }),
  );
}

/** Splits a figure that is too wide into figures that fit. */
function pages(figure: Figure, options: FigureTextOptions): readonly Figure[] {
  if (figure.kind === "grid") return gridPages(figure, options);
  // A plot shows values only roughly.
  if (figure.kind === "lines" && !isEmpty(figure)) return [figure, ...pages(figureTable(figure), options)];
  return figure.kind === "table" ? tablePages(figure, options) : [figure];
}

/** Wider than the part of any page. */
const anyPart = " (99 of 99)";

/**
 * Splits a table into pages of whole column groups. A group that is wider than a page continues on the next page, and its title
 * then contains the part, as in `toolbench (1 of 2)`.
 */
function tablePages(figure: TableFigure, options: FigureTextOptions): readonly TableFigure[] {
  const groups = columnHeads(figure.columns).flatMap((heads, level) =>
    heads.filter(({ title }) => title !== "").map(({ from, count }) => ({ level, from, to: from + count })),
  );
  type Group = (typeof groups)[number];
  const holds = ({ from, to }: Group, column: number) => column >= from && column < to;
  const withParts = (partOf: (group: Group) => string): TableFigure => {
    const columns = figure.columns.map((column, at) => {
      const own = groups.filter((group) => holds(group, at));
      return own.length === 0
        ? column
        : {
            ...column,
            under: column.under!.map(
              (title, level) =>
                title +
                own
                  .filter((group) => group.level === level)
                  .map(partOf)
                  .join(""),
            ),
          };
    });
    return { ...figure, columns };
  };
  // A title with its part is longer, so that fewer columns may fit.
  for (let wider: readonly Group[] = []; ;) {
    const parts = columnPages(
      withParts((group) => (wider.includes(group) ? anyPart : "")),
      options,
    );
    const holding = (group: Group) => parts.filter((columns) => columns.some((column) => holds(group, column)));
    const split = groups.filter((group) => holding(group).length > 1);
    if (!split.every((group) => wider.includes(group))) {
      wider = [...wider, ...split];
      continue;
    }
    return parts.map((columns) => {
      const part = (group: Group) => `${holding(group).indexOf(columns) + 1} of ${holding(group).length}`;
      return only(
        withParts((group) => (split.includes(group) ? ` (${part(group)})` : "")),
        columns,
      );
    });
  }
}

/** Returns the columns of each page, with the columns that name a row on all of them. */
function columnPages(
  figure: TableFigure,
  options: FigureTextOptions,
  columns: readonly number[] = [...figure.columns.keys()],
): readonly (readonly number[])[] {
  const own = only(figure, columns);
  const fitting = (shown: readonly number[]) =>
    fittingColumns(only(own, shown), { ...options, intervals: true }).map((at) => shown[at]!);
  const all = [...columns.keys()];
  const texts = own.columns.findIndex(({ align }) => align === "right");
  const names = all.slice(0, Math.max(1, texts));
  const first = fitting(all);
  // If no number fits beside all text columns, the first of them is repeated alone.
  const lead = first.some((column) => !names.includes(column)) ? names : [0];
  const isMore = (column: number) => !lead.includes(column);
  let shown = wholeGroups(own, first, isMore);
  // A page alone may need more width, because its columns then carry the shared titles alone.
  while (shown.filter(isMore).length > 1 && fitting(shown).length < shown.length)
    shown = wholeGroups(own, shown.toSpliced(shown.findLastIndex(isMore), 1), isMore);
  const left = all.filter((column) => !shown.includes(column) && isMore(column));
  if (left.length === 0 || !shown.some(isMore)) return [columns];
  const given = (list: readonly number[]) => list.map((at) => columns[at]!);
  return [given(shown), ...columnPages(figure, options, given([...lead, ...left]))];
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

/**
 * Omits the columns of outer groups of which only some columns are present. If only counts would remain, omits the columns of
 * incomplete inner groups instead; if only counts would remain even then, omits no column.
 */
function wholeGroups({ columns }: TableFigure, shown: readonly number[], isMore: (column: number) => boolean) {
  for (const heads of columnHeads(columns)) {
    const part = heads.flatMap(({ from, count }) => {
      const group = Array.from({ length: count }, (_, index) => from + index);
      return group.every((column) => shown.includes(column)) ? [] : group;
    });
    const whole = shown.filter((column) => !part.includes(column) || !isMore(column));
    if (whole.some((column) => isMore(column) && !countTitles.has(columns[column]!.title))) return whole;
  }
  return shown;
}

function only(figure: TableFigure, columns: readonly number[]): TableFigure {
  const pick = <Item>(items: readonly Item[]) => columns.flatMap((column) => items[column] ?? []);
  return { ...figure, columns: pick(figure.columns), rows: figure.rows.map(pick) };
}
