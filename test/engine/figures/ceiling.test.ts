import { describe, expect, test } from "vitest";
import type { BarsFigure, Cell, LinesFigure } from "../../../source/engine/figure.ts";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import { figureText } from "../../../source/engine/figures/figure-text.ts";
import { width } from "../../../source/engine/text/printable.ts";
import { exportFigure } from "./exported-figure.ts";

const share = (value: number, ceiling?: number): Cell => ({
  text: (value * 100).toFixed(2),
  value,
  n: 20,
  ...(ceiling !== undefined && { ceiling }),
});
const bars: BarsFigure = {
  kind: "bars",
  title: "F1 app by category",
  unit: "%",
  max: 1,
  bars: [
    { label: "SS", cell: share(0.5) },
    { label: "SM", cell: share(0.25, 0.5) },
    { label: "MS", cell: share(0.5, 0.5) },
    { label: "MM", cell: share(0.25, 0.5), low: 0.1, high: 0.75 },
    { label: "all", cell: share(0.9, 0.99) },
  ],
  notes: [],
};
const free: BarsFigure = { ...bars, bars: [bars.bars[0]!] };

const line = (label: string, ...ceilings: (number | undefined)[]): LinesFigure["series"][number] => ({
  label,
  points: ceilings.map((ceiling, at) => ({ x: at, cell: share(0.1 + at / 10, ceiling) })),
});
const linesOf = (...series: LinesFigure["series"]): LinesFigure => ({
  kind: "lines",
  title: "F1 app by shots",
  x: "shots",
  y: "F1 app",
  series,
  notes: [],
});

describe("the ceiling of a bar", () => {
  test("is a labelled mark inside the bar, at its end, or beyond it", () => {
    const lines = figureText(bars, { width: 60, ascii: false }).split("\n");
    expect(lines.slice(1)).toEqual([
      "  SS   │████████████████████ 50.00  n 20",
      "  SM   │██████████          ┊ 25.00  n 20",
      "  MS   │████████████████████┊ 50.00  n 20",
      "  MM   │████▓▓▓▓▓▓──────────┊───────┤ 25.00  n 20",
      "  all  │███████████████████████████████████    ┊ 90.00  n 20",
      "       0       20      40     60      80      100",
      "  in %; whiskers: 95 % interval; ┊ score of a perfect answer",
    ]);
  });

  test("has an ASCII sign, and stays within the width", () => {
    const text = figureText(bars, { width: 60, ascii: true });
    expect(text).toContain("##########          : 25.00");
    expect(text).toContain("; : score of a perfect answer");
    for (const columns of [30, 40, 60, 80, 120, 200])
      for (const each of figureText(bars, { width: columns, ascii: false }).split("\n"))
        expect(width(each)).toBeLessThanOrEqual(columns);
  });

  test("is described in the status below the cursor", () => {
    const notes = [...prepared(bars).stops].map(([stop]) => stop!.cell!.note);
    expect(notes).toEqual([
      undefined,
      "a perfect answer gets 50.00",
      "a perfect answer gets 50.00",
      "95 % interval 10.0 to 75.0; a perfect answer gets 50.00",
      "a perfect answer gets 99.00",
    ]);
  });

  test("is a dashed line in pictures, with its name and value as a tooltip", () => {
    const svg = exportFigure(bars, "svg");
    expect(svg.match(/stroke="black" stroke-dasharray/g)).toHaveLength(4);
    expect(svg).toContain("dashed: score of a perfect answer");
    expect(svg).toContain("<title>SM · 25.00 · n 20 · a perfect answer gets 50.00</title>");
  });

  test("extends the axis if it is beyond all bars", () => {
    const counts: BarsFigure = {
      kind: "bars",
      title: "Turns",
      unit: "turns",
      bars: [{ label: "a run", cell: { text: "2", value: 2, ceiling: 4 } }],
      notes: [],
    };
    expect(figureText(counts, { width: 60, ascii: false }).split("\n")[1]).toMatch(/│(█+) \1┊ 2$|│(█+) +┊ 2$/);
    expect(prepared(counts).stops.row(0)[0]!.cell!.note).toBe("a perfect answer gets 4");
  });

  test("is not mentioned if there is none", () => {
    expect(figureText(free, { width: 60, ascii: false })).not.toMatch(/┊|perfect/);
    expect(exportFigure(free, "svg")).not.toMatch(/dash|perfect/);
  });
});

describe("the ceiling of lines", () => {
  const figure = linesOf(line("one", 0.8, 0.8, 0.8), line("two", 0.8, 0.8, 0.8));
  const signs = (drawn: ReturnType<typeof drawFigure>) => drawn.body.flat().filter(({ text }) => text.includes("┄"));

  test("is a single dashed line, labelled once and in no series' colour, if all series have the same tasks", () => {
    const drawn = drawFigure(figure, { width: 60, ascii: false });
    const top = lineText(drawn.body[0]!);
    expect(top).toMatch(/80 │┄( ┄)+ ?$/);
    expect(new Set(signs(drawn).map(({ series }) => series))).toEqual(new Set([undefined]));
    expect(drawn.foot.map(lineText).filter((text) => text.includes("perfect"))).toEqual([
      "  ● one  ▲ two  ┄ score of a perfect answer",
    ]);
    const narrow = drawFigure(figure, { width: 40, ascii: false });
    expect(narrow.foot.map(lineText).slice(-2)).toEqual(["  ● one  ▲ two", "  ┄ score of a perfect answer"]);
  });

  test("has a line in each series' colour if each series has a ceiling, and a short line for a series with a single point", () => {
    const two = linesOf(line("one", 0.8, 0.6), line("two", undefined, 0.4), line("three"));
    const drawn = drawFigure(two, { width: 60, ascii: false });
    expect(new Set(signs(drawn).map(({ series }) => series))).toEqual(new Set([0, 1]));
    expect(exportFigure(two, "svg").match(/<polyline[^>]*stroke-dasharray/g)).toHaveLength(2);
  });

  test("is described at the cursor, and drawn in ASCII and in pictures", () => {
    expect(prepared(figure).stops.row(1)[2]!.cell!.note).toBe("a perfect answer gets 80.00");
    expect(figureText(figure, { width: 60, ascii: true })).toContain("x two  - score of a perfect answer");
    const svg = exportFigure(figure, "svg");
    expect(svg.match(/<polyline[^>]*stroke="black" stroke-dasharray/g)).toHaveLength(1);
    expect(svg).toContain(">score of a perfect answer</text>");
  });

  test("is absent if there is none", () => {
    const drawn = drawFigure(linesOf(line("one", undefined, undefined)), { width: 60, ascii: false });
    expect([...drawn.body, ...drawn.foot].map(lineText).join("\n")).not.toMatch(/┄|perfect/);
  });
});

describe("tables", () => {
  test("are exported without ceilings", () => {
    const table = (ceiling?: number) =>
      ({
        kind: "table",
        title: "T",
        columns: [{ title: "F1", align: "right" }],
        rows: [[share(0.5, ceiling)]],
        notes: [],
      }) as const;
    const options = { width: 60, ascii: false };
    expect(figureText(table(0.8), options)).toBe(figureText(table(), options));
    for (const format of ["csv", "md", "tex"] as const)
      expect(exportFigure(table(0.8), format)).toBe(exportFigure(table(), format));
  });
});
