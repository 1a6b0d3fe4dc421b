import { describe, expect, it } from "vitest";
import { lineText, lineWidth, type Span } from "../../../source/engine/figures/drawing/line.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { WrappedSpans, wrapSpans } from "../../../source/terminal/drawing/wrapped-spans.ts";

const wrapped = (texts: readonly string[], columns: number, indent = "") =>
  wrapSpans(
    texts.map((text) => ({ text })),
    columns,
    indent,
  );

it.each([
  ["words that just fill a line", "four four and more", 9],
  ["words longer than a line, followed by others", `${"x".repeat(25)} and ${"y".repeat(12)} more`, 10],
  ["a word as long as a line", "abcdefghij k", 10],
  ["characters of two columns", "漢字漢字漢字漢字 漢字 x", 9],
])(
  "wrapping breaks %s into lines of at most that many columns, losing only spaces at line ends",
  (_, text, columns) => {
    for (const parts of [[text], [text.slice(0, 7), text.slice(7)]]) {
      const lines = wrapped(parts, columns);
      expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
      expect(lines.map(lineText).join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }
  },
);

it("wrapping keeps a word on the line that the word fills, whatever text follows", () => {
  for (const parts of [["abcd efghi jk"], ["abcd ", "efghi ", "jk"], ["abcd efghi  ", " jk"]])
    expect(wrapped(parts, 10).map((line) => lineText(line).trimEnd())).toEqual(["abcd efghi", "jk"]);
  expect(wrapped(["abcd efghij k"], 10).map(lineText)).toEqual(["abcd ", "efghij k"]);
  expect(wrapped(["abcd efghi    jkl"], 6).map(lineText)).toEqual(["abcd ", "efghi ", "jkl"]);
  expect(wrapped(["abcd efgh    j"], 6).map(lineText)).toEqual(["abcd ", "efgh j"]);
});

it("wrapping indents further lines as far as the first", () => {
  expect(wrapped(["one two three"], 7, "- ").map(lineText)).toEqual(["- one ", "  two ", "  three"]);
});

describe("a growing text", () => {
  const pieces = [
    "a ",
    "word ",
    "two  ",
    "   ",
    "x".repeat(23),
    "漢字",
    "e\u0301",
    "🇩",
    "🇪",
    "👩\u200d",
    "👩",
    "-",
    " ",
    "long-winded ",
  ];

  it("is wrapped at every moment like the whole text, after a change of any part", () => {
    const random = randomFrom("a growing text");
    const any = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
    for (let round = 0; round < 60; round++) {
      const [columns, indent] = [any([4, 9, 20, 33]), any(["", "  ", "• "])];
      const wrapped = new WrappedSpans(columns, indent);
      let spans: Span[] = [{ text: "" }];
      for (let step = 0; step < 60; step++) {
        const last = spans.at(-1)!;
        const chance = random();
        if (chance < 0.8) spans = spans.with(-1, { ...last, text: `${last.text}${any(pieces)}` });
        else if (chance < 0.93) spans = [...spans, { text: any(pieces), style: any(["code", "strong", "plain"]) }];
        // An emphasis ends here that was not open before.
        else if (chance < 0.97) spans = spans.slice(0, 1 + Math.floor(random() * spans.length));
        else spans = spans.with(Math.floor(random() * spans.length), { text: any(pieces) });
        const lines = wrapped.lines(spans);
        expect(lines).toEqual(wrapSpans(spans, columns, indent));
        expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(Math.max(columns, 4 + indent.length));
      }
    }
  });

  it("is wrapped again only at its end: lines before its last two stay unchanged", () => {
    for (let columns = 20; columns < 60; columns++) {
      const wrapped = new WrappedSpans(columns, "  ");
      let text = "";
      let before: readonly unknown[] = [];
      for (let word = 0; word < 300; word++) {
        text += `word${word} `;
        const lines = wrapped.lines([{ text }]);
        expect(lines.slice(0, Math.max(0, before.length - 2)).every((line, index) => line === before[index])).toBe(
          true,
        );
        before = lines;
      }
      expect(before.length).toBeGreaterThan(30);
    }
  });
});
