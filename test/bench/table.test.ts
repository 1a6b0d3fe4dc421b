import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { lineText, type Results, withChosenLines, withTable } from "../../bench/table.ts";
import type { Compared, LeftOut, Measurement } from "../../bench/measurement.ts";

const first = { of: "version 0.1.0", value: 200 };
const unknown = { unknown: "a run is any size" };
const opened: Compared = { what: "a run opened", ours: 13, unit: "ms", beside: first, goal: 0.25, bound: unknown };
const started: Compared = { ...opened, what: "a start", bound: { of: "an empty one", value: 10 } };
const noData: LeftOut = { of: "streamed calls", leftOut: "no data" };
const readme = "# Name\n\n<!-- bench: how -->\nold\n<!-- /bench -->\n\nMore\n";
const head =
  "# Name\n\n<!-- bench: how -->\n\n| bench | what | measured | beside it | goal | bound |\n|---|---|---|---|---|---|\n";
const foot = "\n<!-- /bench -->\n\nMore\n";
const openedRow = "| log | a run opened | 13 ms | 0.065 x version 0.1.0 | 0.25 | none known: a run is any size |\n";
const startedRow = "| start-up | a start | 13 ms | 0.065 x version 0.1.0 | 0.25 | 1.3 x an empty one |\n";
const leftOutRow = "| harness | streamed calls | left out: no data |  |  |  |\n";
const names = ["harness", "log", "start-up"];

function resultsOf(lines: Readonly<Record<string, readonly (Measurement | LeftOut)[]>>): Results {
  return new Map(Object.entries(lines));
}

describe("a line of the bench", () => {
  test("has a number, its reference, the goal and the bound", () => {
    expect(lineText(started)).toBe("a start: 13 ms; 0.065 x version 0.1.0; goal 0.25; bound: 1.3 x an empty one");
  });

  test("explains why no bound is known", () => {
    expect(lineText(opened)).toMatch(/; bound: none known: a run is any size$/);
  });

  test("explains why a number was not measured", () => {
    const missing = { of: "version 0.1.0", leftOut: "its history is not here" };
    expect(lineText({ ...opened, beside: missing })).toContain("version 0.1.0 left out: its history is not here");
    expect(lineText(noData)).toBe("streamed calls: left out, no data");
  });
});

describe("the table of the bench", () => {
  test("contains the lines with a reference in the order of the benches, and none from an earlier run", () => {
    const alone: Measurement = { what: "alone", ours: 1, unit: "s" };
    const text = withTable(readme, resultsOf({ "start-up": [started], log: [opened, alone] }), names);
    expect(text).toBe(`${head}${openedRow}${startedRow}${foot}`);
  });

  test("keeps only the lines of benches that were not run again", () => {
    const whole = withTable(
      readme,
      resultsOf({ log: [opened, { ...opened, what: "gone" }], "start-up": [started] }),
      names,
    );
    const again = withTable(whole, resultsOf({ log: [{ ...opened, ours: 20 }] }), names);
    expect(again).toBe(`${head}${openedRow.replace("13", "20").replace("0.065", "0.1")}${startedRow}${foot}`);
  });

  test("lists omitted measurements until they are made", () => {
    const without = withTable(readme, resultsOf({ harness: [noData], log: [opened] }), names);
    expect(without).toBe(`${head}${leftOutRow}${openedRow}${foot}`);
    const measured = withTable(without, resultsOf({ harness: [started] }), names);
    expect(measured).toBe(`${head}${startedRow.replace("start-up", "harness")}${openedRow}${foot}`);
  });

  test("removes a measurement that is now omitted", () => {
    const measured = withTable(readme, resultsOf({ harness: [started], log: [opened] }), names);
    expect(withTable(measured, resultsOf({ harness: [noData] }), names)).toBe(
      `${head}${leftOutRow}${openedRow}${foot}`,
    );
  });

  test("contains no lines of a removed bench", () => {
    const whole = withTable(readme, resultsOf({ log: [opened], "start-up": [started] }), names);
    expect(withTable(whole, new Map(), ["log"])).toBe(`${head}${openedRow}${foot}`);
  });

  test("is unchanged if nothing was measured", () => {
    const whole = withTable(readme, resultsOf({ harness: [noData], log: [opened], "start-up": [started] }), names);
    expect(withTable(whole, new Map(), names)).toBe(whole);
  });

  test("is rejected if its marks are missing", () => {
    expect(() => withTable("# Name\n", new Map(), names)).toThrow("Expected the page to hold `<!-- bench");
  });
});

describe("the bench lines in the README", () => {
  test("equal the lines of the whole table", () => {
    const text = readFileSync("README.md", "utf8");
    expect(withChosenLines(text, readFileSync("documentation/speed.md", "utf8"))).toBe(text);
  });

  test("are not written if one of them was never measured", () => {
    expect(() => withChosenLines("", "")).toThrow("Expected the table of the bench to have the line");
  });
});
