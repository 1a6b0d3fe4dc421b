import { describe, expect, test } from "vitest";
import { difficulty } from "../../../analyses/difficulty.ts";
import type { BarsFigure, Cell } from "../../../source/engine/figure.ts";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { exportFigure } from "../figures/exported-figure.ts";
import { groupedBars, type GroupedBar, pivotBars, placeText } from "../../../source/engine/measures/grouped-bars.ts";
import { axisNamed, type ColumnGroup, type PivotLine } from "../../../source/engine/measures/pivot/axis.ts";
import { at, madeRun, type MadeRow } from "../../analyses/made-run.ts";

const cell = (value: number, more: Partial<Cell> = {}): Cell => ({ text: (value * 100).toFixed(2), value, ...more });
const about = { title: "Right", by: "level", unit: "percent", notes: [] } as const;
const bar = (group: string, label: string, value: number, more: Partial<Cell> = {}): GroupedBar => ({
  group,
  label,
  cell: cell(value, more),
});

function drawn(figure: BarsFigure, width = 60): readonly string[] {
  const { head, body, foot } = drawFigure(figure, { width, ascii: true });
  return [...head, ...body, ...foot].map((line) => lineText(line).trimEnd());
}

describe("bars of a measure by run and group", () => {
  const rows = (...right: readonly (0 | 1)[]): readonly MadeRow[] =>
    right.map((value, index) => ({
      task: `t${index}`,
      facets: { level: index < 2 ? "easy" : "hard" },
      right: value,
      metrics: { hits: 1, tries: 1 },
    }));
  const runs = [madeRun("flat", rows(1, 1, 0, 1)), madeRun("steps", rows(1, 0, 0, 0))];
  const chosen = { by: "level", mode: "strict", intervals: "off" };

  test("accompany the table of difficulty, with a group for each run, a bar for each level and all levels last", () => {
    const [table, bars] = difficulty.compute(runs, chosen);
    expect(table!.kind).toBe("table");
    expect(bars).toMatchObject({ kind: "bars", title: "Right by run and level", unit: "%", max: 1 });
    expect((bars as BarsFigure).bars.map(({ group, label, cell: { text, n } }) => [group, label, text, n])).toEqual([
      ["easy", "flat", "100.00", 2],
      ["easy", "steps", "50.00", 2],
      ["hard", "flat", "50.00", 2],
      ["hard", "steps", "0.00", 2],
      ["all", "flat", "75.00", 4],
      ["all", "steps", "25.00", 4],
    ]);
    expect((bars as BarsFigure).bars[1]!.cell.tasks).toEqual(at("steps", "t0", "t1"));
  });

  test("have whiskers if intervals are requested, and use the column facets of the table as groups", () => {
    const [, whiskers] = difficulty.compute(runs, { ...chosen, intervals: "on" });
    expect((whiskers as BarsFigure).bars[0]!.low).toBeCloseTo(0.342, 3);
    const [, across] = difficulty.compute(runs, chosen, { rows: [], columns: ["level"], measures: ["strict.right"] });
    expect((across as BarsFigure).bars.map(({ group, label }) => `${group}/${label}`)).toEqual([
      "easy/flat",
      "easy/steps",
      "hard/flat",
      "hard/steps",
    ]);
  });

  test("show the run in the title and the group as the label if there is one run", () => {
    const [, bars] = difficulty.compute(runs.slice(0, 1), chosen);
    expect(bars!.title).toBe("Right by level: flat");
    expect((bars as BarsFigure).bars.map(({ group, label }) => [group, label])).toEqual([
      [undefined, "easy"],
      [undefined, "hard"],
      [undefined, "all"],
    ]);
  });

  test("show a group's label once, and the label of a single bar in full", () => {
    const [bars] = groupedBars(about, [
      bar("easy", "flat", 1),
      bar("hard", "flat", 0.5),
      bar("easy", "steps", 0.25),
      bar("hard", "paper", 0.5, { reported: true }),
    ]);
    expect(drawn(bars!)).toEqual([
      `  easy  flat  |${"#".repeat(38)} 100.00`,
      `        steps |${"#".repeat(10)} 25.00`,
      `  hard  flat  |${"#".repeat(19)} 50.00`,
      `        paper |${"#".repeat(19)} 50.00^`,
      expect.stringMatching(/^ +0 +20 +40 +60 +80 +100$/),
      "  in %",
    ]);
    expect([...prepared(bars!).stops].map(([stop]) => stop!.label)).toEqual([
      "easy, flat",
      "easy, steps",
      "hard, flat",
      "hard, paper",
    ]);
    expect(exportFigure(bars!, "csv").split("\r\n").slice(0, 2)).toEqual(["group,,share,low,high,n", "easy,flat,1,,,"]);
    const svg = exportFigure(bars!, "svg");
    expect(svg.match(/>easy<\/text>/g)).toHaveLength(1);
    expect(svg).toContain("<title>easy, steps · 25.00</title>");
  });

  test("are not drawn for a single or negative number, and omit a paper's rows with a note if there are too many", () => {
    const own = Array.from({ length: 40 }, (_, index) => bar(`g${index >> 1}`, `run ${index % 2}`, 0.5));
    const printed = own.map((each) => ({ ...each, cell: { ...each.cell, reported: true } }));
    const [without] = groupedBars(about, [...own, ...printed]);
    expect(without!.bars).toHaveLength(40);
    expect(without!.notes).toEqual([
      "40 reported values are only in the table, because they are too many for a picture",
    ]);
    expect(groupedBars(about, [...own, ...own])).toEqual([]);
    expect(groupedBars(about, own.slice(0, 1))).toEqual([]);
    expect(groupedBars(about, [bar("easy", "flat", 1), bar("easy", "steps", -0.1)])).toEqual([]);
  });
});

