import { expect, it } from "vitest";
import { lineText, lineWidth } from "../../../source/engine/figures/drawing/line.ts";
import { wrapSpans } from "../../../source/terminal/drawing/wrapped-spans.ts";

const wrapped = (texts: readonly string[], columns: number, indent = "") =>
  wrapSpans(
    texts.map((text) => ({ text })),
    columns,
    indent,
  );

it.each([
  ["words that just fill a line", "four four and more", 9],
  ["words longer than a line, with others behind them", `${"x".repeat(25)} and ${"y".repeat(12)} more`, 10],
  ["a word as long as a line", "abcdefghij k", 10],
  ["characters of two columns", "漢字漢字漢字漢字 漢字 x", 9],
])("breaks %s into lines of no more columns, and loses nothing but the blanks at their ends", (_, text, columns) => {
  for (const parts of [[text], [text.slice(0, 7), text.slice(7)]]) {
    const lines = wrapped(parts, columns);
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
    expect(lines.map(lineText).join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
  }
});

it("indents further lines as far as the first", () => {
  expect(wrapped(["one two three"], 7, "- ").map(lineText)).toEqual(["- one ", "  two ", "  three"]);
});
