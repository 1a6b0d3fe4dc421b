/** Draws notes and other Markdown as lines of a screen. */
import { type Line, type Span, type Style, lineText, lineWidth } from "../../engine/figures/drawing/line.ts";
import {
  type Emphasised,
  emphasised,
  type MarkdownBlock,
  markdownBlocks,
  type MarkdownTable,
} from "../../engine/text/markdown.ts";
import { printable, width, wrap } from "../../engine/text/printable.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import type { Symbols } from "../../look/signs.ts";

export const noteLines = (source: string, columns: number, symbols: Symbols): Line[] =>
  markdownBlocks(source).flatMap((block) => blockLines(block, columns, symbols));

function blockLines(block: MarkdownBlock, columns: number, symbols: Symbols): Line[] {
  switch (block.kind) {
    case "blank":
      return [[]];
    case "heading":
      return headingLines(block.level, block.text, columns, symbols);
    case "rule":
      return [[{ text: symbols.rule.repeat(columns), style: "rule" }]];
    case "item":
      return wrapSpans(
        spansOf(block.parts),
        columns,
        `${" ".repeat(block.indent)}${block.sign === "" ? symbols.bullet : block.sign} `,
      );
    case "quote":
      return wrapSpans([{ text: printable(block.text), style: "faint" }], columns, `${symbols.bar} `);
    case "table":
      return markdownTableLines(block.table, columns, symbols) ?? codeLines(block.lines, "");
    case "code":
      return codeLines(block.lines, block.fenced ? "  " : "");
    case "paragraph":
      return wrapSpans(spansOf(block.parts), columns, "");
  }
}

const codeLines = (lines: readonly string[], indent: string): Line[] =>
  lines.map((line) => [{ text: `${indent}${printable(line)}`, style: "code" }]);

/** Returns undefined if the columns do not fit into the width. `underscores` as in `emphasised`. */
export function markdownTableLines(
  { head, rows, right }: MarkdownTable,
  columns: number,
  symbols: Symbols,
  marks: { readonly underscores?: boolean } = {},
): Line[] | undefined {
  const cells = (row: readonly string[]) => row.map((cell) => spansOf(emphasised(cell, marks)));
  return textTableLines({ head: cells(head), rows: rows.map(cells), right }, columns, symbols);
}

function headingLines(level: number, text: string, columns: number, symbols: Symbols): Line[] {
  const titles = wrap(printable(text), columns);
  const lines = titles.map((title): Line => [{ text: title, style: "title" }]);
  // The underline marks a heading if there is no bold type.
  if (level > 2) return lines.map((line): Line => [{ text: `${"#".repeat(level)} `, style: "faint" }, ...line]);
  const under = (level === 1 ? "=" : symbols.rule).repeat(Math.min(columns, Math.max(...titles.map(width))));
  return [...lines, [{ text: under, style: "rule" }]];
}

const styles: Readonly<Record<NonNullable<Emphasised["mark"]>, Style>> = {
  strong: "strong",
  emphasis: "italic",
  code: "strong",
  link: "underlined",
  target: "faint",
};

/** Returns the parts of a line of Markdown as spans. */
export const spansOf = (parts: readonly Emphasised[]): Span[] =>
  parts.map(({ text, mark }) => ({ text: printable(text), ...(mark !== undefined && { style: styles[mark] }) }));

type TextTable = {
  readonly head: readonly Line[];
  /** Rows may have fewer or more cells than the head. */
  readonly rows: readonly (readonly Line[])[];
  /** Numbers of the right-aligned columns. */
  readonly right: ReadonlySet<number>;
};

/** Blanks between two columns. */
const between = 2;
/** A narrower column cannot be read. */
const narrowest = 4;

/** Returns undefined if the columns do not fit into the width. */
function textTableLines({ head, rows, right }: TextTable, columns: number, symbols: Symbols): Line[] | undefined {
  const count = Math.max(head.length, ...rows.map((row) => row.length));
  const natural = Array.from({ length: count }, (_, at) =>
    Math.max(1, ...[head, ...rows].map((row) => lineWidth(row[at] ?? []))),
  );
  const widths = fitted(natural, columns - between * (count - 1));
  if (widths === undefined) return undefined;
  const rowLines = (row: readonly Line[]): Line[] => {
    const cells = widths.map((wide, at) => wrapSpans(row[at] ?? [], wide, ""));
    const high = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: high }, (_, line) =>
      cells.flatMap((cell, at): Line => [
        ...(at === 0 ? [] : [{ text: " ".repeat(between) }]),
        ...padded(cell[line] ?? [], widths[at]!, right.has(at)),
      ]),
    );
  };
  const strong = head.map((cell) => cell.map((span): Span => ({ ...span, style: span.style ?? "strong" })));
  const rule: Line = [
    { text: widths.map((wide) => symbols.rule.repeat(wide)).join(" ".repeat(between)), style: "rule" },
  ];
  return [...rowLines(strong), rule, ...rows.flatMap(rowLines)];
}

/** Shrinks the widest columns first until all fit into the room. */
function fitted(natural: readonly number[], room: number): readonly number[] | undefined {
  const least = natural.map((wide) => Math.min(wide, narrowest));
  if (least.reduce((sum, wide) => sum + wide, 0) > room) return undefined;
  const under = (most: number) => natural.map((wide, at) => Math.max(least[at]!, Math.min(wide, most)));
  let most = Math.max(...natural);
  while (under(most).reduce((sum, wide) => sum + wide, 0) > room) most -= 1;
  return under(most);
}

function padded(cell: Line, wide: number, isRight: boolean): Line {
  const text = lineText(cell);
  const line = text.trimEnd() === "" ? [] : cell;
  const blanks = { text: " ".repeat(Math.max(0, wide - lineWidth(line))) };
  return isRight ? [blanks, ...line] : [...line, blanks];
}
