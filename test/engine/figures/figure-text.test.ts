import { describe, expect, it } from "vitest";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { figureText } from "../../../source/engine/figures/figure-text.ts";
import type { Figure, TableFigure } from "../../../source/engine/figure.ts";
import { width } from "../../../source/engine/text/printable.ts";
import { figures, grid, long, table } from "../../terminal/sample-figures.ts";

/** On the screen the same figures are kept at 80 columns, with their colours. */
const widths = [60, 120];

describe("figures as text", () => {
  it("a legend of thousands of groups leaves room for the plot and shows how many are omitted", () => {
    const points = Array.from({ length: 2000 }, (_, id) => ({
      x: id,
      y: id % 7,
      group: `toolkit ${id}`,
      label: `${id}`,
    }));
    const map: Figure = { kind: "points", title: "Map", x: "one", y: "two", points, notes: [] };
    const lines = figureText(map, { width: 80, ascii: false }).split("\n");
    expect(lines.length).toBeLessThan(30);
    const shown = lines.join("\n").match(/toolkit \d+/g)!.length;
    expect(lines.join("\n")).toContain(`and ${2000 - shown} more`);
  });

  it("a table too wide for the page continues below, without losing a number", () => {
    const columns = ["Model", ...Array.from({ length: 20 }, (_, index) => `measure ${index}`)];
    const wide: Figure = {
      kind: "table",
      title: "Wide",
      notes: [],
      columns: columns.map((title, index) => ({ title, align: index === 0 ? "left" : "right" })),
      rows: [columns.map((_, index) => ({ text: index === 0 ? "a model" : `${index}.${index}7` }))],
    };
    const text = figureText(wide, { width: 60, ascii: false });
    for (let index = 1; index <= 20; index++) expect(text).toContain(`${index}.${index}7`);
    expect(Math.max(...text.split("\n").map(width))).toBeLessThanOrEqual(60);
    expect(text).not.toContain("more columns");
  });

  describe("column groups", () => {
    /** Groups of two values each, below an outer group if it has a name. */
    const grouped = (outer: string, sets: readonly string[]) =>
      sets.flatMap((set) =>
        ["Pass rate", "Win rate"].map((title) => ({
          title,
          align: "right" as const,
          under: outer === "" ? [set] : [outer, set],
        })),
      );
    const sixSets = ["G1_instruction", "G1_tool", "G1_category", "G2_instruction", "G2_category", "G3_instruction"];
    const tableOf = (columns: TableFigure["columns"]): TableFigure => ({
      kind: "table",
      title: "Groups",
      notes: [],
      columns: [{ title: "Strategy", align: "left" }, ...columns, { title: "n", align: "right" }],
      rows: [[{ text: "react" }, ...columns.map((_, at) => ({ text: `${at}.${at}7`, value: at })), { text: "6" }]],
    });
    const headsOf = (figure: TableFigure, columns: number) => {
      const text = figureText(figure, { width: columns, ascii: true });
      for (const { text: value } of figure.rows[0]!) expect(text.split(/\s+/)).toContain(value);
      expect(text).not.toContain("more column");
      return text.split("\n").filter((line) => /[a-z)] -+( |$)/i.test(line));
    };

    it("stay on one page; if an outer group is wider than the page, each of its inner groups stays on one page", () => {
      const heads = headsOf(tableOf([...grouped("apibench", ["torchhub"]), ...grouped("toolbench", sixSets)]), 80);
      const outer = heads.flatMap((line) => line.match(/(apibench|toolbench)( \(\d of \d\))?/g) ?? []);
      expect(outer).toEqual(["apibench", "toolbench (1 of 2)", "toolbench (2 of 2)"]);
      // Each set is on one page, over both of its columns.
      const sets = heads.flatMap((line) => line.match(/(torchhub|G\d_\w+)( \(\d of \d\))?/g) ?? []);
      expect(sets).toEqual(["torchhub", ...sixSets]);
    });

    it("show the title of a group without inner groups on each of its pages", () => {
      const columns = sixSets.map((title) => ({ title, align: "right" as const, under: ["toolbench"] }));
      const heads = headsOf(tableOf(columns), 60);
      expect(heads.map((line) => line.trim().replace(/ -+.*/, ""))).toEqual([
        "toolbench (1 of 2)",
        "toolbench (2 of 2)",
      ]);
    });

    it("never cut the `(1 of 2)` of a title, however long the title is", () => {
      const columns = ["one column", "two columns", "three columns", "four columns"].map((title) => ({
        title,
        align: "right" as const,
        under: ["a rather long title"],
      }));
      for (const width of [40, 41, 42, 43, 44, 46, 50])
        for (const [at, line] of headsOf(tableOf(columns), width).entries()) expect(line).toContain(`(${at + 1} of `);
    });
  });

  it("prints each row as a list if the page has no room for a name and a value on one line", () => {
    const head = "a head that is wider than the whole page";
    const narrow: Figure = {
      kind: "table",
      title: "Narrow",
      notes: [],
      columns: [
        { title: "Model", align: "left" },
        { title: "Kind", align: "left" },
        { title: "F1", align: "right", under: [head] },
        { title: "n", align: "right" },
      ],
      rows: [
        [{ text: "one" }, { text: "" }, { text: "84.0", value: 84, low: 71.5, high: 90 }, { text: "6", value: 6 }],
        [{ text: "two" }, { text: "open" }, { text: "7.5", value: 7.5 }, { text: "5", value: 5 }],
      ],
    };
    expect(figureText(narrow, { width: 30, ascii: true }).split("\n")).toEqual([
      "Narrow",
      "  one",
      "    a head that is wider than",
      "    the whole page F1: 84.0",
      "    [71.5, 90]",
      "    n: 6",
      "  two",
      "    Kind: open",
      "    a head that is wider than",
      "    the whole page F1: 7.5",
      "    n: 5",
      "  * [a, b]: 95 % interval",
    ]);
  });

  it("uses the singular in the hint about one more column", () => {
    const ticks = Array.from({ length: 8 }, (_, index) => `tick ${index}`);
    const cells = [ticks.map(() => ({ text: "1.0", value: 1 }))];
    const map: Figure = { ...grid, x: { label: "X", ticks }, y: { label: "Y", ticks: ["one"] }, cells };
    const foot = (columns: number) => drawFigure(map, { width: columns, ascii: false }).foot.map(lineText).join("\n");
    const hidden = Array.from({ length: 60 }, (_, index) => foot(20 + index));
    expect(hidden.some((text) => text.includes("1 more column"))).toBe(true);
    expect(hidden.join("\n")).not.toContain("1 more columns");
  });

  it("intervals of two series at the same x are drawn side by side", () => {
    const point = (x: number, value: number) => ({ x, cell: { text: String(value), value }, low: 0, high: 1 });
    const series = ["one", "two", "three"].map((label, at) => ({
      label,
      points: [0, 1, 2].map((x) => point(x, at / 2)),
    }));
    const drawn = drawFigure(
      { kind: "lines", title: "L", x: "x", y: "y", series, notes: [] },
      { width: 60, ascii: false },
    );
    // Away from the lines that join the points: in a row of its own, at the middle place.
    const row = drawn.body[2]!.filter(({ text }) => /[\u2800-\u28ff]/.test(text));
    expect(new Set(row.map(({ series: colour }) => colour))).toEqual(new Set([0, 1, 2]));
  });

  it("marks a truncated text in ASCII differently from the end of a sentence", () => {
    const cut: Figure = {
      ...table,
      rows: [[{ text: "a name of more than forty-eight columns, which no table gives it" }]],
    };
    expect(figureText(cut, { width: 80, ascii: true })).toMatch(/\w~\w|\w~ /);
  });

  for (const [name, figure] of Object.entries(figures)) {
    for (const columns of widths) {
      it(`${name} equals its snapshot at ${columns} columns`, async () => {
        await expect(figureText(figure, { width: columns, ascii: false })).toMatchFileSnapshot(
          `../../screens/figure-${name}-${columns}.txt`,
        );
      });
    }
    it(`${name} in ASCII equals its snapshot and has only ASCII characters`, async () => {
      const text = figureText(figure, { width: 80, ascii: true });
      expect(text).toMatch(/^[\n\x20-\x7e]*$/);
      await expect(text).toMatchFileSnapshot(`../../screens/figure-${name}-80-ascii.txt`);
    });
    it(`${name} never exceeds its width`, () => {
      for (let columns = 30; columns <= 200; columns += 17) {
        for (const line of figureText(figure, { width: columns, ascii: false }).split("\n")) {
          expect(width(line)).toBeLessThanOrEqual(columns);
        }
      }
    });
  }

  it("makes control characters visible", () => {
    expect(figureText(table, { width: 80, ascii: false })).toContain("evil␛[31m␇");
  });
});

