import { describe, expect, it } from "vitest";
import { axisTicks, ticksBetween } from "../../../source/engine/figures/axis-ticks.ts";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { exportFigure } from "./exported-figure.ts";
import type { Cell, Figure, LinesFigure, TableFigure } from "../../../source/engine/figure.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";

const unitNote = (figure: Figure) => prepared(figure).units;

const share = (value: number): Cell => ({ text: (value * 100).toFixed(2), value });
const number = (value: number): Cell => ({ text: String(value), value });
const titled = { title: "T", notes: [] };

function table(titles: readonly string[], ...rows: readonly (readonly Cell[])[]): TableFigure {
  const columns = titles.map((title, index) => ({
    title,
    align: index === 0 ? ("left" as const) : ("right" as const),
  }));
  return { ...titled, kind: "table", columns, rows };
}

describe("the unit of a figure's values", () => {
  it("is shown for a whole table that contains only counts", () => {
    const run = { text: "mine" };
    expect(unitNote(table(["Run", "Succ", "F1", "n"], [run, share(0.5), share(0), number(20)]))).toBe("values in %");
    expect(unitNote(table(["Run", "tokens"], [run, number(20)]))).toBeUndefined();
    expect(unitNote(table(["Run", "Succ"], [run, { text: "0.00", value: 0 }]))).toBeUndefined();
  });

  it("is shown by column if the units differ", () => {
    const run = { text: "mine" };
    const mixed = table(["Run", "Succ", "steps", "calls"], [run, share(0.5), number(3), number(7)]);
    expect(unitNote(mixed)).toBe("in %: Succ");
    const more = table(["Run", "Succ", "F1", "steps"], [run, share(0.5), share(0.25), number(3)]);
    expect(unitNote(more)).toBe("values in %, except steps");
  });

  it("is shown once for all columns under a title unless the units differ", () => {
    const run = { text: "mine" };
    const heads = (...of: readonly (readonly [string, string])[]) => [
      { title: "Run", align: "left" as const },
      ...of.map(([under, title]) => ({ title, align: "right" as const, under: [under] })),
    ];
    const pairs = [
      ["hierarchical", "Succ"],
      ["hierarchical", "Calls"],
      ["flat", "Succ"],
      ["flat", "Calls"],
    ] as const;
    const values = [run, share(0.5), number(2), share(0.25), number(3)];
    expect(unitNote({ ...table([], values), columns: heads(...pairs) })).toBe("in %: Succ");
    const differing = [run, share(0.5), number(2), number(4), number(3)];
    expect(unitNote({ ...table([], differing), columns: heads(...pairs) })).toBe("in %: hierarchical Succ");
  });

  it("is shown by row if a column contains values of several units", () => {
    const rows = [
      [{ text: "Succ" }, share(0.5), share(0.75)],
      [{ text: "steps" }, number(3), number(4)],
    ];
    expect(unitNote(table(["", "one", "other"], ...rows))).toBe("in %: Succ");
  });

  it("is omitted if the texts or the axes already contain it", () => {
    expect(unitNote(table(["Run", "Share"], [{ text: "a" }, { text: "6.45 %", value: 0.0645 }]))).toBeUndefined();
    const bars: Figure = { ...titled, kind: "bars", unit: "% of tasks", bars: [{ label: "a", cell: share(0.5) }] };
    expect(unitNote(bars)).toBeUndefined();
    expect(unitNote({ ...bars, unit: "answers" })).toBe("values in %");
  });
});

describe("the unit of exported values", () => {
  const lines: LinesFigure = {
    ...titled,
    kind: "lines",
    x: "k",
    y: "Succ",
    series: [{ label: "a", points: [{ x: 3, cell: share(0.4), low: 0.25, high: 0.5 }] }],
  };
  const read = (format: "md" | "tex" | "html" | "svg" | "csv" | "json") => exportFigure(lines, format);

  it("is percent in formats for people, also at the ends of intervals, and is shown", () => {
    expect(read("md")).toContain("| Succ, % | low | high |");
    expect(read("md")).toContain("| 40.00 | 25.00 % | 50.00 % |");
    expect(read("tex")).toContain("Succ, \\%");
    expect(read("tex")).toContain("25.00 \\%");
    expect(read("html")).toContain("25.00 %");
    expect(read("svg")).toContain(">Succ, %</text>");
    expect(drawFigure(lines, { width: 60, ascii: false }).head.map(lineText)).toEqual(["Succ, %"]);
  });

  it("is a fraction from 0 to 1 in CSV and JSON, with plain names", () => {
    expect(read("csv").split("\r\n").slice(0, 2)).toEqual([",k,Succ,low,high,n", "a,3,0.4,0.25,0.5,"]);
    expect(read("json")).toContain('"low": 0.25');
  });
});

