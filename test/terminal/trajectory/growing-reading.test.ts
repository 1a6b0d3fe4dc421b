import { describe, expect, it, vi } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { symbolsOf } from "../../../source/look/signs.ts";
import { GrowingReading } from "../../../source/terminal/trajectory/growing-reading.ts";
import { readingLines } from "../../../source/terminal/trajectory/reading-lines.ts";
import { readLines } from "../../../source/terminal/trajectory/view.ts";
import { openView } from "./open-view.ts";

const symbols = symbolsOf(false);
const step = (StepNumber: number) => ({
  StepDetail: { StepNumber, Description: `Book the ${StepNumber}. table`, Action: "book({'people': 6})" },
});
const plan = {
  thought: "A long\nplan",
  days: [1, 2, [3]],
  more: { at: {}, list: [step(1), { ...step(2), note: "x" }] },
};
const view = () => openView(60);

describe("streamed JSON", () => {
  it("has the fields of a complete parse at every moment", () => {
    for (const text of [JSON.stringify(plan), `\`\`\`json\n${JSON.stringify(plan, null, 1)}\n\`\`\`\n`]) {
      const fields = new GrowingReading();
      for (let end = 1; end <= text.length; end++) {
        const read = fields.lines(text.slice(0, end), 40, symbols);
        expect(read).toEqual(readingLines(text.slice(0, end), 40, symbols));
      }
      expect(fields.lines(text, 40, symbols)).toEqual(readingLines(text, 40, symbols));
      expect(fields.lines(text, 30, symbols)).toEqual(readingLines(text, 30, symbols));
      expect(fields.lines('{"another": 1}', 30, symbols)!.map(lineText)).toEqual(["another  1"]);
    }
  });

  it("is parsed and laid out only in its new part", () => {
    const text = JSON.stringify(Array.from({ length: 700 }, (_, number) => step(number)));
    expect(text.length).toBeGreaterThan(60_000);
    const fields = new GrowingReading();
    const first = fields.lines(text.slice(0, -20), 60, symbols)!;
    const decoded = vi.spyOn(JSON, "parse");
    const second = fields.lines(text.slice(0, -10), 60, symbols)!;
    expect(decoded.mock.calls.length).toBeLessThan(20);
    decoded.mockRestore();
    expect(second.filter((line) => !first.includes(line)).length).toBeLessThan(10);
  });
});

describe("streamed Markdown", () => {
  const written = [
    "# Plan",
    "First I **look** for `tables`, *then* I book one of them for six people and tell",
    "",
    "- an item that is so long that it needs more than one line of the lane it stands in",
    "  1. [a link](https://example.org/a) and 2 * 3 * 4",
    "> said before",
    "| name | price |",
    "|---|--:|",
    "| Odeon | 12 |",
    "```json",
    '{"place": "Odeon", "seats": [1, 2]}',
    "```",
    "```",
    "code **as it is**",
    "```",
    '{"more": {"a": 1}}',
    "The same line.",
    "The same line.",
    "book({'seats': 2, 'place': \"Odeon\"})",
  ].join("\n");

  const unsure = [
    "| no table |",
    "{",
    "| name |",
    "|---|",
    "| Odeon |",
    '{"place":',
    '"Odeon"}',
    "",
    "[1, 2]",
    "~~~",
    '{"seats": 2}',
    "~~~ ",
    "``",
    "```json",
    "{",
    "```",
    "the end",
  ].join("\n");

  it.for([written, unsure])("has the lines of a complete parse at every moment: %j", (written) => {
    const reading = new GrowingReading();
    for (const columns of [40, 30])
      for (let end = 1; end <= written.length; end++) {
        const text = written.slice(0, end);
        expect(reading.lines(text, columns, symbols)).toEqual(readingLines(text, columns, symbols));
      }
  });

  it("is wrapped only in its new part, even within an endless line", () => {
    for (const [before, between] of [
      ["", " "],
      ["", "\n"],
      ["```\n", "\n"],
    ] as const) {
      const words = before + Array.from({ length: 3000 }, (_, word) => `w${word}`).join(between);
      const reading = new GrowingReading();
      const first = reading.lines(words.slice(0, -20), 60, symbols)!;
      const second = reading.lines(words, 60, symbols)!;
      expect(second).toEqual(readingLines(words, 60, symbols));
      expect(second.filter((line) => !first.includes(line)).length).toBeLessThan(8);
    }
  });
});

describe("a reply that becomes long while it streams", () => {
  const last = (text: string) => lineText(readLines("reply", text, view(), { live: true }).at(-1)!);

  it("keeps its fields", () => {
    const text = JSON.stringify({ steps: Array.from({ length: 300 }, (_, number) => `step ${number} `.repeat(9)) });
    expect(text.length).toBeGreaterThan(20_000);
    expect(last(text.slice(0, -20))).toMatch(/^ {4}.*step 299.*▌$/);
  });

  it("explains why it is not yet formatted if formatting would take too long", () => {
    const long = "word ".repeat(5000);
    for (const text of [long, `{"text": "${long}`, JSON.stringify(Array.from({ length: 30_000 }, () => "ab"))])
      expect(last(text)).toBe("  … this long text is formatted once it is complete");
    expect(readLines("reply", long, view()).map(lineText).join(" ")).not.toContain("set once");
    expect(
      readLines("reply", long, { ...view(), raw: true }, { live: true })
        .map(lineText)
        .join(" "),
    ).not.toContain("set once");
  });
});
