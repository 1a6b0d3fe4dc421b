import { expect, test } from "vitest";
import { width } from "../../../source/engine/text/printable.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { RepeatedTexts, WrappedText, WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";

const pieces = [
  "word ",
  "\n",
  "\r\n",
  "a longer run of words ",
  "日本語",
  "👩‍🔬 ",
  "\x1b[31m",
  "e\u0301",
  "x".repeat(90),
  "\t",
  "  ",
];

function someText(seed: string, parts: number): string {
  const random = randomFrom(seed);
  return Array.from({ length: parts }, () => pieces[Math.floor(random() * pieces.length)]!).join("");
}

test("a text that arrived in parts is wrapped like a text that arrived as a whole", () => {
  for (const columns of [0, 11, 40, 120]) {
    for (const seed of ["a", "b", "c"]) {
      const text = someText(`${seed} ${columns}`, 400);
      const random = randomFrom(`cuts ${seed}`);
      const growing = new WrappedText();
      for (let end = 0; end < text.length; end += 1 + Math.floor(random() * 60))
        growing.lines(text.slice(0, end), columns);
      expect(growing.lines(text, columns)).toEqual(new WrappedText().lines(text, columns));
    }
  }
});

test("wrapped lines are not wider than requested, and cannot move the cursor", () => {
  const lines = new WrappedText().lines(someText("wide", 2000), 40);
  expect(lines.length).toBeGreaterThan(100);
  for (const line of lines) {
    expect(width(line)).toBeLessThanOrEqual(40);
    expect(line).not.toMatch(/\p{Control}/u);
  }
});

test("a text is wrapped again from its start after a part of the text was voided or the window was resized", () => {
  const text = new WrappedText();
  text.lines("one two three\nfour", 5);
  expect(text.lines("other", 5)).toEqual(["other"]);
  expect(text.lines("other words", 80)).toEqual(["other words"]);
  expect(text.lines("", 80)).toEqual([]);
});

test("300 KB in a hundred steps are wrapped like 300 KB at once, with or without line breaks", () => {
  for (const text of ["lorem ipsum dolor ".repeat(17_000), "x".repeat(300_000), "a line\n".repeat(43_000)]) {
    const growing = new WrappedText();
    for (let end = 0; end <= text.length; end += 3000) growing.lines(text.slice(0, end), 80);
    expect(growing.lines(text, 80)).toEqual(new WrappedText().lines(text, 80));
  }
});

test("a prompt shared by many tasks is wrapped once", () => {
  const repeated = new RepeatedTexts();
  const prompt = someText("catalogue", 2000);
  const tasks = Array.from({ length: 5 }, () => new WrappedTexts(repeated));
  const [first, ...others] = tasks.map((texts) => texts.lines("step 0 message 0", prompt, 40));
  expect(first).toEqual(new WrappedText().lines(prompt, 40));
  for (const lines of others) expect(lines).toBe(first);
  // A text that grows in a window of another width is independent from then on.
  const more = `${prompt} and more`;
  expect(tasks[1]!.lines("step 0 message 0", more, 30)).toEqual(new WrappedText().lines(more, 30));
  expect(tasks[2]!.lines("step 0 message 0", prompt, 40)).toEqual(first);
  expect(new WrappedTexts(repeated).lines("step 0 message 0", prompt, 40)).toEqual(first);
});