describe("the cursor in a figure", () => {
  it("reaches every value, and is visible without colour", () => {
    for (const figure of [...Object.values(figures), long]) {
      const stops = prepared(figure).stops;
      for (const [row, stopsOfRow] of [...stops].entries()) {
        for (const column of stopsOfRow.keys()) {
          const at = { row, column };
          const marked = drawFigure(figure, { width: 100, ascii: true, at }).body.map(lineText);
          const bare = drawFigure(figure, { width: 100, ascii: true }).body.map(lineText);
          expect(marked).not.toEqual(bare);
        }
        if (row > 20) break;
      }
    }
  });

  it("scrolls hidden columns into view", () => {
    const columns = Array.from({ length: 30 }, (_, index) => ({ title: `m${index}`, align: "right" as const }));
    const wide: Figure = { ...table, columns, rows: [columns.map((_, index) => ({ text: `value ${index}` }))] };
    const drawn = drawFigure(wide, { width: 60, ascii: false, at: { row: 0, column: 29 } });
    expect(lineText(drawn.body[0]!)).toContain("▸value 29");
    expect(lineText(drawn.body[0]!)).toContain("value 0");
    expect(lineText(drawn.foot[0]!)).toMatch(/more columns/);
  });

  it("describes the value at its position", () => {
    expect(prepared(grid).stops.row(1)[0]).toEqual({ label: "", cell: { text: "parallel 2" } });
    expect(prepared(grid).stops.row(1)[3]).toMatchObject({
      label: "parallel 2, sequential 3",
      cell: { text: "40.0", n: 10 },
    });
    expect(prepared(figures["bars"]!).stops.row(0)[0]!.cell!.note).toBe("95 % interval 22.0 to 41.0");
  });
});

