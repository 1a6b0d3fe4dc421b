import { describe, expect, it } from "vitest";
import { axisTicks } from "../../../source/engine/figures/axis-ticks.ts";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { exportFigure } from "../../../source/engine/figures/export-figure.ts";
import type { Cell, Figure, LinesFigure, TableFigure } from "../../../source/engine/figure.ts";
import { unitNote } from "../../../source/engine/figures/unit-note.ts";

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
  it("is named for the whole of a table that has nothing else but counts", () => {
    const run = { text: "mine" };
    expect(unitNote(table(["Run", "Succ", "F1", "n"], [run, share(0.5), share(0), number(20)]))).toBe("values in %");
    expect(unitNote(table(["Run", "tokens"], [run, number(20)]))).toBeUndefined();
    expect(unitNote(table(["Run", "Succ"], [run, { text: "0.00", value: 0 }]))).toBeUndefined();
  });

  it("is named by column where they differ, whichever are fewer", () => {
    const run = { text: "mine" };
    const mixed = table(["Run", "Succ", "steps", "calls"], [run, share(0.5), number(3), number(7)]);
    expect(unitNote(mixed)).toBe("in %: Succ");
    const more = table(["Run", "Succ", "F1", "steps"], [run, share(0.5), share(0.25), number(3)]);
    expect(unitNote(more)).toBe("values in %, but for steps");
  });

  it("is named by row where a column holds several", () => {
    const rows = [
      [{ text: "Succ" }, share(0.5), share(0.75)],
      [{ text: "steps" }, number(3), number(4)],
    ];
    expect(unitNote(table(["", "one", "other"], ...rows))).toBe("in %: Succ");
  });

  it("is not said again where texts or axes say it", () => {
    expect(unitNote(table(["Run", "Share"], [{ text: "a" }, { text: "6.45 %", value: 0.0645 }]))).toBeUndefined();
    const bars: Figure = { ...titled, kind: "bars", unit: "% of tasks", bars: [{ label: "a", cell: share(0.5) }] };
    expect(unitNote(bars)).toBeUndefined();
    expect(unitNote({ ...bars, unit: "answers" })).toBe("values in %");
  });
});

describe("what a person reads is in percent, what a program reads is not", () => {
  const lines: LinesFigure = {
    ...titled,
    kind: "lines",
    x: "k",
    y: "Succ",
    series: [{ label: "a", points: [{ x: 3, cell: share(0.4), low: 0.25, high: 0.5 }] }],
  };
  const read = (format: "md" | "tex" | "html" | "svg" | "csv" | "json") => exportFigure(lines, format);

  it("also at the ends of intervals, with the unit named", () => {
    expect(read("md")).toContain("| Succ, % | low | high |");
    expect(read("md")).toContain("| 40.00 | 25.00 % | 50.00 % |");
    expect(read("tex")).toContain("Succ, \\%");
    expect(read("tex")).toContain("25.00 \\%");
    expect(read("html")).toContain("25.00 %");
    expect(read("svg")).toContain(">Succ, %</text>");
    expect(drawFigure(lines, { width: 60, ascii: false }).head.map(lineText)).toEqual(["Succ, %"]);
  });

  it("as fractions from 0 to 1 in CSV and JSON, with their plain names", () => {
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

  it("stand on an axis with round numbers, each value at the end of its bar", () => {
    const { body, foot } = drawFigure(bars, { width: 60, ascii: true });
    expect([...body, ...foot].map(lineText)).toEqual([
      "  wrong place |#######################========-------| 40.00",
      "  made up     |####====-------| 10.00",
      "              0       10      20     30      40      50",
      "  in % of tasks; whiskers: 95 % interval",
    ]);
  });

  it("have the same axis in a picture", () => {
    for (const tick of [0, 10, 20, 30, 40, 50])
      expect(exportFigure(bars, "svg")).toContain(`text-anchor="middle">${tick}</text>`);
  });

  it("say none where there are none, in a picture too", () => {
    expect(exportFigure({ ...bars, bars: [] }, "svg")).toContain(">none</text>");
    expect(drawFigure({ ...bars, bars: [] }, { width: 60, ascii: true }).body.map(lineText)).toEqual(["  none"]);
  });
});

describe("round numbers along an axis", () => {
  it("are few, and none beyond its end", () => {
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
});
