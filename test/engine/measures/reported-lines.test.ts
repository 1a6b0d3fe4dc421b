import { describe, expect, it } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import { axisNamed, type ColumnGroup } from "../../../source/engine/measures/pivot/axis.ts";
import {
  printedSeries,
  reportedLines,
  reportedLists,
  reportedNamed,
  reportedNotes,
} from "../../../source/engine/measures/reported-lines.ts";
import type { Reported } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { madeRun, madeSpec, madeSuite } from "../../analyses/made-run.ts";

const [right] = madeSuite.measures;
const reported = (row: string, value: number | undefined, more: Partial<Reported> = {}): Reported =>
  ({ row, measure: "strict.right", where: {}, source: "A, Table 3", value, ...more }) as Reported;

const values = [
  reported("GPT-4", 0.5, { setting: { shots: 0 } }),
  reported("GPT-4", 0.6, { setting: { shots: 3 } }),
  reported("Llama", 0.2, { source: "A, Table 4", setting: { strategy: "react" } }),
  reported("Human", 0.9, { source: "A, Figure 2" }),
];
const run = (spec: Partial<RunSpec> = {}, more: Partial<RunRows> = {}) =>
  madeRun("r", [{ task: "a", right: 1, facets: { level: "easy" } }], {
    spec: { ...madeSpec, ...spec },
    reported: { values, tables: [] },
    ...more,
  });

describe("the values of `paper:`", () => {
  it("are rows, tables and settings, each listed once", () => {
    expect(reportedLists([run(), run()]).paper).toEqual({
      values: ["off", "all", "GPT-4", "Llama", "Human", "Table 3", "Table 4", "shots=0", "shots=3", "strategy=react"],
      standard: ["off"],
      alone: ["off", "all"],
    });
  });

  it("select numbers by row, table, or one value of each selected setting", () => {
    const picked = (...names: readonly string[]) => reportedNamed([run(), run()], names).map(({ value }) => value);
    expect(picked("all")).toEqual([0.5, 0.6, 0.2, 0.9]);
    expect(picked("off", "GPT-4")).toEqual([]);
    expect(picked("off", "all")).toEqual([]);
    expect(picked("GPT-4")).toEqual([0.5, 0.6]);
    expect(picked("Table 4")).toEqual([0.2]);
    expect(picked("shots=3")).toEqual([0.6]);
    expect(picked("shots=3", "shots=0")).toEqual([0.5, 0.6]);
    expect(picked("shots=3", "strategy=react")).toEqual([]);
    expect(picked("shots=3", "Human")).toEqual([0.6, 0.9]);
    expect(picked()).toEqual([]);
    const equation = run(
      {},
      { reported: { values: [reported("GPT-4", 0.4, { setting: { note: "a=b" } })], tables: [] } },
    );
    expect(reportedNamed([equation], ["note=a=b"]).map(({ value }) => value)).toEqual([0.4]);
  });
});

