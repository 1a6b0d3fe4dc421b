import { type Line, fitLine, lineWidth } from "../../engine/figures/drawing/line.ts";

/** Texts beside each other as whole lines, so that each row of the window is one text. */
export function sideBySide(texts: readonly (readonly Line[])[], columns: number, height: number, bar: string): Line[] {
  return Array.from({ length: height }, (_, row) =>
    texts.flatMap((lines, index): Line => {
      const line = lines[row] ?? [];
      if (texts.length === 1) return line;
      const own = fitLine(line, columns);
      if (index === texts.length - 1) return own;
      return [...own, { text: " ".repeat(columns - lineWidth(own)) }, { text: ` ${bar} `, style: "rule" }];
    }),
  );
}
