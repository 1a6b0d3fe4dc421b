import { describe, expect, it } from "vitest";
import { chartOf, otherForm } from "../../../source/engine/figures/chart-of.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import type {
  BarsFigure,
  Cell,
  GridFigure,
  LinesFigure,
  PointsFigure,
  TableFigure,
} from "../../../source/engine/figure.ts";

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

describe("the other form of a figure", () => {
  it("of a table or heat map is its bars, with the place of each value", () => {
    expect(otherForm(table, { row: 0, column: 3 })).toMatchObject({
      figure: { kind: "bars" },
      places: [
        { row: 0, column: 3 },
        { row: 1, column: 3 },
      ],
      column: 0,
    });
    expect(otherForm(table, { row: 0, column: 4 })).toBeUndefined();
    const map: GridFigure = {
      kind: "grid",
      title: "Scale",
      x: { label: "sequential", ticks: ["1", "2", "3"] },
      y: { label: "parallel", ticks: ["1", "2"] },
      cells: [[], [percent(0.5), undefined, percent(0.25)]],
      range: [0, 1],
      notes: [],
    };
    const form = otherForm(map, { row: 1, column: 0 });
    expect(form?.figure.kind).toBe("bars");
    // The names of the rows are the first stops.
    expect(form?.places).toEqual([
      { row: 1, column: 1 },
      { row: 1, column: 3 },
    ]);
  });

  it("of lines is the table of their numbers, point after point", () => {
    const lines: LinesFigure = {
      kind: "lines",
      title: "By shots",
      x: "shots",
      y: "Succ",
      series: ["flat", "deep"].map((label, row) => ({
        label,
        points: [0, 1].map((x) => ({ x, cell: percent((row * 2 + x) / 10) })),
      })),
      notes: [],
    };
    const form = otherForm(lines, { row: 0, column: 0 })!;
    expect(form.figure).toBe(prepared(lines).table);
    expect(form.column).toBe(2);
    expect(form.places.map(({ row, column }) => lines.series[row]!.points[column]!.cell.text)).toEqual(
      (form.figure as TableFigure).rows.map((row) => row[2]!.text),
    );
  });

  it("of points is the table of their numbers, in their order", () => {
    const points: PointsFigure = {
      kind: "points",
      title: "Score against cost",
      x: "cost",
      y: "score",
      points: [
        { x: 3, y: 9, group: "frontier", label: "c" },
        { x: 2, y: 1, group: "beaten", label: "b" },
        { x: 1, y: 8, group: "frontier", label: "a" },
      ],
      notes: [],
    };
    const form = otherForm(points, { row: 0, column: 0 })!;
    expect(form.column).toBe(3);
    // In a group, stops go from left to right.
    expect(form.places).toEqual([
      { row: 0, column: 1 },
      { row: 1, column: 0 },
      { row: 0, column: 0 },
    ]);
    expect(prepared(points).stops.row(0)[1]!.label).toBe("frontier: c");
  });

  it("of bars is the table of their numbers, with the column of the values", () => {
    const bars = (group?: string): BarsFigure => ({
      kind: "bars",
      title: "Errors",
      unit: "tasks",
      bars: ["a", "b"].map((label) => ({ ...(group !== undefined && { group }), label, cell: percent(0.5) })),
      notes: [],
    });
    for (const figure of [bars(), bars("one")]) {
      const { figure: numbers, places, column } = otherForm(figure, { row: 0, column: 0 })!;
      expect((numbers as TableFigure).columns[column]!.title).toBe("tasks");
      expect(places).toEqual([
        { row: 0, column: 0 },
        { row: 1, column: 0 },
      ]);
    }
  });
});
