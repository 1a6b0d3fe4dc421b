import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import { width, wrap } from "../../engine/text/printable.ts";

/** Styled text broken at blanks; `indent` starts the first line, the same number of blanks the others. */
export function wrapSpans(spans: readonly Span[], columns: number, indent: string): Line[] {
  const room = Math.max(4, columns - width(indent));
  const lines: Span[][] = [];
  let line: Span[] = [];
  let used = 0;
  // Of which span the last words of the line are: words of one span stay one.
  let last: Span | undefined;
  const flush = () => {
    // A line that is full has no room for the blank behind its last word.
    if (used > room) line = line.with(-1, { ...line.at(-1)!, text: line.at(-1)!.text.trimEnd() });
    lines.push(line);
    line = [];
    last = undefined;
    used = 0;
  };
  for (const span of spans) {
    for (const word of span.text.split(/(?<= )(?=[^ ])/)) {
      if (used > 0 && used + width(word.trimEnd()) > room) flush();
      const pieces = wrap(word, room);
      for (const [index, piece] of pieces.entries()) {
        if (used > 0 && used + width(piece) > room) flush();
        const isLast = index === pieces.length - 1;
        const text =
          used === 0 && lines.length > 0
            ? piece.trimStart()
            : isLast && word.endsWith(" ") && !piece.endsWith(" ")
              ? `${piece} `
              : piece;
        if (last === span) line.push({ ...span, text: `${line.pop()!.text}${text}` });
        else line.push({ ...span, text });
        last = span;
        used += width(text);
      }
    }
  }
  if (line.length > 0 || lines.length === 0) flush();
  return lines.map((each, index): Line => [{ text: index === 0 ? indent : " ".repeat(width(indent)) }, ...each]);
}
