import { type Cell, type Figure, shortfallOf, type TableFigure } from "../../figure.ts";
import { printable, wrap } from "../../text/printable.ts";
import { drawBars } from "./bars.ts";
import { bracketNotes } from "../interval-text.ts";
import { cellText } from "./cell-text.ts";
import type { DrawOptions, Drawing, RowSpan } from "./drawing.ts";
import { drawGrid } from "./grid.ts";
import { type Line, styled } from "./line.ts";
import { drawLines, drawPoints } from "./plot.ts";
import { isEmpty } from "../figure-table.ts";
import { prepared } from "../prepared-figure.ts";
import { symbolsOf } from "../../../look/signs.ts";
import { isExact, isShort, screenText, showsCounts } from "./screen-text.ts";
import { brieflyNamed } from "./brief-names.ts";
import { drawTable, intervalPlace } from "./table.ts";
import { MarkCount, type Marks, rankNote, shortNote } from "./table-outline.ts";

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

/** Returns the notes of a figure, the unit of its values and the meaning of the marks it uses. */
export function figureNotes(figure: Figure, columns: number, ascii: boolean): Line[] {
  const { bullet } = symbolsOf(ascii);
  const notes = figure.notes.map(printable);
  const saysFaint = notes.some((note) => note.includes("~"));
  return [...notes, ...signTexts(figure, { ascii }, saysFaint)].flatMap((note) =>
    wrap(note, Math.max(10, columns - 4)).map((text, index): Line => [
      { text: index === 0 ? `  ${bullet} ${text}` : `    ${text}`, style: "faint" },
    ]),
  );
}

/** Formats `signTexts` as lines, for figures whose notes are elsewhere. */
export function drawnSigns(texts: readonly string[], columns: number): Line[] {
  if (texts.length === 0) return [];
  return wrap(texts.join("; "), Math.max(10, columns - 2)).map((text) => styled("faint", `  ${text}`));
}

type SignOptions = Pick<DrawOptions, "ascii" | "screen" | "intervals"> & Partial<Pick<DrawOptions, "width">>;

/**
 * Returns notes on the values that are not above their floor, on the unit and on the marks; `saysFaint` is true if another note
 * explains `~`. On a screen, weights are explained instead of the signs that replace them in text.
 */
export function signTexts(figure: Figure, options: SignOptions, saysFaint = false): string[] {
  const { ascii, screen } = options;
  const symbols = symbolsOf(ascii);
  const marks = marksIn(figure);
  const notes: string[] = [];
  const below = figure.kind === "table" || figure.kind === "bars" ? prepared(figure).look.below : undefined;
  if (below !== undefined) notes.push(screen === undefined ? below : brieflyNamed(below));
  // The scale of a map names its unit.
  const unit = figure.kind === "grid" ? undefined : prepared(figure).units;
  if (unit !== undefined) notes.push(unit);
  if (marks.reported) notes.push(`${symbols.reported} reported by the paper, not from these runs`);
  // On a screen the number of tasks is beside a muted value, or the sign is in a column of its own.
  const isMarked = screen === undefined || (figure.kind === "table" && !(isShort(figure) && showsCounts(figure)));
  if (!saysFaint && marks.faint && isMarked) notes.push(`${symbols.faint} based on few tasks`);
  if (marks.short) notes.push(shortNote(screen === undefined ? marks : { few: false }, symbols.faint));
  // A plot has no room for cell texts.
  if (marks.short && figure.kind === "lines")
    for (const stops of prepared(figure).stops)
      for (const { label, cell } of stops)
        if (cell !== undefined && shortfallOf(cell) !== undefined) notes.push(`${label}: ${cellText(cell, ascii)}`);
  const best = screen === undefined ? `${symbols.best} best, ${symbols.second}` : "bold: best, underlined:";
  const rank = rankNote(marks, `${best} second best of its column`);
  // Bars of a table have no bold values.
  if (rank !== undefined && screen !== "plain" && (figure.kind === "table" || screen === undefined)) notes.push(rank);
  const isBeside = (table: TableFigure) =>
    screen === undefined || intervalPlace(table, { width: 0, ...options }) === "beside";
  if (figure.kind === "table" && prepared(figure).look.outline.hasIntervals && isBeside(figure))
    notes.push(...bracketNotes(marks));
  return notes;
}

/** Returns a function that gives the text of a value as a screen shows it. */
export function textsOnScreen(figure: Figure): (cell: Cell) => string {
  const exact =
    figure.kind === "table" ? !isShort(figure) || prepared(figure).look.outline.marks.reported : isExact(figure);
  return (cell) => screenText(cell, exact);
}

function marksIn(figure: Figure): Marks {
  if (figure.kind === "table") return prepared(figure).look.outline.marks;
  const marks = new MarkCount();
  for (const stops of prepared(figure).stops) for (const { cell } of stops) if (cell !== undefined) marks.add(cell);
  return marks;
}

/** Returns the lines of the body that show a row of stops; the body has `body` lines, and `starts` is as in the drawing. */
export function rowSpan(figure: Figure, row: number, body: number, starts?: Drawing["starts"]): RowSpan {
  switch (figure.kind) {
    case "table": {
      const from = starts?.[row] ?? row;
      return { from, lines: (starts?.[row + 1] ?? (starts === undefined ? row + 1 : body)) - from };
    }
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