describe("the bars of the rows of a table", () => {
  const run = madeRun("r", []);
  const axis = (name: string) => axisNamed([run], name);
  const line = (label: string, place: PivotLine["place"] = {}): PivotLine => ({
    label,
    place,
    isReported: false,
    cell: () => cell(0),
  });
  const bars = (
    lines: readonly PivotLine[],
    layout: { axes?: readonly string[]; across?: readonly string[]; isNamed?: boolean; step?: number } = {},
    columns: readonly ColumnGroup[] = [{ titles: [], place: {} }],
  ) => {
    const { axes = [], across = [], isNamed = false, step = 1 } = layout;
    const made = lines.map((_, at) =>
      columns.flatMap((__, column) => [cell(at + column / 10), cell(9)].slice(0, step)),
    );
    return pivotBars(lines, made, columns, { axes: axes.map(axis), across: across.map(axis), isNamed, step }).map(
      ({ group, label, cell: { value } }) => `${group} | ${label} | ${value}`,
    );
  };

  test("follow the facets in the order of the suite, with all values last", () => {
    const lines = [line("all"), line("hard", { level: "hard" }), line("easy", { level: "easy" })];
    expect(bars(lines, { axes: ["level"] })).toEqual(["easy | easy | 2", "hard | hard | 1", "all | all | 0"]);
    const two = [
      line("1", { level: "hard", parallel: 2 }),
      line("2", { level: "hard", parallel: 1 }),
      line("3", { level: "easy" }),
      line("4", { level: "hard" }),
    ];
    expect(bars(two, { axes: ["level", "parallel"] })).toEqual([
      "easy · all | 3 | 2",
      "hard · 1 | 2 | 1",
      "hard · 2 | 1 | 0",
      "hard · all | 4 | 3",
    ]);
  });

  test("are labelled by the row's name, by its settings, or by both", () => {
    const lines = [line("one", { strategy: "react" }), line("two")];
    expect(bars(lines)).toEqual([" | one | 0", " | two | 1"]);
    expect(bars(lines, { axes: ["strategy"] })).toEqual([" | react | 0", " | - | 1"]);
    expect(bars(lines, { axes: ["strategy"], isNamed: true })).toEqual([" | one · react | 0", " | two · - | 1"]);
  });

  test("are drawn for each group of columns, by its facets and settings, but not for means", () => {
    const columns: readonly ColumnGroup[] = [
      { titles: ["easy", "react"], place: {} },
      { titles: ["hard", "react"], place: {} },
      { titles: ["mean"], place: {}, meanOf: [] },
    ];
    expect(bars([line("one")], { across: ["level", "strategy"], step: 2 }, columns)).toEqual([
      "easy | one · react | 0",
      "hard | one · react | 0.1",
    ]);
  });

  test("show a row's facet or setting as an axis", () => {
    expect(placeText(line("x", { level: "easy" }), "level", true)).toBe("easy");
    expect([placeText(line("x"), "level", true), placeText(line("x"), "strategy", false)]).toEqual(["all", "-"]);
  });
});

