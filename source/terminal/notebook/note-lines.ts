/** Notes, and other Markdown, as lines of a screen. */
import type { Line, Span, Style } from "../../engine/figures/drawing/line.ts";
import {
  type Emphasised,
  emphasised,
  type MarkdownBlock,
  markdownBlocks,
  type MarkdownTable,
} from "../../engine/text/markdown.ts";
import { printable, width, wrap } from "../../engine/text/printable.ts";
import { textTableLines } from "../drawing/text-table.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";

export function noteLines(source: string, columns: number, symbols: Symbols): Line[] {
  return markdownBlocks(source).flatMap((block) => blockLines(block, columns, symbols));
}

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
    default:
      return block satisfies never;
  }
}

function codeLines(lines: readonly string[], indent: string): Line[] {
  return lines.map((line) => [{ text: `${indent}${printable(line)}`, style: "code" }]);
}

/** Undefined where its columns do not fit beside each other. Without `underscores` they are text, as in `emphasised`. */
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
  // The underline marks a heading where there is no bold type.
  if (level > 2) return lines.map((line): Line => [{ text: `${"#".repeat(level)} `, style: "faint" }, ...line]);
  const under = (level === 1 ? "=" : symbols.rule).repeat(Math.min(columns, Math.max(...titles.map(width))));
  return [...lines, [{ text: under, style: "rule" }]];
}

const styles: Readonly<Record<NonNullable<Emphasised["mark"]>, Style>> = {
  strong: "strong",
  emphasis: "accent",
  code: "code",
  link: "underlined",
  target: "faint",
};

/** Parts of a line of Markdown as they are drawn. */
export function spansOf(parts: readonly Emphasised[]): Span[] {
  return parts.map(({ text, mark }) => ({ text: printable(text), ...(mark !== undefined && { style: styles[mark] }) }));
}