describe("the rows of a paper in a table", () => {
  const whole: ColumnGroup = { titles: [], place: {} };
  const lines = (
    given: readonly Reported[],
    { axes = [] as readonly string[], across = [] as readonly string[], groups = [whole] } = {},
  ) => {
    const named = (names: readonly string[]) => names.map((name) => axisNamed([run()], name));
    return reportedLines(given, { axes: named(axes), across: named(across), groups, measures: [right!] }).map(
      (line) => [line.label, ...groups.map((group) => line.cell(group, right!).text)],
    );
  };

  it("number one per row of the paper, or one per setting if a row has several settings", () => {
    expect(lines(values)).toEqual([
      ["GPT-4 (shots 0)", "50.00"],
      ["GPT-4 (shots 3)", "60.00"],
      ["Llama", "20.00"],
      ["Human", "90.00"],
    ]);
    expect(lines([values[0]!, reported("GPT-4", 0.7)])).toEqual([
      ["GPT-4 (shots 0)", "50.00"],
      ["GPT-4 (plain)", "70.00"],
    ]);
    // Settings are the same in any order, and the first of two numbers in one place counts.
    const order = [
      { shots: 0, prompting: "flat" },
      { prompting: "flat", shots: 0 },
    ];
    expect(lines(order.map((setting, at) => reported("GPT-4", 0.5 + at / 10, { setting })))).toEqual([
      ["GPT-4", "50.00"],
    ]);
    expect(lines(values, { axes: ["shots"] }).slice(0, 2)).toEqual([
      ["GPT-4", "50.00"],
      ["GPT-4", "60.00"],
    ]);
  });

  it("are selected by the tasks of a column", () => {
    const level = (value: string): ColumnGroup => ({ titles: [value], place: { level: value } });
    const about = [
      reported("GPT-4", 0.5, { where: { level: "easy" } }),
      reported("GPT-4", 0.4, { where: { level: "hard" } }),
      reported("GPT-4", 0.3),
      reported("GPT-4", 0.2, { where: { level: "easy", parallel: 1 } }),
      reported("Other", 0.1, { measure: "else" }),
    ];
    const groups = [level("easy"), level("hard"), level("odd")];
    expect(lines(about, { groups })).toEqual([["GPT-4", "50.00", "40.00", "-"]]);
    expect(lines(about)).toEqual([["GPT-4", "30.00"]]);
    expect(lines(about, { axes: ["level"] })).toEqual([
      ["GPT-4", "50.00"],
      ["GPT-4", "40.00"],
      ["GPT-4", "30.00"],
    ]);
  });

  it("become one row with a column per setting", () => {
    const shots = (value: number): ColumnGroup => ({ titles: [], place: { shots: value } });
    expect(lines(values, { across: ["shots"], groups: [shots(0), shots(3)] })).toEqual([["GPT-4", "50.00", "60.00"]]);
  });

  it("do not repeat a setting that its group or a column shows", () => {
    const react = { setting: { strategy: "ReAct" } };
    expect(lines([reported("GPT-4, ReAct", 0.5, { ...react, group: "Two-stage" })])).toEqual([["GPT-4", "50.00"]]);
    expect(lines([reported("GPT-4, ReAct", 0.5, react)])).toEqual([["GPT-4, ReAct", "50.00"]]);
    const model = { setting: { strategy: "ReAct", model: "GPT-4" } };
    expect(lines([reported("ReAct with GPT-4", 0.5, model)], { axes: ["strategy"] })[0]![0]).toBe("GPT-4");
    expect(lines([reported(", ReAct", 0.5, { ...react, group: "x" })])[0]![0]).toBe("reported");
  });

  it("have a note with their common caveat, or with the reason if there are no rows", () => {
    const notes = (given: readonly Reported[], shown = given) =>
      reportedNotes(
        given,
        reportedLines(shown, { axes: [], across: [], groups: [whole], measures: [right!] }),
        (facet) => `The ${facet}`,
      );
    const caveat = { caveat: "other tasks" };
    expect(notes([reported("a", 1, caveat), reported("b", 1, caveat)])).toEqual([
      "Numbers printed in the paper: other tasks",
    ]);
    expect(notes([reported("a", 1, caveat), reported("b", 1)])).toEqual([]);
    expect(notes([reported("a", 1)])).toEqual([]);
    expect(notes([], [])).toEqual([]);
    expect(notes([reported("a", 1, { where: { level: "easy" } })])).toEqual([
      "No selected number of the paper matches the tasks and measures of this table; its numbers are split by the level",
    ]);
    expect(notes([reported("a", 1, { measure: "else" })])).toEqual([
      "No selected number of the paper matches the tasks and measures of this table",
    ]);
  });
});

describe("a paper's series", () => {
  const series = (given: readonly Reported[], setting = "shots") =>
    printedSeries(
      [run({}, { reported: { values: given, tables: [] } })],
      right!,
      setting,
      ({ level }) => level !== "hard",
    ).map(({ label, points }) => [label, points.map(({ x, cell }) => `${x}: ${cell.text}`).join(", ")]);
  const at = (shots: number | string, value: number, more: Partial<Reported> = {}) =>
    reported("GPT-4", value, { setting: { shots }, ...more });

  it("have a line for each source and group of tasks, sorted by the value of the setting", () => {
    expect(series([at(3, 0.6), at(0, 0.5)])).toEqual([["A, Table 3", "0: 50.00, 3: 60.00"]]);
    const easy = { where: { level: "easy" } };
    expect(series([at(0, 0.5), at(3, 0.6), at(0, 0.7, easy), at(3, 0.8, easy)])).toEqual([
      ["A, Table 3", "0: 50.00, 3: 60.00"],
      ["A, Table 3, easy", "0: 70.00, 3: 80.00"],
    ]);
  });

  it("exclude single points, several points at one position, words, and other tasks and measures", () => {
    expect(series([at(0, 0.5)])).toEqual([]);
    expect(series([at(0, 0.5), at(3, 0.6), at(0, 0.7)])).toEqual([]);
    expect(series([at("few", 0.5), at("many", 0.6)])).toEqual([]);
    const hard = { where: { level: "hard" } };
    expect(series([at(0, 0.5, hard), at(3, 0.6, hard)])).toEqual([]);
    expect(series([at(0, 0.5), at(3, 0.6, { measure: "else" })])).toEqual([]);
    expect(series([at(0, 0.5), at(3, 0.6, { source: "B" })])).toEqual([]);
  });
});