describe("empty and odd figures", () => {
  const nothing: Figure[] = [
    { kind: "table", title: "", notes: [], columns: [], rows: [] },
    {
      kind: "grid",
      title: "g",
      notes: [],
      x: { label: "x", ticks: [] },
      y: { label: "y", ticks: [] },
      cells: [],
      range: [0, 0],
    },
    { kind: "bars", title: "b", notes: [], unit: "", bars: [] },
    { kind: "bars", title: "b", notes: [], unit: "", bars: [{ label: "none", cell: { text: "-" } }] },
    { kind: "lines", title: "l", notes: [], x: "x", y: "y", series: [] },
    {
      kind: "lines",
      title: "l",
      notes: [],
      x: "x",
      y: "y",
      series: [{ label: "one", points: [{ x: 1, cell: { text: "5", value: 5 } }] }],
    },
    {
      kind: "points",
      title: "p",
      notes: [],
      x: "x",
      y: "y",
      points: [{ x: Number.NaN, y: 1, group: "g", label: "l" }],
    },
  ];
  it.each(nothing)("$kind without values is drawn without an error", (figure) => {
    for (const columns of [10, 40, 80])
      expect(figureText(figure, { width: columns, ascii: false })).toBeTypeOf("string");
  });
});

describe("a table of ten thousand rows", () => {
  it("draws only its visible part while the cursor moves", () => {
    const rows = Array.from({ length: 10_000 }, (_, row) => long.rows[row % long.rows.length]!);
    const figure = { ...long, rows };
    const draw = (row: number) =>
      drawFigure(figure, { width: 120, ascii: false, at: { row, column: 1 }, window: [row - 30, row + 31] });
    const { body } = draw(5_000);
    expect(body).toHaveLength(10_000);
    expect(body.filter((line) => line.length > 0).length).toBeLessThanOrEqual(61);
    expect(lineText(body[5_000]!)).toContain("▸");
    expect(body[4_000]).toEqual([]);
  });
});

describe("an empty figure", () => {
  const titled = { title: "Errors", notes: [] };
  const empty: readonly Figure[] = [
    { ...titled, kind: "table", columns: [{ title: "Kind", align: "left" }], rows: [] },
    { ...titled, kind: "bars", unit: "%", bars: [] },
    { ...titled, kind: "lines", x: "k", y: "success", series: [{ label: "flat", points: [] }] },
    { ...titled, kind: "points", x: "x", y: "y", points: [] },
    {
      ...titled,
      kind: "grid",
      x: { label: "x", ticks: ["1"] },
      y: { label: "y", ticks: ["1"] },
      cells: [[undefined]],
      range: [0, 1],
    },
  ];
  it.each(empty.map((figure) => [figure.kind, figure] as const))("reports that it is empty: %s", (_, figure) => {
    expect(figureText(figure, { width: 80, ascii: false }).split("\n")).toEqual(["Errors", "  none"]);
  });
});
