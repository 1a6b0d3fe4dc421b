import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import type { Theme } from "../drawing/theme.ts";
import { type TextBuffer, characters } from "./text-buffer.ts";

/**
 * The text with its cursor: in inverse video where there is colour, a bar before the character where there is none. Lines
 * longer than `columns` characters continue in the next row. `focus` is the row of the cursor.
 */
export function editorLines(buffer: TextBuffer, columns: number, theme: Theme): { lines: Line[]; focus: number } {
  const lines: Line[] = [];
  let focus = 0;
  for (const [row, text] of buffer.lines.entries()) {
    const all = characters(text);
    const here = row === buffer.row;
    // The cursor after the last character of a full row needs a row of its own.
    const rows = Math.max(1, Math.ceil((all.length + (here && buffer.column === all.length ? 1 : 0)) / columns));
    for (let part = 0; part < rows; part++) {
      const from = part * columns;
      const shown = all.slice(from, from + columns);
      const at = buffer.column - from;
      if (here && at >= 0 && at < columns) {
        focus = lines.length;
        lines.push(cursorLine(shown, at, theme));
      } else lines.push([{ text: printable(shown.join("")), style: "code" }]);
    }
  }
  return { lines, focus };
}

function cursorLine(shown: readonly string[], at: number, theme: Theme): Line {
  const text = (from: number, to?: number) => printable(shown.slice(from, to).join(""));
  const under = shown[at] === undefined ? " " : text(at, at + 1);
  const bar = theme.ascii ? "|" : "▏";
  const cursor: Span[] = theme.colour
    ? [{ text: under, selected: true }]
    : [{ text: bar }, { text: under, style: "code" }];
  return [{ text: text(0, at), style: "code" }, ...cursor, { text: text(at + 1), style: "code" }];
}
