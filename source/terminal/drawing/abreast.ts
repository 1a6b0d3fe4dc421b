/** Sets blocks of lines beside each other. */
import { type Line, fitLine, lineWidth } from "../../engine/figures/drawing/line.ts";

/**
 * Returns rows of all blocks: each block has its number of columns, with `gap` columns between two. Shorter blocks end
 * in empty lines.
 */
export function abreast(blocks: readonly (readonly Line[])[], columns: readonly number[], gap: number): Line[] {
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) return [...only];
  return Array.from({ length: Math.max(0, ...blocks.map(({ length }) => length)) }, (_, at) =>
    blocks.flatMap((lines, index): Line => {
      const line = fitLine(lines[at] ?? [], columns[index]!);
      if (index === blocks.length - 1) return line;
      return [...line, { text: " ".repeat(Math.max(0, columns[index]! - lineWidth(line)) + gap) }];
    }),
  );
}
