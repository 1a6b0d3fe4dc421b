/** The rows of the screen a text takes while it is edited: a line that is wider than the window goes on in the next row. */
import { isSimple } from "../../engine/text/graphemes.ts";
import { printable, width } from "../../engine/text/printable.ts";
import { type TextBuffer, characters } from "./text-buffer.ts";

/** Characters `from` to before `to` of a line; `to` may lie behind its end. */
export type TextRow = { readonly line: number; readonly from: number; readonly to: number };

/** Those of one line, of at most `columns` each; `cursor`: the cursor is behind its last character, and needs a column too. */
export function rowsOfLine(text: string, line: number, columns: number, cursor: boolean): TextRow[] {
  const wide = characterWidths(text);
  const rows: TextRow[] = [];
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

/** All of them. */
export function rowsOf({ lines, row, column }: TextBuffer, columns: number): TextRow[] {
  return lines.flatMap((text, line) =>
    // Most lines fit into a row, and are not looked into: nothing takes more than two columns.
    line !== row && (2 * text.length <= columns || (text.length <= columns && isSimple(text)))
      ? [{ line, from: 0, to: text.length }]
      : rowsOfLine(text, line, columns, line === row && column === characters(text).length),
  );
}

/** The character of a row that stands so many columns behind its begin; behind the last one of a line, the end of the line. */
export function characterAt(text: string, { from, to }: TextRow, offset: number): number {
  const wide = characterWidths(text);
  let used = 0;
  let at = from;
  const end = Math.min(to, wide.length);
  while (at < end && used + wide[at]! <= offset) used += wide[at++]!;
  return at === end && end < wide.length ? Math.max(from, end - 1) : at;
}

/** The cursor moved up (-1) or down (1) on the screen. */
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

/** Columns of each character; at least one, so that the cursor can stand on it. */
function characterWidths(text: string): readonly number[] {
  return characters(text).map((character) => Math.max(1, width(printable(character))));
}
