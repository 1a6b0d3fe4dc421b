/** The screen rows of a text that is edited: a line wider than the window continues in the next row. */
import { isSimple } from "../../engine/text/graphemes.ts";
import { printable, width } from "../../engine/text/printable.ts";
import { type TextBuffer, characters } from "./text-buffer.ts";

/** Characters `from` (inclusive) to `to` (exclusive) of a line; `to` may exceed its length. */
export type RowOfText = { readonly line: number; readonly from: number; readonly to: number };

/**
 * Returns the rows of one line, of at most `columns` each. `cursor` means that the cursor is after the last character
 * and needs a column too.
 */
function rowsOfLine(text: string, line: number, columns: number, cursor: boolean): RowOfText[] {
  const wide = characterWidths(text);
  const rows: RowOfText[] = [];
  let from = 0;
  let used = 0;
  for (const [at, own] of wide.entries()) {
    if (used > 0 && used + own > columns) {
      rows.push({ line, from, to: at });
      from = at;
      used = 0;
    }
    used += own;
  }
  rows.push({ line, from, to: wide.length });
  if (cursor && used >= columns) rows.push({ line, from: wide.length, to: wide.length });
  return rows;
}

/** Returns the rows of all lines. */
export const rowsOfText = ({ lines, row, column }: TextBuffer, columns: number): RowOfText[] =>
  lines.flatMap((text, line) =>
    // Most lines fit into a row and need no look at their characters, because none is wider than two columns.
    line !== row && (2 * text.length <= columns || (text.length <= columns && isSimple(text)))
      ? [{ line, from: 0, to: text.length }]
      : rowsOfLine(text, line, columns, line === row && column === characters(text).length),
  );

/** Returns the index of the character at this column of a row; beyond the end of a line, the end. */
export function characterAt(text: string, { from, to }: RowOfText, offset: number): number {
  const wide = characterWidths(text);
  let used = 0;
  let at = from;
  const end = Math.min(to, wide.length);
  while (at < end && used + wide[at]! <= offset) used += wide[at++]!;
  return at === end && end < wide.length ? Math.max(from, end - 1) : at;
}

/** Moves the cursor up (-1) or down (1) by a row of the screen. */
export function moveVisually(buffer: TextBuffer, by: 1 | -1, columns: number): TextBuffer {
  const { lines, row, column } = buffer;
  const text = lines[row]!;
  const own = rowsOfLine(text, row, columns, column === characters(text).length);
  const here = own.findLastIndex(({ from }) => from <= column);
  const beside = lines[row + by];
  const next =
    own[here + by] ??
    (beside === undefined ? undefined : rowsOfLine(beside, row + by, columns, false).at(by < 0 ? -1 : 0));
  if (next === undefined) return buffer;
  const across = characterWidths(text)
    .slice(own[here]!.from, column)
    .reduce((sum, each) => sum + each, 0);
  return { lines, row: next.line, column: characterAt(lines[next.line]!, next, across) };
}

/** Returns the columns of each character, at least one, so that the cursor is visible on it. */
const characterWidths = (text: string): readonly number[] =>
  characters(text).map((character) => Math.max(1, width(printable(character))));
