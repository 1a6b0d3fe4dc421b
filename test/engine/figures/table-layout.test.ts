import { describe, expect, test } from "vitest";
import type { Figure, TableFigure } from "../../../source/engine/figure.ts";
import { columnHeads, columnName } from "../../../source/engine/figures/column-heads.ts";
import { drawFigure, figureNotes, rowSpan } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { exportFigure } from "./exported-figure.ts";
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

test("columns that share a title have a common head on each level", () => {
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

describe("names that are too long for their column", () => {
  const named = (names: readonly string[]): TableFigure => ({
    ...table,
    rows: names.map((text) => [{ text }, ...table.rows[0]!.slice(1)]),
  });
  const firsts = (figure: TableFigure, width: number) => {
    const { head, body } = drawFigure(figure, { width, ascii: false });
    return [head.at(-2)!, ...body].map((line) => lineText(line).slice(2).split("  ")[0]!.trim());
  };

  test("are truncated in the middle, in the part that differs least", () => {
    expect(firsts(named(["llama-3.1-70b-instruct-a", "mistral-7b-instruct-b"]), 54)).toEqual([
      "Run",
      "llama-…uct-a",
      "mistra…uct-b",
    ]);
  });

  test("show their common beginning in the title if a row has no room for it", () => {
    const figure = named(["lab/meta/llama-3.1-70b", "lab/meta/llama-3.1-8b"]);
    expect(firsts(figure, 200)).toEqual(["Run", "lab/meta/llama-3.1-70b", "lab/meta/llama-3.1-8b"]);
    expect(firsts(figure, 60)).toEqual(["Run lab/meta/…", "llama-3.1-70b", "llama-3.1-8b"]);
    // Each name keeps a part, and a single name stays whole.
    expect(firsts(named(["lab/", "lab/llama-3.1-8b"]), 60)[0]).toBe("Run");
    expect(firsts(named(["lab/meta/llama-3.1-8b"]), 60)[0]).toBe("Run");
  });
});

describe("a table drawn in a terminal", () => {
  test("has heads over their columns, marks for best and second best, and intervals next to the values", () => {
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

  test("omits all intervals if there is no room, except the interval of the value at the cursor", () => {
    const narrow = lines(50);
    expect(narrow[3]).toBe("  mine     33.33_   50.00*                 0.00  3");
    expect(narrow.at(-1)).toBe("  No room for intervals; the value under the cursor shows its interval");
    expect(prepared(table).stops.row(0)[1]).toMatchObject({
      label: "mine, single Succ",
      cell: { note: "95 % interval 6.1 to 79.2" },
    });
  });

  test("puts intervals on a line below the values on request if there is no room next to the values", () => {
    const options = { width: 60, ascii: false, intervals: "below" } as const;
    const { head, body, foot, starts } = drawFigure(table, options);
    expect([...head, ...body, ...foot].map((line) => lineText(line).trimEnd())).toEqual([
      "          single ─────────  several of them all",
      "  Run        Succ       F1                 Succ  n",
      "  ────────────────────────────────────────────────",
      "  mine     33.33_   50.00*                 0.00  3",
      "             6–79                          0–50",
      "  GPT-4†  40.00*†  45.00_†                   -†",
      "  a–b below a value: its 95 % interval, rounded; i hides them",
    ]);
    expect(starts).toEqual([0, 2]);
    expect([0, 1].map((row) => rowSpan(table, row, body.length, starts))).toEqual([
      { from: 0, lines: 2 },
      { from: 2, lines: 1 },
    ]);
    expect(drawFigure(table, { ...options, width: 100 }).starts).toBeUndefined();
  });

  test("neither shows nor mentions intervals that are hidden", () => {
    const { body, foot } = drawFigure(table, { width: 100, ascii: false, intervals: false });
    expect(lineText(body[0]!)).not.toContain("[");
    expect(foot).toEqual([]);
  });

  test("explains its marks below the rows", () => {
    expect(figureNotes(table, 100, false).map(lineText)).toEqual([
      "  • values in %",
      "  • † reported by the paper, not from these runs",
      "  • * best, _ second best of its column: among runs on the same tasks, and among reported values",
      "  • [a, b]: 95 % interval",
    ]);
  });
});

test("plain text has all intervals, and continues on further pages if the lines are too short", () => {
  const text = figureText(table, { width: 50, ascii: true });
  expect(text).toContain("33.33_ [6.1, 79.2]");
  expect(text).toContain("0.00 [0.0, 50.0]");
});

describe("an exported table", () => {
  test("shows the best value in bold, the second best underlined, and whole column names in Markdown", () => {
    const [, , head, , mine, paper] = exportFigure(table, "md").split("\n");
    expect(head).toBe("| Run | single Succ | single F1 | several of them all Succ | n |");
    expect(mine).toBe("| mine | <u>33.33</u> \\[6.1, 79.2\\] | **50.00** | 0.00 \\[0.0, 50.0\\] | 3 |");
    expect(paper).toBe("| GPT-4 † | **40.00** † | <u>45.00</u> † | - † |  |");
  });

  test("has heads that span their columns in HTML", () => {
    const html = exportFigure(table, "html");
    expect(html).toContain('<th colspan="2">single</th>');
    expect(html).toContain("<strong>50.00</strong>");
    expect(html).toContain("<u>33.33</u> [6.1, 79.2]");
  });

  test("has heads that span their columns in LaTeX", () => {
    const tex = exportFigure(table, "tex", [], undefined, true);
    expect(tex).toContain("\\multicolumn{2}{c}{single} & \\multicolumn{1}{c}{several of them all}");
    expect(tex).toContain("\\cmidrule(lr){2-3} \\cmidrule(lr){4-4}");
    expect(tex).toContain("mine & \\underline{33.33} [6.1, 79.2] & \\textbf{50.00}");
  });

  test("writes the ends of intervals as numbers into their own columns in CSV", () => {
    expect(exportFigure(table, "csv").split("\r\n").slice(0, 2)).toEqual([
      "Run,single Succ,single Succ low,single Succ high,single F1,several of them all Succ,several of them all Succ low,several of them all Succ high,n",
      `mine,${1 / 3},0.061,0.792,0.5,0,0,0.5,3`,
    ]);
  });

  test("has heads over a rule, the best value in bold and the second best underlined in SVG", () => {
    const svg = exportFigure(table, "svg");
    expect(svg).toContain(">several of them all</text>");
    expect(svg).toMatch(/font-weight="bold">50\.00<\/text>/);
    expect(svg).toMatch(/text-decoration="underline">33\.33<\/text><text [^>]*>\[6\.1, 79\.2\]<\/text>/);
  });
});

describe("a table in a narrow window", () => {
  const share = (value: number) => ({ text: (value * 100).toFixed(2), value, n: 40 });
  const models = ["lab/llama-3.1-8b-instruct-fp8", "lab/llama-3.1-70b-instruct-fp8", "lab/llama-3.1-405b-instruct-fp8"];
  const measures = ["Succ", "F1 app", "F1 API", "EM app", "EM API", "Argument EM"];
  const wide: TableFigure = {
    kind: "table",
    title: "T",
    notes: [],
    columns: [
      { title: "model", align: "left" },
      { title: "prompting", align: "left" },
      ...measures.map((title) => ({ title, align: "right" as const })),
      { title: "n", align: "right" },
    ],
    rows: models.map((text, row) => [
      { text },
      { text: row === 0 ? "hierarchical, apps chosen first" : "hierarchical, apps chosen last" },
      ...measures.map((_, column) => share((row + column) / 10)),
      { text: "40", value: 40 },
    ]),
  };
  const drawnAt = (columns: number, column?: number) => {
    const at = column === undefined ? {} : { at: { row: 0, column } };
    const { head, body, foot } = drawFigure(wide, { width: columns, ascii: false, ...at });
    return [...head, ...body, ...foot].map(lineText);
  };

  test("never cuts the text that distinguishes rows, at any width", () => {
    for (let columns = 30; columns <= 120; columns++) {
      const [head, , ...rows] = drawnAt(columns);
      const names = rows.slice(0, 3).map((row) => row.slice(2).split("  ")[0]);
      expect(new Set(names).size, `${columns} columns: ${names.join(" | ")}`).toBe(3);
      if (head!.includes("prompting")) expect(rows[0]!.includes("first") || rows[0]!.includes("rst")).toBe(true);
    }
  });

  test("always shows n, and keeps the first column fixed while others scroll sideways", () => {
    for (let column = 0; column < wide.columns.length; column++) {
      const [head, , first] = drawnAt(60, column);
      expect(head).toMatch(/^ +model lab\/….* n$/);
      expect(first).toMatch(/[ ▸]40$/);
      expect(first).toContain("▸");
    }
    expect(drawnAt(60, 7).join("\n")).not.toContain("Succ");
    expect(drawnAt(60, 8)[0]).toMatch(/Argument EM +n$/);
    expect(drawnAt(60).at(-1)).toMatch(/… \d more columns/);
  });

  test("shows bars with distinguishable names, and the common part of the names above the bars", () => {
    const bars: Figure = {
      kind: "bars",
      title: "B",
      notes: [],
      unit: "",
      bars: models.map((label, row) => ({ label, cell: share((row + 1) / 10) })),
    };
    for (const columns of [40, 60, 80]) {
      const { head, body } = drawFigure(bars, { width: columns, ascii: false });
      const names = body.map((line) => lineText(line).slice(2).split("│")[0]!.trimEnd());
      expect(new Set(names).size).toBe(3);
      for (const line of body) expect(lineText(line)).toMatch(/ n 40$/);
      if (head.length > 0) expect(head.map(lineText)).toEqual(["  lab/…"]);
    }
  });
});

describe("a table too wide for its window", () => {
  const cell = (text: string) => ({ text });
  const wide: TableFigure = {
    kind: "table",
    title: "Scores by level",
    columns: [
      ...["Run", "Level", "Strategy"].map((title) => ({ title, align: "left" as const })),
      ...["Success", "Requests", "Tokens in", "Tokens out"].map((title) => ({ title, align: "right" as const })),
      { title: "tasks", align: "right" },
    ],
    rows: ["mine", "theirs"].flatMap((run) =>
      ["easy", "hard"].map((level) => [run, level, "react", "50.00", "2", "3000", "41", "10"].map(cell)),
    ),
    notes: [],
  };
  const texts = (figure: TableFigure, width: number, column: number) => {
    const { head, body } = drawFigure(figure, { width, ascii: false, at: { row: 1, column } });
    return [head[0]!, body[1]!].map((line) => lineText(line).replaceAll(/[ ▸]+/g, " ").trim());
  };

  test("keeps every column needed to distinguish rows, and the number of tasks of each row", () => {
    expect(texts(wide, 46, 0)).toEqual(["Run Level Strategy Success tasks", "mine hard react 50.00 10"]);
    expect(texts(wide, 40, 6)).toEqual(["Run Level Tokens out tasks", "mine hard 41 10"]);
    // The first column is alone when no number has room beside it.
    expect(texts(wide, 30, 6)).toEqual(["Run Tokens out tasks", "mine 41 10"]);
  });

  test("shows all heads of the value at the cursor", () => {
    const labels = prepared(wide).stops.row(1);
    expect(labels.map(({ label }) => label).slice(0, 4)).toEqual([
      "Run",
      "mine, Level",
      "mine, hard, Strategy",
      "mine, hard, Success",
    ]);
    const bare: TableFigure = { ...wide, columns: [{ title: "", align: "left" }, ...wide.columns.slice(1)] };
    expect(prepared(bare).stops.row(0)[0]).toMatchObject({ label: "", cell: { text: "mine" } });
  });

  test("cuts long titles in their middle before it omits a column", () => {
    const runs = ["builtin/slips?rate=0.2, hierarchical, 0 shots", "builtin/slips?rate=0.2, hierarchical, 3 shots"];
    const compared: TableFigure = {
      ...wide,
      columns: [
        { title: "Level", align: "left" },
        ...[...runs, "gap", "n"].map((title) => ({ title, align: "right" as const })),
      ],
      rows: ["all", "easy"].map((level) => [level, "50.00", "75.00", "+25.00", "4"].map(cell)),
    };
    expect(texts(compared, 60, 0)).toEqual([
      "Level builtin…0 shots builtin/sli…al, 3 shots gap n",
      "easy 50.00 75.00 +25.00 4",
    ]);
    expect(texts(compared, 120, 0)[0]).toBe(`Level ${runs.join(" ")} gap n`);
  });
});
