import { describe, expect, test } from "vitest";
import { difficulty } from "../../../analyses/difficulty.ts";
import type { BarsFigure, Cell } from "../../../source/engine/figure.ts";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { exportFigure } from "../figures/exported-figure.ts";
import { groupedBars, type GroupedBar } from "../../../source/engine/measures/grouped-bars.ts";
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

describe("a measure by run and group as bars", () => {
  const rows = (...right: readonly (0 | 1)[]): readonly MadeRow[] =>
    right.map((value, index) => ({
      task: `t${index}`,
      facets: { level: index < 2 ? "easy" : "hard" },
      right: value,
      metrics: { hits: 1, tries: 1 },
    }));
  const runs = [madeRun("flat", rows(1, 1, 0, 1)), madeRun("steps", rows(1, 0, 0, 0))];
  const chosen = { by: "level", mode: "strict", intervals: "off" };

  test("is beside the table of difficulty: runs of one level together, all levels last, the tasks behind each bar", () => {
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

  test("has whiskers if intervals are requested, and the columns of a table with facets across as its groups", () => {
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

  test("names the figure of one run after it, and each bar after its group", () => {
    const [, bars] = difficulty.compute(runs.slice(0, 1), chosen);
    expect(bars!.title).toBe("Right by level: flat");
    expect((bars as BarsFigure).bars.map(({ group, label }) => [group, label])).toEqual([
      [undefined, "easy"],
      [undefined, "hard"],
      [undefined, "all"],
    ]);
  });

  test("names a group once, and a single bar in full", () => {
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

  test("is no picture of too many numbers: a paper's rows go first, with a note; nor of one number, nor of negative ones", () => {
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