describe("bars", () => {
  const bars: Figure = {
    ...titled,
    kind: "bars",
    unit: "% of tasks",
    bars: [
      { label: "wrong place", cell: share(0.4), low: 0.3, high: 0.5 },
      { label: "made up", cell: share(0.1), low: 0.05, high: 0.2 },
    ],
  };

  it("are drawn along an axis with round numbers, and each bar has its value at the end", () => {
    const { body, foot } = drawFigure(bars, { width: 60, ascii: true });
    expect([...body, ...foot].map(lineText)).toEqual([
      "  wrong place |#######################========-------| 40.00",
      "  made up     |####====-------| 10.00",
      "              0       10      20     30      40      50",
      "  in % of tasks; whiskers: 95 % interval",
    ]);
  });

  it("have no fractional ticks on an axis of counts, as text and in a picture", () => {
    const sizes = { ...bars, unit: "toolkits", bars: [{ label: "2 to 3", cell: number(2) }] };
    const { foot } = drawFigure(sizes, { width: 60, ascii: true });
    expect(lineText(foot[0]!).trim().split(/ +/)).toEqual(["0", "1", "2"]);
    expect(exportFigure(sizes, "svg")).not.toContain(">0.5<");
  });

  it("have the same axis in a picture and in text", () => {
    for (const tick of [0, 10, 20, 30, 40, 50])
      expect(exportFigure(bars, "svg")).toContain(`text-anchor="middle">${tick}</text>`);
  });

  it('show the word "none" if there are no values, in text and in a picture', () => {
    expect(exportFigure({ ...bars, bars: [] }, "svg")).toContain(">none</text>");
    expect(drawFigure({ ...bars, bars: [] }, { width: 60, ascii: true }).body.map(lineText)).toEqual(["  none"]);
  });
});

describe("round numbers along an axis", () => {
  it("are few, and never exceed the end of the axis", () => {
    expect(axisTicks(0.5, 5)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(axisTicks(37, 5)).toEqual([0, 10, 20, 30]);
    expect(axisTicks(1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(axisTicks(0, 5)).toEqual([0]);
    for (const most of [0.003, 7, 99, 12_345])
      for (const ticks of [axisTicks(most, 5)]) {
        expect(ticks.length).toBeGreaterThan(2);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.at(-1)).toBeLessThanOrEqual(most);
      }
  });

  it("are between two given ends, and there are at least two", () => {
    expect(ticksBetween(23.7, 98.2, 5)).toEqual([40, 60, 80]);
    expect(ticksBetween(-0.59, 0.42, 5)).toEqual([-0.5, 0]);
    expect(ticksBetween(700, 10_800, 6)).toEqual([2000, 4000, 6000, 8000, 10_000]);
    expect(ticksBetween(3, 3, 5)).toEqual([3]);
    for (const [low, high] of [
      [0, 1],
      [0.3, 0.31],
      [9.99, 10.01],
      [-7, 80_000],
    ] as const)
      for (const count of [2, 5, 6]) {
        const ticks = ticksBetween(low, high, count);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(count + 1);
      }
  });
});

describe("a plot in a picture", () => {
  const near = (x: number, group: string) => ({ x, y: x, group, label: `${group} ${x}` });

  it("explains its marks, which differ in shape for readers who cannot distinguish the colours", () => {
    const points: Figure = {
      ...titled,
      kind: "points",
      x: "budget",
      y: "cost",
      points: [near(1, "within"), near(2, "within"), near(3, "over")],
    };
    const svg = exportFigure(points, "svg");
    expect(svg).toMatch(/<text [^>]*>within<\/text>/);
    expect(svg).toMatch(/<text [^>]*>over<\/text>/);
    // Two points and the legend; one point and the legend.
    expect([svg.split("<circle").length - 1, svg.split("<polygon").length - 1]).toEqual([3, 2]);
    const many = Array.from({ length: 40 }, (_, number) => near(number, `toolkit ${number}`));
    expect(exportFigure({ ...points, points: many }, "svg")).toContain(">and 25 more</text>");
  });

  it("wraps its notes, so the plot is narrower than its longest note", () => {
    const long = {
      ...titled,
      kind: "points",
      x: "x",
      y: "y",
      points: [near(1, "a")],
      notes: ["word ".repeat(100)],
    } as const;
    expect(Number(/width="(\d+)/.exec(exportFigure(long, "svg"))![1])).toBeLessThan(700);
  });
});
