import { describe, expect, test } from "vitest";
import { difficulty } from "../../../analyses/difficulty.ts";
import { type Figure, type Cell, shortfallOf, type TableFigure } from "../../../source/engine/figure.ts";
import { drawFigure, figureNotes } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { exportFigure } from "../figures/exported-figure.ts";
import { coverageOf, faintNote, restingOn } from "../../../source/engine/measures/coverage.ts";
import { isScored, measureCell } from "../../../source/engine/measures/measure-cell.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { madeRow, madeRun, madeSuite, type MadeRow } from "../../analyses/made-run.ts";

const row = (made: Partial<MadeRow>) => madeRow("r", { task: "t", ...made });
const scored = (count: number, right = 1): MadeRow[] =>
  Array.from({ length: count }, (_, index) => ({ task: `s${index}`, right, facets: { level: "easy" } }));
const failed = (count: number): MadeRow[] =>
  Array.from({ length: count }, (_, index) => ({ task: `f${index}`, failed: "model", facets: { level: "easy" } }));

describe("the tasks that are counted for a number", () => {
  test("are scored, unscored or failed; running and stopped tasks are excluded", () => {
    const rows = [row({ right: 1 }), row({ right: null }), row({ failed: "model" }), row({ running: true })];
    expect(coverageOf([...rows, row({ failed: "stopped" })], isScored)).toEqual({ scored: 1, unscored: 1, failed: 1 });
  });

  test("exclude tasks to which a measure does not apply, or whose score never has the measure", () => {
    const [, hits] = madeSuite.measures;
    const cell = measureCell(hits!, [row({ right: 1, metrics: { hits: 1, tries: 1 } }), row({ right: 1 })]);
    expect(cell.rests).toBeUndefined();
    const aspect = (name: string) => ({ aspect: name });
    const selection = ultratool.measures.find(({ name }) => name === "official.tool_selection.global")!;
    const rows = [
      row({ right: 1, facets: aspect("tool_selection"), metrics: { "tool_selection.global": 1 } }),
      row({ failed: "model", facets: aspect("tool_selection") }),
      row({ failed: "model", facets: aspect("planning") }),
    ];
    expect(measureCell(selection, rows).rests).toEqual({ scored: 1, unscored: 0, failed: 1 });
    const ofApps = planningarena.measures.find(({ name }) => name === "OSC")!;
    const plans = ["APP", "API"].map((kind) => row({ failed: "model", facets: { interface: kind } }));
    expect(measureCell(ofApps, plans).rests).toEqual({ scored: 0, unscored: 0, failed: 1 });
  });

  test("are too few if fewer than nine tenths of them have a score; the cell is then muted and never marked as best", () => {
    const cell = (of: number, without: number): Cell =>
      restingOn({ text: "100.00", value: 1 }, { scored: of, unscored: 0, failed: without });
    expect(cell(9, 1)).toEqual({ text: "100.00", value: 1, rests: { scored: 9, unscored: 0, failed: 1 } });
    expect(shortfallOf(cell(9, 1))).toBe("9 of 10");
    expect(shortfallOf(cell(10, 0))).toBeUndefined();
    expect(cell(89, 10)).toMatchObject({ faint: true });
    expect(shortfallOf(cell(1, 9))).toBe("1 of 10");
    expect(restingOn({ text: "-" }, { scored: 0, unscored: 0, failed: 3 })).toEqual({
      text: "-",
      rests: { scored: 0, unscored: 0, failed: 3 },
    });
    const runs = [madeRun("few", [...scored(1), ...failed(9)]), madeRun("all", scored(10, 0))];
    const [table] = difficulty.compute(runs, { by: "level", mode: "strict", intervals: "off" });
    expect((table as TableFigure).rows.flat().filter(({ rank }) => rank !== undefined)).toEqual([]);
  });
});

test("a map explains `~` if it marks cells with few tasks; cells with few scored tasks have a note of their own", () => {
  const few: Cell = { text: "1", value: 1, faint: true };
  const unscored: Cell = { ...few, rests: { scored: 1, unscored: 0, failed: 9 } };
  expect(faintNote([[undefined, few]], 5)).toEqual(["~ marks values of fewer than 5 tasks"]);
  expect(faintNote([[few]], 3, "plans")).toEqual(["~ marks values of fewer than 3 plans"]);
  expect(faintNote([[unscored], [undefined], [{ text: "1", value: 1 }]], 5)).toEqual([]);
});

describe("a cell that counts 1 of 10 tasks", () => {
  const short: Cell = { text: "40.00", value: 0.4, n: 1, faint: true, rests: { scored: 1, unscored: 2, failed: 7 } };
  const titled = { title: "T", notes: [] };
  const figures: Readonly<Record<string, Figure>> = {
    table: { ...titled, kind: "table", columns: [{ title: "Succ", align: "right" }], rows: [[short]] },
    grid: {
      ...titled,
      kind: "grid",
      x: { label: "x", ticks: ["1"] },
      y: { label: "y", ticks: ["1"] },
      cells: [[short]],
      range: [0, 1],
    },
    bars: { ...titled, kind: "bars", unit: "%", bars: [{ label: "a", cell: short }] },
    lines: { ...titled, kind: "lines", x: "k", y: "Succ", series: [{ label: "a", points: [{ x: 3, cell: short }] }] },
  };

  test.each(Object.entries(figures))("is drawn as %s, and the sign is explained", (_, figure) => {
    const { head, body, foot } = drawFigure(figure, { width: 80, ascii: true });
    const lines = [...head, ...body, ...foot, ...figureNotes(figure, 80, true)].map(lineText);
    expect(lines.join("\n")).toContain("~40.00 (1 of 10)");
    expect(lines.join("\n")).toContain("(a of b): of b tasks that ended, a have a score; ~ less than 90 %");
  });

  test.each(
    Object.keys(figures).flatMap((kind) =>
      ["csv", "md", "tex", "svg", "html"].map((format) => [kind, format] as const),
    ),
  )("%s exported as %s", (kind, format) => {
    // CSV has two columns of numbers instead.
    const words = format === "csv" ? ",1,10" : "1 of 10";
    expect(exportFigure(figures[kind]!, format as "csv")).toContain(words);
  });

  test("has no sign if nine of ten tasks have a score", () => {
    const most: Cell = { text: "40.00", value: 0.4, n: 9, rests: { scored: 9, unscored: 0, failed: 1 } };
    const figure: Figure = { ...figures["table"]!, rows: [[most]] } as TableFigure;
    const { body } = drawFigure(figure, { width: 80, ascii: true });
    expect(body.map(lineText)).toEqual(["  40.00 (9 of 10)"]);
    const notes = figureNotes(figure, 80, true).map(lineText);
    expect(notes).toContain("  * (a of b): of b tasks that ended, a have a score");
    expect(notes.join("\n")).not.toContain("~");
  });

  test("is exported as JSON with all three numbers", () => {
    expect(exportFigure(figures["table"]!, "json")).toContain('"unscored": 2');
  });
});
