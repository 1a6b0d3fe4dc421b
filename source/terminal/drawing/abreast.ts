/** Places blocks of lines side by side. */
import { fitLine, type Line, lineWidth, type Span } from "../../engine/figures/drawing/line.ts";

/** Returns rows of all blocks, with `gap` columns between two. Shorter blocks end in empty lines. */
export function abreast(blocks: readonly (readonly Line[])[], columnsOf: ColumnsOf, gap: number): Line[] {
  if (blocks.length === 1) return [...blocks[0]!];
  return Array.from({ length: Math.max(0, ...blocks.map(({ length }) => length)) }, (_, at) => {
    const lines = blocks.map((block) => block[at] ?? []);
    return joinedLine(lines, columnsOf, { text: " ".repeat(gap) });
  });
}

/** Returns the number of columns of the block with this index. */
type ColumnsOf = (index: number) => number;

/** Returns several lines as one line, each but the last padded to its columns, with `between` after it. */
export const joinedLine = (lines: readonly Line[], columnsOf: ColumnsOf, between: Span): Line =>
  lines.flatMap((line, index): Line => {
    const fitted = fitLine(line, columnsOf(index));
    if (index === lines.length - 1) return fitted;
    return [...fitted, { text: " ".repeat(Math.max(0, columnsOf(index) - lineWidth(fitted))) }, between];
  });