describe("the bars drawn for a measure", () => {
  const many = (count: number, more: Partial<Cell> = {}) =>
    Array.from({ length: count }, (_, at) => bar("g", `r${at}`, at / 100, more));
  const titleOf = (all: readonly GroupedBar[], by = "level") => groupedBars({ ...about, by }, all)[0]?.title;

  test("number at most 48 and at least two for the user's runs, and are never negative", () => {
    expect([groupedBars(about, many(48)).length, groupedBars(about, many(49)).length]).toEqual([1, 0]);
    expect([groupedBars(about, many(2)).length, groupedBars(about, many(1)).length]).toEqual([1, 0]);
    expect(groupedBars(about, [...many(1), bar("g", "p", 0.5, { reported: true })])).toEqual([]);
    expect(groupedBars(about, [...many(2), bar("g", "x", -0.1)])).toEqual([]);
    const { value: _, ...unknown } = cell(0);
    expect(groupedBars(about, [...many(2), { group: "g", label: "x", cell: unknown }])[0]!.bars).toHaveLength(2);
  });

  test("omit values from a paper, with a note, if there are too many", () => {
    const printed = many(47, { reported: true });
    const noted = { ...about, notes: ["n"], ofReported: ["printed"] };
    const [few] = groupedBars(noted, [...many(1), ...many(1), ...many(46, { reported: true })]);
    expect([few!.bars.length, few!.notes]).toEqual([48, ["n", "printed"]]);
    const [left] = groupedBars(noted, [...many(2), ...printed]);
    expect([left!.bars.length, left!.notes]).toEqual([
      2,
      ["n", "47 reported values are only in the table, because they are too many for a picture"],
    ]);
  });

  test("show the name of a single run in the title, and the names of several runs at the bars", () => {
    expect(titleOf([bar("easy", "r", 0.5), bar("hard", "r", 0.4)])).toBe("Right by level: r");
    expect(titleOf([bar("easy", "r", 0.5), bar("easy", "s", 0.4)])).toBe("Right by run and level");
    expect(titleOf([bar("", "r", 0.5), bar("", "s", 0.4)], "")).toBe("Right by run");
    expect(titleOf([bar("", "r", 0.5), bar("", "r", 0.4)], "")).toBe("Right: r");
    const [single] = groupedBars(about, [bar("easy", "r", 0.5), bar("", "r", 0.4)]);
    expect(single!.bars.map(({ group, label }) => [group, label])).toEqual([
      [undefined, "easy"],
      [undefined, "r"],
    ]);
    const [number] = groupedBars({ ...about, unit: "number" }, [bar("a", "r", 2), bar("b", "s", 3)]);
    expect([number!.unit, number!.max, number!.drawsTable]).toEqual(["number", undefined, true]);
  });
});
