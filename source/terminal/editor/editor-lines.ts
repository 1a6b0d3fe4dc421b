import type { Line, Span } from "../../engine/drawing/line.ts";
import { lineWidth } from "../../engine/drawing/line.ts";
import { printable, width } from "../../engine/printable.ts";
import type { Theme } from "../theme.ts";
import { type TextBuffer, characters } from "./text-buffer.ts";

/**
 * The text with its cursor: turned around where there is colour, a bar before the character where there is none. A line
 * that is too long is moved to the left so that the cursor stays in sight.
 */
export function editorLines({ lines, row, column }: TextBuffer, columns: number, theme: Theme): Line[] {
  return lines.map((text, index) =>
    index === row ? cursorLine(text, column, columns, theme) : [{ text: printable(text), style: "code" }],
  );
}

function cursorLine(text: string, column: number, columns: number, theme: Theme): Line {
  const all = characters(text).map(printable);
  let from = 0;
  let used = width(all.slice(0, column).join("")) + 2;
  while (used > columns && from < column) used -= width(all[from++]!);
  const before = all.slice(from, column).join("");
  const under = all[column] ?? " ";
  const after = all.slice(column + 1).join("");
  const bar = theme.ascii ? "|" : "▏";
  const cursor: Span[] = theme.colour
    ? [{ text: under, selected: true }]
    : [{ text: bar }, { text: under, style: "code" }];
  const line: Line = [{ text: before, style: "code" }, ...cursor, { text: after, style: "code" }];
  return from > 0 && lineWidth(line) > 0 ? [{ text: theme.symbols.left, style: "faint" }, ...line] : line;
}
