import { describe, expect, test } from "vitest";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { columnHeads, columnName } from "../../../source/engine/figures/column-heads.ts";
import { drawFigure, figureNotes, figureStops } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { exportFigure } from "../../../source/engine/figures/export-figure.ts";
import { figureText } from "../../../source/engine/figures/figure-text.ts";

const table: TableFigure = {
  kind: "table",
  title: "Scores",
  columns: [
    { title: "Run", align: "left" },
    { title: "Succ", align: "right", under: ["single"] },
    { title: "F1", align: "right", under: ["single"] },
    { title: "Succ", align: "right", under: ["several of them all"] },
    { title: "n", align: "right" },
  ],
  rows: [
    [
      { text: "mine" },
      { text: "33.33", value: 1 / 3, low: 0.061, high: 0.792, rank: 2 },
      { text: "50.00", value: 0.5, rank: 1 },
      { text: "0.00", value: 0, low: 0, high: 0.5 },
      { text: "3", value: 3 },
    ],
    [
      { text: "GPT-4", reported: true },
      { text: "40.00", value: 0.4, reported: true, rank: 1 },
      { text: "45.00", value: 0.45, reported: true, rank: 2 },
      { text: "-", reported: true },
      { text: "", reported: true },
    ],
  ],
  notes: [],
};
const lines = (width: number) => {
  const { head, body, foot } = drawFigure(table, { width, ascii: false });
  return [...head, ...body, ...foot].map((line) => lineText(line).trimEnd());
};

test("columns that share titles stand under one head, level by level", () => {
  expect(columnHeads(table.columns)).toEqual([
    [
      { title: "", from: 0, count: 1 },
      { title: "single", from: 1, count: 2 },
      { title: "several of them all", from: 3, count: 1 },
      { title: "", from: 4, count: 1 },
    ],
  ]);
  const inner = ["a", "b", "a"].map((title) => ({ title: "x", align: "right" as const, under: ["all", title] }));
  expect(columnHeads(inner).map((level) => level.map(({ title, count }) => `${title} ${count}`))).toEqual([
    ["all 3"],
    ["a 1", "b 1", "a 1"],
  ]);
  expect(columnName(table.columns[1]!)).toBe("single Succ");
});

describe("names that do not fit", () => {
  const named = (names: readonly string[]): TableFigure => ({
    ...table,
    rows: names.map((text) => [{ text }, ...table.rows[0]!.slice(1)]),
  });
  const firsts = (figure: TableFigure, width: number) => {
    const { head, body } = drawFigure(figure, { width, ascii: false });
    return [head.at(-2)!, ...body].map((line) => lineText(line).slice(2).split("  ")[0]!.trim());
  };

  test("are cut in their middle, where they differ least", () => {
    expect(firsts(named(["llama-3.1-70b-instruct-a", "mistral-7b-instruct-b"]), 54)).toEqual([
      "Run",
      "llama-…uct-a",
      "mistra…uct-b",
    ]);
  });

  test("have what they begin with alike in the title, if there is no room for it in each line", () => {
    const figure = named(["lab/meta/llama-3.1-70b", "lab/meta/llama-3.1-8b"]);
    expect(firsts(figure, 200)).toEqual(["Run", "lab/meta/llama-3.1-70b", "lab/meta/llama-3.1-8b"]);
    expect(firsts(figure, 60)).toEqual(["Run lab/meta/…", "llama-3.1-70b", "llama-3.1-8b"]);
    // Something is left of each name, and a name alone is left whole.
    expect(firsts(named(["lab/", "lab/llama-3.1-8b"]), 60)[0]).toBe("Run");
    expect(firsts(named(["lab/meta/llama-3.1-8b"]), 60)[0]).toBe("Run");
  });
});

describe("drawn in a terminal", () => {
  test("heads lie over their columns, best and second best are marked, intervals stand beside the values", () => {
    expect(lines(100)).toEqual([
      "          single ────────────────────  several of them all",
      "  Run                   Succ       F1                 Succ  n",
      "  ───────────────────────────────────────────────────────────",
      "  mine    33.33_ [6.1, 79.2]   50.00*     0.00 [0.0, 50.0]  3",
      "  GPT-4†             40.00*†  45.00_†                   -†",
    ]);
    const styles = drawFigure(table, { width: 100, ascii: false }).body[0]!.map(({ style }) => style);
    expect(styles.filter((style) => style === "strong" || style === "underlined")).toEqual(["underlined", "strong"]);
  });

  test("where there is no room for all intervals there are none, and the value under the cursor has its own", () => {
    const narrow = lines(50);
    expect(narrow[3]).toBe("  mine     33.33_   50.00*                 0.00  3");
    expect(narrow.at(-1)).toBe("  No room for intervals: they stand with the value under the cursor");
    expect(figureStops(table)[0]![1]).toMatchObject({
      label: "mine, single Succ",
      cell: { note: "95 % interval 6.1 to 79.2" },
    });
  });

  test("its marks are explained below", () => {
    expect(figureNotes(table, 100, false).map(lineText)).toEqual([
      "  • values in %",
      "  • † reported by the paper, not from these runs",
      "  • * best, _ second best of its column, on the same tasks",
      "  • [a, b]: 95 % interval",
    ]);
  });
});

test("as plain text all intervals are there, on further pages where the lines are too short", () => {
  const text = figureText(table, { width: 50, ascii: true });
  expect(text).toContain("33.33_ [6.1, 79.2]");
  expect(text).toContain("0.00 [0.0, 50.0]");
});

describe("exported", () => {
  test("as Markdown the best is bold, the second underlined, and columns have their whole names", () => {
    const [, , head, , mine, paper] = exportFigure(table, "md").split("\n");
    expect(head).toBe("| Run | single Succ | single F1 | several of them all Succ | n |");
    expect(mine).toBe("| mine | <u>33.33</u> \\[6.1, 79.2\\] | **50.00** | 0.00 \\[0.0, 50.0\\] | 3 |");
    expect(paper).toBe("| GPT-4 † | **40.00** † | <u>45.00</u> † | - † |  |");
  });

  test("as HTML heads span their columns", () => {
    const html = exportFigure(table, "html");
    expect(html).toContain('<th colspan="2">single</th>');
    expect(html).toContain("<strong>50.00</strong>");
    expect(html).toContain("<u>33.33</u> [6.1, 79.2]");
  });

  test("as LaTeX too", () => {
    const tex = exportFigure(table, "tex");
    expect(tex).toContain("\\multicolumn{2}{c}{single} & \\multicolumn{1}{c}{several of them all}");
    expect(tex).toContain("\\cmidrule(lr){2-3} \\cmidrule(lr){4-4}");
    expect(tex).toContain("mine & \\underline{33.33} [6.1, 79.2] & \\textbf{50.00}");
  });

  test("as CSV the ends of intervals are numbers in columns of their own", () => {
    expect(exportFigure(table, "csv").split("\r\n").slice(0, 2)).toEqual([
      "Run,single Succ,single Succ low,single Succ high,single F1,several of them all Succ,several of them all Succ low,several of them all Succ high,n",
      `mine,${1 / 3},0.061,0.792,0.5,0,0,0.5,3`,
    ]);
  });

  test("as SVG heads stand over a line, the best is bold and the second underlined", () => {
    const svg = exportFigure(table, "svg");
    expect(svg).toContain(">several of them all</text>");
    expect(svg).toMatch(/font-weight="bold">50\.00<\/text>/);
    expect(svg).toMatch(/text-decoration="underline">33\.33 \[6\.1, 79\.2\]<\/text>/);
  });
});
