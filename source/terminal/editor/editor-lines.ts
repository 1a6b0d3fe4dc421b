import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import { printable, width } from "../../engine/text/printable.ts";
import type { Theme } from "../drawing/theme.ts";
import { type TextBuffer, characters } from "./text-buffer.ts";
import { characterAt, rowsOfText, type RowOfText } from "./text-rows.ts";

/**
 * Draws the text with its cursor: inverse if there is colour, otherwise a bar before the character. Lines wider than `columns`
 * continue in the next row. `focus` is the row of the cursor.
 */
export function editorLines(buffer: TextBuffer, columns: number, theme: Theme): { lines: Line[]; focus: number } {
  const rows = rowsOfText(buffer, columns);
  const focus = cursorRow(rows, buffer);
  // The characters of a line with many rows are split once.
  const split = new Map<number, readonly string[]>();
  const partOf = ({ line, from, to }: RowOfText): readonly string[] => {
    const all = split.get(line) ?? characters(buffer.lines[line]!);
    split.set(line, all);
    return all.slice(from, to);
  };
  const lines = rows.map((place, at): Line => {
    if (at === focus) return cursorLine(partOf(place), buffer.column - place.from, theme);
    const text = buffer.lines[place.line]!;
    const isWhole = place.from === 0 && place.to === text.length;
    return [{ text: printable(isWhole ? text : partOf(place).join("")), style: "code" }];
  });
  return { lines, focus };
}

/** Moves the cursor to the character at this column of a row, as `editorLines` draws it. */
export function cursorAt(buffer: TextBuffer, columns: number, theme: Theme, row: number, offset: number): TextBuffer {
  const rows = rowsOfText(buffer, columns);
  const place = rows[Math.max(0, Math.min(row, rows.length - 1))]!;
  const text = buffer.lines[place.line]!;
  const before = characters(text).slice(place.from, buffer.column).join("");
  const isBehindBar = !theme.colour && place === rows[cursorRow(rows, buffer)] && offset > width(printable(before));
  return { ...buffer, row: place.line, column: characterAt(text, place, isBehindBar ? offset - 1 : offset) };
}

/** A line typed above a list. Its cursor is visible unless it is after the last character. */
export function typedLine(buffer: TextBuffer, theme: Theme): Line {
  const typed = characters(buffer.lines[0]!);
  return buffer.column === typed.length
    ? [{ text: printable(buffer.lines[0]!), style: "code" }]
    : cursorLine(typed, buffer.column, theme);
}

const cursorRow = (rows: readonly RowOfText[], { row, column }: TextBuffer): number =>
  rows.findLastIndex(({ line, from }) => line === row && from <= column);

function cursorLine(shown: readonly string[], at: number, theme: Theme): Line {
  const text = (from: number, to?: number) => printable(shown.slice(from, to).join(""));
  const under = shown[at] === undefined ? " " : text(at, at + 1);
  const bar = theme.symbols.caret;
  const cursor: Span[] = theme.colour
    ? [{ text: under, selected: true }]
    : [{ text: bar }, { text: under, style: "code" }];
  return [{ text: text(0, at), style: "code" }, ...cursor, { text: text(at + 1), style: "code" }];
}
