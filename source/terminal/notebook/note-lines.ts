/** Notes as simple Markdown: headings, paragraphs, lists, quotes and code; emphasis within a line. */
import type { Line, Span, Style } from "../../engine/figures/drawing/line.ts";
import { printable, width, wrap } from "../../engine/text/printable.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";

export function noteLines(source: string, columns: number, symbols: Symbols): Line[] {
  const lines: Line[] = [];
  let paragraph: string[] = [];
  let fenced = false;
  const flush = () => {
    if (paragraph.length > 0) lines.push(...wrapSpans(inlineSpans(paragraph.join(" ")), columns, ""));
    paragraph = [];
  };
  for (const raw of source.split("\n")) {
    const text = raw.trimEnd();
    if (/^\s{0,3}(```|~~~)/.test(text)) {
      flush();
      fenced = !fenced;
      continue;
    }
    if (fenced) {
      lines.push([{ text: `  ${printable(text)}`, style: "code" }]);
      continue;
    }
    const block = blockLines(text, columns, symbols);
    if (block === undefined) {
      paragraph.push(text.trim());
      continue;
    }
    flush();
    // Several blank lines become one.
    if (text !== "" || (lines.length > 0 && lines.at(-1)!.length > 0)) lines.push(...block);
  }
  flush();
  while (lines.length > 0 && lines.at(-1)!.length === 0) lines.pop();
  return lines;
}

/** The lines of a block of one line; undefined for a line of a paragraph. */
function blockLines(text: string, columns: number, symbols: Symbols): Line[] | undefined {
  if (text === "") return [[]];
  const heading = /^(#{1,6}) +(.*)$/.exec(text);
  if (heading !== null) return headingLines(heading[1]!.length, heading[2]!, columns, symbols);
  if (/^ {0,3}(-{3,}|\*{3,}|_{3,})$/.test(text)) return [[{ text: symbols.rule.repeat(columns), style: "rule" }]];
  const item = /^( *)([-*+]|\d{1,9}[.)]) +(.*)$/.exec(text);
  if (item !== null) {
    const mark = /\d/.test(item[2]!) ? item[2]! : symbols.bullet;
    const indent = `${item[1]!.slice(0, 12)}${mark} `;
    return wrapSpans(inlineSpans(item[3]!), columns, indent);
  }
  const quote = /^ {0,3}> ?(.*)$/.exec(text);
  if (quote !== null) return wrapSpans([{ text: printable(quote[1]!), style: "faint" }], columns, `${symbols.bar} `);
  if (/^ {4}|^\t/.test(text) || text.startsWith("|")) return [[{ text: printable(text), style: "code" }]];
  return undefined;
}

function headingLines(level: number, text: string, columns: number, symbols: Symbols): Line[] {
  const titles = wrap(printable(text), columns);
  const lines = titles.map((title): Line => [{ text: title, style: "title" }]);
  // The underline marks a heading where there is no bold type.
  if (level > 2) return lines.map((line): Line => [{ text: `${"#".repeat(level)} `, style: "faint" }, ...line]);
  const under = (level === 1 ? "=" : symbols.rule).repeat(Math.min(columns, Math.max(...titles.map(width))));
  return [...lines, [{ text: under, style: "rule" }]];
}

const marks: readonly (readonly [string, Style])[] = [
  ["**", "strong"],
  ["__", "strong"],
  ["`", "code"],
  ["*", "accent"],
  ["_", "accent"],
];

/** Bold, emphasised and code spans of one line; an unpaired mark is text. */
function inlineSpans(text: string): Span[] {
  const spans: Span[] = [];
  let bare = "";
  let index = 0;
  const flush = () => {
    if (bare !== "") spans.push({ text: printable(bare) });
    bare = "";
  };
  while (index < text.length) {
    const mark = marks.find(([sign]) => text.startsWith(sign, index) && opens(text, index, sign));
    const end = mark === undefined ? -1 : text.indexOf(mark[0], index + mark[0].length + 1);
    if (mark === undefined || end < 0) {
      bare += text[index++]!;
      continue;
    }
    flush();
    spans.push({ text: printable(text.slice(index + mark[0].length, end)), style: mark[1] });
    index = end + mark[0].length;
  }
  flush();
  return spans;
}

/** A mark opens before a word: not within one (`a_b`), nor before a blank (`2 * 3`). */
function opens(text: string, index: number, sign: string): boolean {
  const after = text[index + sign.length];
  if (after === undefined || after === " ") return false;
  return sign === "`" || !/[\p{L}\p{N}]/u.test(text[index - 1] ?? " ");
}

/** Styled text broken at blanks; `indent` starts the first line, the same number of blanks the others. */
function wrapSpans(spans: readonly Span[], columns: number, indent: string): Line[] {
  const room = Math.max(4, columns - width(indent));
  const lines: Span[][] = [];
  let line: Span[] = [];
  let used = 0;
  const flush = () => {
    lines.push(line);
    line = [];
    used = 0;
  };
  for (const span of spans) {
    for (const word of span.text.split(/(?<= )(?=[^ ])/)) {
      if (used > 0 && used + width(word.trimEnd()) > room) flush();
      for (const piece of wrap(word, room)) {
        if (used > 0 && used + width(piece) > room) flush();
        const text =
          used === 0 && lines.length > 0
            ? piece.trimStart()
            : word.endsWith(" ") && !piece.endsWith(" ")
              ? `${piece} `
              : piece;
        line.push({ ...span, text });
        used += width(text);
      }
    }
  }
  if (line.length > 0 || lines.length === 0) flush();
  return lines.map((each, index): Line => [{ text: index === 0 ? indent : " ".repeat(width(indent)) }, ...each]);
}
