import { type BarsFigure, type Cell, type Figure, shortfallOf, type TableColumn } from "../../figure.ts";
import { printable, wrap } from "../../text/printable.ts";
import { columnName } from "../column-heads.ts";
import { intervalEnds } from "../interval-text.ts";
import { drawBars } from "./bars.ts";
import type { DrawOptions, Drawing, RowSpan, Stop } from "./drawing.ts";
import { drawGrid } from "./grid.ts";
import { type Line, styled } from "./line.ts";
import { drawLines, drawPoints, pointGroups } from "./plot.ts";
import { unitNote } from "../unit-note.ts";
import { symbolsOf } from "./symbols.ts";
import { cellText, drawTable, hasIntervals } from "./table.ts";

export function drawFigure(figure: Figure, options: DrawOptions): Drawing {
  if (isEmpty(figure)) return { head: [], body: [[{ text: "  none", style: "faint" }]], foot: [] };
  switch (figure.kind) {
    case "table":
      return drawTable(figure, options);
    case "grid":
      return drawGrid(figure, options);
    case "bars":
      return drawBars(figure, options);
    case "lines":
      return drawLines(figure, options);
    case "points":
      return drawPoints(figure, options);
    default:
      figure satisfies never;
      return { head: [], body: [], foot: [] };
  }
}

/** Whether there is nothing to draw: then it says so, instead of empty axes or a head over nothing. */
export function isEmpty(figure: Figure): boolean {
  switch (figure.kind) {
    case "table":
      return figure.rows.length === 0;
    case "grid":
      return figure.cells.every((row) => row.every((cell) => cell === undefined));
    case "bars":
      return figure.bars.length === 0;
    case "lines":
      return figure.series.every(({ points }) => points.length === 0);
    case "points":
      return figure.points.length === 0;
    default:
      return figure satisfies never;
  }
}

/** The notes under a figure, the unit of its values, and what its marks mean where it has any: all that is to be known of it. */
export function figureNotes(figure: Figure, columns: number, ascii: boolean): Line[] {
  const { bullet } = symbolsOf(ascii);
  const notes = figure.notes.map(printable);
  const saysFaint = notes.some((note) => note.includes("~"));
  return [...notes, ...signTexts(figure, ascii, saysFaint)].flatMap((note) =>
    wrap(note, Math.max(10, columns - 4)).map((text, index): Line => [
      { text: index === 0 ? `  ${bullet} ${text}` : `    ${text}`, style: "faint" },
    ]),
  );
}

/** The same where the notes are elsewhere: `signTexts` as lines. */
export function drawnSigns(texts: readonly string[], columns: number): Line[] {
  if (texts.length === 0) return [];
  return wrap(texts.join("; "), Math.max(10, columns - 2)).map((text) => styled("faint", `  ${text}`));
}

/** What must stand beside the numbers for them to be read: their unit, and what marks mean, where no note `saysFaint`. */
export function signTexts(figure: Figure, ascii: boolean, saysFaint = false): string[] {
  const { reported, faint, best, second } = symbolsOf(ascii);
  const cells = figureStops(figure).flatMap((row) => row.map(({ cell }) => cell));
  const notes: string[] = [];
  // The scale of a map says it.
  const unit = figure.kind === "grid" ? undefined : unitNote(figure);
  if (unit !== undefined) notes.push(unit);
  if (cells.some((cell) => cell?.reported === true))
    notes.push(`${reported} reported by the paper, not from these runs`);
  if (!saysFaint && cells.some((cell) => cell?.faint === true && shortfallOf(cell) === undefined))
    notes.push(`${faint} rests on few tasks`);
  const isShort = (cell: Cell | undefined) => cell !== undefined && shortfallOf(cell) !== undefined;
  if (cells.some(isShort)) notes.push(`${faint} (a of b): of b tasks that ended, a have a score`);
  // A plot has no room for texts.
  if (figure.kind === "lines")
    for (const { label, cell } of figureStops(figure).flat())
      if (isShort(cell)) notes.push(`${label}: ${cellText(cell, ascii)}`);
  const rank = rankNote(cells, `${best} best, ${second} second best of its column`);
  if (rank !== undefined) notes.push(rank);
  if (figure.kind === "table" && hasIntervals(figure)) notes.push("[a, b]: 95 % interval");
  return notes;
}

