/** Short texts in as few lines as they fit into, none of them cut in two. */
import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import { width } from "../../engine/text/printable.ts";

/** With one blank before each line, and `gap` between two; one that is too long for a line has it for itself. */
export function packedSpans(spans: readonly Span[], columns: number, gap = 2): readonly Line[] {
  const lines: Span[][] = [];
  let used = columns;
  for (const span of spans) {
    const wide = width(span.text);
    if (used + gap + wide > columns) {
      lines.push([{ text: " " }]);
      used = 1;
    } else {
      lines.at(-1)!.push({ text: " ".repeat(gap) });
      used += gap;
    }
    lines.at(-1)!.push(span);
    used += wide;
  }
  return lines;
}
