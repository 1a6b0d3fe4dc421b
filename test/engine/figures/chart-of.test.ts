import { describe, expect, it } from "vitest";
import { chartOf } from "../../../source/engine/figures/chart-of.ts";
import type { Cell, GridFigure, TableFigure } from "../../../source/engine/figure.ts";

const text = (words: string): Cell => ({ text: words });
const percent = (value: number): Cell => ({ text: (value * 100).toFixed(2), value, n: 20 });

const table: TableFigure = {
  kind: "table",
  title: "By category",
  notes: ["Official mode"],
  columns: [
    { title: "Run", align: "left" },
    { title: "Category", align: "left" },
    { title: "Succ", align: "right" },
    { title: "calls", align: "right", under: ["Effort"] },
    { title: "change", align: "right" },
  ],
  rows: [
    [
      text("flat"),
      text("SS"),
      { ...percent(0.5), low: 0.3, high: 0.7 },
      { text: "4", value: 4 },
      { text: "-1", value: -1 },
    ],
    [text("flat"), text("MM"), text("-"), { text: "12", value: 12 }, { text: "2", value: 2 }],
    [text("GPT-4o"), text("MM"), { ...percent(0.25), reported: true }, text(""), text("")],
  ],
};

describe("a table as bars", () => {
  it("has a bar for each number of a column, with the row's label, the interval and the source", () => {
    const chart = chartOf(table, { row: 0, column: 2 })!;
    expect(chart.places).toEqual([0, 2]);
    expect(chart.figure).toEqual({
      kind: "bars",
      title: "By category: Succ",
      unit: "%",
      max: 1,
      notes: ["Official mode"],
      bars: [
        { label: "flat, SS", cell: table.rows[0]![2], low: 0.3, high: 0.7 },
        { label: "GPT-4o, MM", cell: table.rows[2]![2] },
      ],
    });
  });

  it("shows the first numeric column if the cursor is on a name, and has no unit if the values are not shares", () => {
    expect(chartOf(table, { row: 1, column: 0 })?.figure.title).toBe("By category: Succ");
    const calls = chartOf(table, { row: 1, column: 3 })!;
    expect(calls.figure).toMatchObject({ title: "By category: Effort calls", unit: "" });
    expect(calls.figure.max).toBeUndefined();
  });

  it("omits the words from its labels that all names of rows share", () => {
    const ofOne: TableFigure = { ...table, rows: table.rows.slice(0, 2) };
    expect(chartOf(ofOne, { row: 0, column: 3 })?.figure.bars.map(({ label }) => label)).toEqual(["SS", "MM"]);
  });

  it("stays the same object while the cursor stays in its column", () => {
    expect(chartOf(table, { row: 0, column: 3 })).toBe(chartOf(table, { row: 1, column: 3 }));
  });

  it("does not exist for negative numbers or without numbers", () => {
    expect(chartOf(table, { row: 0, column: 4 })).toBeUndefined();
    expect(chartOf({ ...table, rows: [] }, { row: 0, column: 2 })).toBeUndefined();
  });
});

describe("a heat map as bars", () => {
  const scenarios: GridFigure = {
    kind: "grid",
    title: "Succ by scenario",
    x: { label: "Scenario", ticks: ["shopping", "travel", "health"] },
    y: { label: "Run", ticks: ["flat", "hierarchical"] },
    cells: [
      [percent(0.5), undefined, percent(0.75)],
      [percent(1), percent(0), percent(0.25)],
    ],
    range: [0, 1],
    notes: [],
  };

  it("shows the row with the cursor", () => {
    const chart = chartOf(scenarios, { row: 0, column: 1 })!;
    expect(chart.places).toEqual([0, 2]);
    expect(chart.figure.title).toBe("Succ by scenario: Run flat");
    expect(chart.figure.bars.map(({ label }) => label)).toEqual(["shopping", "health"]);
    expect(chartOf(scenarios, { row: 1, column: 1 })?.figure.bars).toHaveLength(3);
  });
});

it("a figure of lines is not turned into bars", () => {
  expect(
    chartOf({ kind: "lines", title: "", x: "k", y: "Succ", series: [], notes: [] }, { row: 0, column: 0 }),
  ).toBeUndefined();
});