/** What marked cells are the best of: runs of what was answered on the same tasks, a paper's values of what it prints. */
export function rankNote(cells: readonly (Cell | undefined)[], mark: string): string | undefined {
  const marked = cells.filter((cell) => cell?.rank !== undefined);
  const count = marked.filter((cell) => cell?.reported === true).length;
  if (marked.length === 0) return undefined;
  if (count === 0) return `${mark}, on the same tasks`;
  if (count === marked.length) return `${mark} among those reported`;
  return `${mark}: of runs on the same tasks, and among the values reported`;
}

/** By figure, which never changes: with every key a figure is looked at several times. */
const known = new WeakMap<Figure, readonly (readonly Stop[])[]>();

/** Everything the cursor can stand on, row by row. */
export function figureStops(figure: Figure): readonly (readonly Stop[])[] {
  const stops = known.get(figure) ?? stopsOf(figure);
  known.set(figure, stops);
  return stops;
}

function stopsOf(figure: Figure): readonly (readonly Stop[])[] {
  switch (figure.kind) {
    case "table":
      return figure.rows.map((row) =>
        row.map((cell, column) => ({
          label: tableLabel(row, figure.columns[column], column),
          cell: withInterval(cell),
        })),
      );
    case "grid":
      return figure.y.ticks.map((tick, row) =>
        figure.x.ticks.map((other, column) => ({
          label: `${figure.y.label} ${tick}, ${figure.x.label} ${other}`,
          cell: figure.cells[row]?.[column],
        })),
      );
    case "bars":
      return figure.bars.map((bar) => [{ label: barName(bar), cell: withInterval(bar.cell, bar.low, bar.high) }]);
    case "lines":
      return figure.series.map(({ label, points }) =>
        points.map(({ x, cell, low, high }) => ({
          label: `${label}, ${figure.x} ${x}`,
          cell: withInterval(cell, low, high),
        })),
      );
    case "points":
      return pointGroups(figure).map(({ group, indexes }) =>
        indexes.map((index) => {
          const { x, y, label, tasks } = figure.points[index]!;
          const text = `${figure.x} ${Number(x.toPrecision(4))}, ${figure.y} ${Number(y.toPrecision(4))}`;
          return { label: `${group}: ${label}`, cell: { text, ...(tasks && { tasks }) } };
        }),
      );
    default:
      figure satisfies never;
      return [];
  }
}

function tableLabel(row: readonly Cell[], of: TableColumn | undefined, column: number): string {
  const name = of === undefined ? "" : columnName(of);
  return column === 0 ? name : `${row[0]?.text ?? ""}, ${name}`;
}

/** The whole name of a bar, where it is seen alone. */
export function barName({ group, label }: BarsFigure["bars"][number]): string {
  return group === undefined ? label : `${group}, ${label}`;
}

function withInterval(cell: Cell, low = cell.low, high = cell.high): Cell {
  const ends = intervalEnds({ ...cell, low, high });
  if (ends === undefined) return cell;
  const interval = `95 % interval ${ends.join(" to ")}`;
  return { ...cell, note: cell.note === undefined ? interval : `${interval}; ${cell.note}` };
}

/** Which lines of the body show a row of stops. */
export function rowSpan(figure: Figure, row: number, body: number): RowSpan {
  switch (figure.kind) {
    case "table":
    case "bars":
    case "grid":
      return { from: row, lines: 1 };
    case "lines":
    case "points":
      return { from: 0, lines: body };
    default:
      figure satisfies never;
      return { from: 0, lines: 0 };
  }
}
