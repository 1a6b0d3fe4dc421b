import { describe, expect, test } from "vitest";
import { lineText, withTable } from "../../bench/table.ts";
import type { Measurement } from "../../bench/measurement.ts";

const first = { of: "version 0.1.0", value: 200 };
const opened: Measurement = { what: "a run opened", ours: 13, unit: "ms", beside: first, goal: 0.25 };
const started: Measurement = { ...opened, what: "a start", bound: { of: "an empty one", value: 10 } };
const readme = "# Name\n\n<!-- bench: how -->\nold\n<!-- /bench -->\n\nMore\n";
const head = "# Name\n\n<!-- bench: how -->\n\n| what | measured | beside it | goal | bound |\n|---|---|---|---|---|\n";
const openedRow = "| a run opened | 13 ms | 0.065 x version 0.1.0 | 0.25 |  |\n";
const startedRow = "| a start | 13 ms | 0.065 x version 0.1.0 | 0.25 | 1.3 x an empty one |\n";

describe("a line of the bench", () => {
  test("is a number, what it is beside, what is wanted and what is possible", () => {
    expect(lineText(started)).toBe("a start: 13 ms; 0.065 x version 0.1.0; goal 0.25; bound: 1.3 x an empty one");
  });

  test("says why something is not measured", () => {
    const missing = { of: "version 0.1.0", leftOut: "its history is not here" };
    expect(lineText({ ...opened, beside: missing })).toContain("version 0.1.0 left out: its history is not here");
    expect(lineText({ of: "streamed calls", leftOut: "no data" })).toBe("streamed calls: left out, no data");
  });
});

describe("the table in the README", () => {
  test("holds what has something beside it, and nothing of the run before", () => {
    const alone: Measurement = { what: "alone", ours: 1, unit: "s" };
    const text = withTable(readme, [opened, alone, { of: "streams", leftOut: "no data" }], false);
    expect(text).toBe(`${head}${openedRow}\n<!-- /bench -->\n\nMore\n`);
  });

  test("keeps the lines of what was not measured again", () => {
    const whole = withTable(readme, [opened, started], false);
    const again = withTable(whole, [{ ...opened, ours: 20 }], true);
    expect(again).toBe(
      `${head}${openedRow.replace("13", "20").replace("0.065", "0.1")}${startedRow}\n<!-- /bench -->\n\nMore\n`,
    );
  });

  test("is asked for where its marks are missing", () => {
    expect(() => withTable("# Name\n", [opened], false)).toThrow("Expected README.md to hold `<!-- bench");
  });
});
