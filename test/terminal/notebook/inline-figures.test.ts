import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import type { BarsFigure, Figure, GridFigure } from "../../../source/engine/figure.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { figuresThatFit, inlineFigures } from "../../../source/terminal/notebook/inline-figures.ts";

const theme = openTheme({ colour: false, ascii: false });
const map = (run: string, reported = false): GridFigure => ({
  kind: "grid",
  title: `EM by scale: ${run}`,
  x: { label: "sequential", ticks: ["1", "2", "3"] },
  y: { label: "parallel", ticks: ["1"] },
  cells: [
    [0.5, 0.25, 0.125].map((value) => ({ text: String(value * 100), value, n: 20, ...(reported && { reported }) })),
  ],
  range: [0, 1],
  notes: [],
});
const bars = (title: string): BarsFigure => ({
  kind: "bars",
  title,
  unit: "tasks",
  bars: [{ label: "wrong place", cell: { text: "7", value: 7, n: 20 } }],
  notes: [],
});
const drawn = (figures: readonly Figure[], columns: number) =>
  inlineFigures(figures, [], { columns, theme, colourOf: () => undefined }).map(lineText);
const titles = (lines: readonly string[]) =>
  lines.flatMap((line) => [...line.matchAll(/EM by scale|Errors/g)].length || []);

describe("the figures of an analysis in the notebook", () => {
  it("are side by side while there is room, and otherwise in the next row", () => {
    const maps = ["a", "b", "c", "d"].map((run) => map(run));
    expect(titles(drawn(maps, 60))).toEqual([1, 1, 1, 1]);
    expect(titles(drawn(maps, 80))).toEqual([2, 2]);
    expect(titles(drawn(maps, 200))).toEqual([4]);
  });

  it("keep all their columns", () => {
    for (const columns of [60, 100, 200])
      expect(drawn([map("a"), map("b")], columns).join("\n")).not.toContain("more column");
  });

  it("print the common parts of a row once, for example scale and legend", () => {
    const times = (figures: readonly Figure[], words: RegExp) => drawn(figures, 100).join("\n").match(words)?.length;
    expect(times([map("a", true), map("b", true)], /scale 0 to 100/g)).toBe(1);
    expect(times([map("a", true), map("b", true)], /reported by the paper/g)).toBe(1);
    // The figure of only one of them is below that one.
    const [second] = drawn([map("a"), map("b", true)], 100).filter((line) => line.includes("reported by the paper"));
    expect(second!.indexOf("reported")).toBeGreaterThan(30);
  });

  it("print the common notes of figures below each other only once", () => {
    const feet = (figures: readonly Figure[]) =>
      drawn(figures, 60).filter((line) => line.includes("scale 0 to")).length;
    expect(feet([map("a"), map("b")])).toBe(1);
    expect(feet([map("a"), { ...map("b"), range: [0, 0.5] }])).toBe(2);
    expect(feet([map("a"), bars("Errors"), map("b")])).toBe(2);
  });

  it("show the measure and the axes once if the figures differ only by run; figures side by side repeat the axes", () => {
    const runs = ["hierarchical", "flat"];
    const colourOf = (label: string) => (runs.includes(label) ? runs.indexOf(label) : undefined);
    // Maps with the same number of tasks in all cells have it beside the axes.
    const mapOf = (run: string): GridFigure => {
      const whole = map(run);
      return { ...whole, cells: whole.cells.map((row) => row.map((cell, at) => ({ ...cell!, n: at + 1 }))) };
    };
    const lines = (columns: number) =>
      inlineFigures(runs.map(mapOf), [], { columns, theme, colourOf }).map((line) => lineText(line).trimEnd());
    const below = lines(50);
    expect(below[1]).toBe("EM by scale: hierarchical");
    expect(below.filter((line) => line.includes("parallel"))).toHaveLength(1);
    expect(below.slice(below.indexOf("flat"))[1]).toMatch(/^ +1 +2 +3$/);
    const beside = lines(100);
    expect(beside[1]).toMatch(/^EM by scale: hierarchical {2,}flat$/);
    expect(beside[2]!.match(/parallel/g)).toHaveLength(2);
  });

  it("stay within the window, and share the remaining width", () => {
    for (const columns of [60, 118, 200]) {
      const lines = drawn([bars("Errors of a"), bars("Errors of b")], columns);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
      expect(titles(lines)).toEqual(columns < 116 ? [1, 1] : [2]);
    }
  });

  it("have the full width if there is only one figure", () => {
    const alone = drawn([bars("Errors")], 70);
    expect(drawn([bars("Errors"), map("a")], 70).slice(0, alone.length)).toEqual(alone);
    expect(alone.some((line) => line.length > 60)).toBe(true);
  });
});

describe("the figures below an open figure", () => {
  const colourOf = (text: string) => (/(?:^|: )[ab]$/.test(text) ? 0 : undefined);
  const below = (above: Figure, others: readonly Figure[], height = 30) =>
    figuresThatFit(above, others, [], { columns: 60, theme, colourOf }, height).lines.map(lineText);

  it("repeat neither its title nor its scale if they are for another run", () => {
    expect(below(map("a"), [map("b")])).toEqual([
      "",
      "b",
      expect.stringMatching(/n 20/),
      expect.anything(),
      " 1  50   25   13 ",
    ]);
  });

  it("have a scale of their own if it differs, or if another figure is between", () => {
    const scales = (lines: readonly string[]) => lines.filter((line) => line.includes("scale 0 to")).length;
    expect(scales(below(map("a"), [{ ...map("b"), range: [0, 0.5] }]))).toBe(1);
    expect(scales(below(map("a"), [bars("Errors"), map("b")]))).toBe(1);
    expect(scales(below(bars("Errors"), [map("a"), map("b")]))).toBe(1);
    expect(below(bars("EM by scale: a"), [map("b")]).join("\n")).toContain("EM by scale: b");
  });

  it("end before the height, with a line that says how to see the rest if at least eight lines fit", () => {
    const long = { ...bars("Errors"), bars: Array.from({ length: 12 }, () => bars("Errors").bars[0]!) };
    expect(below(map("a"), [long], 10).at(-1)).toBe("  … Tab shows the whole figure");
    expect(below(map("a"), [long], 10)).toHaveLength(10);
    expect(below(map("a"), [long], 8)).toEqual([]);
  });
});
