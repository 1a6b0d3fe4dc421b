import { describe, expect, test } from "vitest";
import { exportFigure } from "./exported-figure.ts";
import { exportedNotes, textFormats } from "../../../source/engine/figures/export-figure.ts";
import type {
  BarsFigure,
  Figure,
  GridFigure,
  LinesFigure,
  PointsFigure,
  TableFigure,
} from "../../../source/engine/figure.ts";
import { boundsColumn, tableColumns } from "../../../source/engine/figure.ts";
import { printable } from "../../../source/engine/text/printable.ts";

const hostile = `</text><script>alert("1")</script> & 'x' ]]> \u001b[31m \u0000 \ud800 \uffff`;
const table: TableFigure = {
  kind: "table",
  title: "Scores",
  columns: [
    { title: "Run", align: "left" },
    { title: "Succ", align: "right" },
  ],
  rows: [
    [{ text: "mine" }, { text: "33.33", value: 1 / 3, n: 3 }],
    [
      { text: "GPT-4", reported: true },
      { text: "50.00", value: 0.5, reported: true },
    ],
    [{ text: 'a, "b"\nc' }, { text: "-4.00", value: -0.04, faint: true }],
  ],
  notes: ["n is tasks"],
};
const grid: GridFigure = {
  kind: "grid",
  title: "By scale",
  x: { label: "long", ticks: ["1", "2"] },
  y: { label: "wide", ticks: ["1", "3"] },
  cells: [
    [{ text: "100.00", value: 1, n: 12 }, undefined],
    [
      { text: "-", n: 0, faint: true },
      { text: "66.67", value: 2 / 3, n: 3, faint: true },
    ],
  ],
  range: [0, 1],
  notes: [],
};
const bars: BarsFigure = {
  kind: "bars",
  title: "Kinds",
  unit: "% of tasks",
  bars: [
    { label: "key", cell: { text: "20.00 %", value: 0.2, n: 10 }, low: 0.05, high: 0.5098765432 },
    { label: "fell", cell: { text: "-1", value: -1 } },
    { label: "none", cell: { text: "-" } },
  ],
  notes: [],
};
const lines: LinesFigure = {
  kind: "lines",
  title: "Shots",
  x: "shots",
  y: "Succ",
  series: [
    {
      label: "small",
      points: [
        { x: 0, cell: { text: "10.00", value: 0.1, n: 10 }, low: 0.05, high: 0.15 },
        { x: 3, cell: { text: "-", n: 0 } },
      ],
    },
    { label: "nothing", points: [] },
  ],
  notes: [],
};
const points: PointsFigure = {
  kind: "points",
  title: "Map",
  x: "first",
  y: "second",
  points: [
    { x: -1.5, y: 2, group: "travel", label: "flights" },
    { x: 1 / 3, y: -2, group: "food", label: "menus" },
  ],
  notes: [],
};
const nothing: readonly Figure[] = [
  { ...table, rows: [], columns: [] },
  { ...grid, cells: [], x: { label: "", ticks: [] }, y: { label: "", ticks: [] } },
  { ...bars, bars: [] },
  { ...lines, series: [] },
  { ...points, points: [] },
];
const figures: readonly Figure[] = [table, grid, bars, lines, points];

/** The figure with hostile words in every text that a model, a data set or a session can write. */
function spoiled(figure: Figure, words = hostile): Figure {
  const text = JSON.stringify(figure);
  const named = [
    "mine",
    "key",
    "small",
    "travel",
    "flights",
    "Scores",
    "By scale",
    "Kinds",
    "Shots",
    "Map",
    "wide",
    "% of tasks",
  ];
  const replaced = named.reduce((all, word) => all.replaceAll(JSON.stringify(word), JSON.stringify(words)), text);
  const parsed = { ...(JSON.parse(replaced) as Figure), notes: [words] };
  if (parsed.kind !== "grid") return parsed;
  return { ...parsed, cells: parsed.cells.map((row) => row.map((cell) => cell ?? undefined)) };
}

describe("CSV", () => {
  test("has full precision and RFC 4180 quotes, and no text outside the table", () => {
    expect(exportFigure(table, "csv", ["builtin/oracle reads the answer key"])).toBe(
      'Run,Succ,Succ n\r\nmine,0.3333333333333333,3\r\nGPT-4,0.5,\r\n"a, ""b""\nc",-0.04,\r\n',
    );
  });

  test("puts warnings and notes into a second file, one per line", () => {
    expect(exportedNotes({ ...table, notes: ["of two\nlines"] }, ["builtin/oracle reads the answer key"])).toBe(
      "builtin/oracle reads the answer key\nof two lines\nshares are fractions from 0 to 1\nn: 3 for each value\n\u2020 reported by the paper\n~ based on few tasks\n",
    );
    expect(exportedNotes({ ...table, rows: [], notes: [] }, [])).toBeUndefined();
  });

  test.each([
    ["=1+1", "'=1+1"],
    ["+49 30 1", "'+49 30 1"],
    ["-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["-12.5", "-12.5"],
    ["-", "-"],
    ["+1e-3", "+1e-3"],
    ['="a",b', '"\'=""a"",b"'],
  ])("contains no spreadsheet formula: %j", (text, written) => {
    const one: TableFigure = { ...table, columns: [{ title: "x", align: "left" }], rows: [[{ text }]] };
    expect(exportFigure(one, "csv")).toBe(`x\r\n${written}\r\n`);
  });

  test("writes shares and the ends of their intervals as fractions, whereas Markdown shows percent", () => {
    const bar = { label: "a", cell: { text: "6.25 %", value: 0.0625, n: 16 }, low: 0.0112, high: 0.2833 };
    const shares: BarsFigure = { kind: "bars", title: "Mistakes", unit: "% of tasks", bars: [bar], notes: [] };
    expect(exportFigure(shares, "md")).toContain("| a | 6.25 % | 1.12 % | 28.33 % | 16 |");
    expect(exportFigure(shares, "csv")).toBe(",share of tasks,low,high,n\r\na,0.0625,0.0112,0.2833,16\r\n");
  });

  test("has the ends of intervals in two numeric columns after the values, and counts in place of `1 of 10`", () => {
    const few = { rests: { scored: 1, unscored: 2, failed: 7 } };
    const tested: TableFigure = {
      kind: "table",
      title: "Pairs",
      columns: tableColumns(["Of"], ["gap", boundsColumn("gap"), "p", "Mean"]),
      rows: [
        [
          { text: "a" },
          { text: "+5.00", value: 0.05 },
          { text: "[-1.00, 11.00]", low: -0.01, high: 0.11 },
          { text: "-" },
          { text: "50.00", value: 0.5, low: 0.2, high: 0.8, ...few },
        ],
        [{ text: "b" }, { text: "-" }, { text: "-" }, { text: "<0.0001", value: 2e-5 }, { text: "lost" }],
      ],
      notes: [],
    };
    expect(exportFigure(tested, "csv")).toBe(
      "Of,gap,gap low,gap high,p,Mean,Mean scored,Mean ended,Mean low,Mean high\r\na,0.05,-0.01,0.11,,0.5,1,10,0.2,0.8\r\nb,,,,0.00002,,,,,\r\n",
    );
    expect(exportFigure(tested, "md")).toContain("| a | +5.00 | \\[-1.00, 11.00\\] | - | 50.00 (1 of 10)");
  });

  test("has two numeric columns for a range that has no value between its ends", () => {
    const range = (low: number, high: number) => ({ text: `${low}-${high}`, low, high });
    const columns = [
      { title: "Level", align: "left" as const },
      { title: "range", align: "right" as const, under: ["Tokens"] },
    ];
    const rows = [
      [{ text: "easy" }, range(33, 203)],
      [{ text: "hard" }, { text: "" }],
    ];
    const csv = exportFigure({ kind: "table", title: "Sizes", columns, rows, notes: [] }, "csv");
    expect(csv.split("\r\n")).toEqual(["Level,Tokens range low,Tokens range high", "easy,33,203", "hard,,", ""]);
  });

  test("keeps the denominators of a grid and the intervals of bars, lines and points", () => {
    expect(exportFigure(grid, "csv")).toBe(
      'wide \\ long,1,2,"n, 1","n, 2"\r\n1,1,,12,\r\n3,,0.6666666666666666,0,3\r\n',
    );
    expect(exportFigure(bars, "csv")).toBe(
      ",share of tasks,low,high,n\r\nkey,0.2,0.05,0.5098765432,10\r\nfell,-1,,,\r\nnone,,,,\r\n",
    );
    expect(exportFigure(lines, "csv")).toBe(",shots,Succ,low,high,n\r\nsmall,0,0.1,0.05,0.15,10\r\nsmall,3,,,,0\r\n");
    expect(exportFigure(points, "csv")).toBe(
      "group,,first,second\r\ntravel,flights,-1.5,2\r\nfood,menus,0.3333333333333333,-2\r\n",
    );
  });
});

describe("JSON", () => {
  test.each(figures)(
    "contains the figure itself with its warnings, under the documented field names: $kind",
    (figure) => {
      expect(JSON.parse(exportFigure(figure, "json", ["w"]))).toEqual({
        warnings: ["w"],
        ...JSON.parse(JSON.stringify(figure).replaceAll('"reported":', '"printed":')),
      });
    },
  );
});

describe("Markdown", () => {
  test("is a table with marks for reported values and for values of few tasks, and notes below", () => {
    expect(exportFigure(table, "md", ["careful"])).toBe(
      [
        "**Scores**",
        "",
        "| Run | Succ |",
        "| :-- | --: |",
        "| mine | 33.33 |",
        "| GPT-4 † | 50.00 † |",
        '| a, "b" c | ~-4.00 |',
        "",
        "- careful",
        "- n is tasks",
        "- values in %",
        "- n: 3 for each value",
        "- † reported by the paper",
        "- ~ based on few tasks",
        "",
      ].join("\n"),
    );
  });

  test("escapes a label, so that it makes no HTML, no link and no further column", () => {
    const text = "a|b \\| <img src=x> [x](javascript:1) `c` *d* &lt;\u001b[2J";
    const one: TableFigure = { ...table, columns: [{ title: "x", align: "left" }], rows: [[{ text }]] };
    const line = exportFigure(one, "md").split("\n")[4];
    expect(line).toBe("| a\\|b \\\\\\| \\<img src=x> \\[x\\](javascript:1) \\`c\\` \\*d\\* &amp;lt;␛\\[2J |");
  });
});

describe("the range of the numbers of tasks behind a table's values", () => {
  const value = (n: number) => ({ text: "50.00", value: 0.5, n });
  const printed = { text: "70.00", value: 0.7, n: 500, reported: true };
  const of = (...rows: TableFigure["rows"]) => exportFigure({ ...table, notes: [], rows }, "md");

  test("is given below the table, from lowest to highest, without the paper's values", () => {
    expect(of([{ text: "a" }, value(8)], [{ text: "b" }, value(45)], [{ text: "c" }, printed])).toContain(
      "- n: 8 to 45 for each value\n",
    );
    expect(of([{ text: "a" }, value(8)], [{ text: "b" }, value(8)])).toContain("- n: 8 for each value\n");
    expect(of([{ text: "c" }, printed])).not.toContain("- n:");
  });

  test("is omitted if a column or row contains the numbers of tasks", () => {
    expect(of([{ text: "a" }, value(8)], [{ text: "n" }, { text: "8", value: 8 }])).not.toContain("- n:");
    const columns = table.columns.map((column, at) => (at === 1 ? { ...column, title: "n" } : column));
    expect(exportFigure({ ...table, columns, notes: [] }, "md")).not.toContain("- n:");
  });
});

describe("LaTeX", () => {
  test("escapes every character special to TeX", () => {
    const text = "100 % & $x_1$ #2 {a} \\input{/etc/passwd} ~^ <|> †\nnext";
    const one: TableFigure = { ...table, columns: [{ title: "x", align: "right" }], rows: [[{ text }]] };
    const tex = exportFigure(one, "tex", ["50 %\n\\input{x}"]);
    expect(tex).toContain(
      "    100 \\% \\& \\$x\\_1\\$ \\#2 \\{a\\} \\textbackslash{}input\\{/etc/passwd\\} \\textasciitilde{}\\textasciicircum{} \\textless{}\\textbar{}\\textgreater{} $^{\\dagger}$ next \\\\\n",
    );
    expect(tex).toContain("    \\item 50 \\% \\textbackslash{}input\\{x\\}\n");
  });

  test("writes letters in place of invisible characters, because the fonts of TeX have no signs for them", () => {
    const cells = ["\u001b[31mred", "left \u202eright", "lone \ud800"].map((text) => [{ text }]);
    const one: TableFigure = { ...table, columns: [{ title: "x", align: "left" }], rows: cells };
    const lines = exportFigure(one, "tex").split("\n");
    expect(lines.slice(lines.indexOf("    \\midrule") + 1, lines.indexOf("    \\bottomrule"))).toEqual([
      "    \\textasciicircum{}[31mred \\\\",
      "    left ?right \\\\",
      "    lone ? \\\\",
    ]);
  });

  test("is a table for the package booktabs", () => {
    expect(exportFigure(table, "tex").split("\n")).toEqual([
      "% \\usepackage{booktabs, threeparttable}",
      "\\begin{table}",
      "  \\centering",
      "  \\caption{Scores (values in \\%)}",
      expect.stringMatching(/^ {2}\\ifcsname threeparttable\\endcsname/),
      "  \\begin{threeparttable}",
      "  \\begin{tabular}{lr}",
      "    \\toprule",
      "    Run & Succ \\\\",
      "    \\midrule",
      "    mine & 33.33 \\\\",
      "    GPT-4 $^{\\dagger}$ & 50.00 \\\\",
      '    a, "b" c & \\textasciitilde{}-4.00 \\\\',
      "    \\bottomrule",
      "  \\end{tabular}",
      "  \\begin{tablenotes}[flushleft]",
      "    \\footnotesize",
      "    \\item n is tasks",
      "    \\item n: 3 for each value",
      "    \\item $^{\\dagger}$ reported by the paper",
      "    \\item \\textasciitilde{} based on few tasks",
      "  \\end{tablenotes}",
      "  \\end{threeparttable}",
      "\\end{table}",
      "",
    ]);
  });
});

describe("a wide table in LaTeX", () => {
  const columns = Array.from({ length: 9 }, () => ({ title: "x", align: "right" as const }));
  const rows = [
    columns.map(() => ({ text: "[1]" })),
    columns.map((_, index) => (index === 0 ? { text: "*" } : { text: "1", reported: index > 1 })),
  ];

  test("has a small font, and spans both columns of a page", () => {
    const lines = exportFigure({ ...table, columns, rows }, "tex").split("\n");
    expect(lines.filter((line) => line.includes("table*") || /footnotesize|tabcolsep/.test(line))).toEqual([
      "\\begin{table*}",
      "  \\footnotesize",
      "  \\setlength{\\tabcolsep}{3pt}",
      "\\end{table*}",
    ]);
  });

  test("starts no row with text that TeX would join to the previous row, and marks single cells if only some are reported", () => {
    const tex = exportFigure({ ...table, columns, rows }, "tex");
    expect(tex).toContain("    {}[1] & [1]");
    expect(tex).toContain("    {}* & 1 & 1 $^{\\dagger}$");
  });
});

describe.each(["svg", "html"] as const)("%s", (format) => {
  test.each(figures)("is well formed with any labels: $kind", (figure) => {
    for (const each of [figure, spoiled(figure)]) {
      const markup = exportFigure(each, format, [hostile, "careful"]);
      expect(mistakeIn(markup)).toBeUndefined();
      expect(markup).not.toContain("<script");
      expect(markup).toContain("careful");
      expect(markup).not.toMatch(/NaN|Infinity|undefined|width="-/);
    }
  });

  test.each(nothing)("can be drawn without values: $kind", (figure) => {
    const markup = exportFigure(figure, format);
    expect(mistakeIn(markup)).toBeUndefined();
    expect(markup).not.toMatch(/NaN|Infinity|undefined/);
  });
});

/** C0 and C1 controls, marks that reverse text, invisible characters, and real words spelled with them. */
const odd = "\u009b31m \u202eevil\u2066 a\u200bb\ufeff\u2060 \u{e0041} می\u200cخواهم 👩\u200d👩\u200d👧";

/** Vega-Lite has no tables. */
const drawnAs = (format: string) => (format === "vega" ? figures.filter(({ kind }) => kind !== "table") : figures);

test.each(textFormats)(
  "an exported figure shows characters that a terminal would obey or hide, and keeps ordinary words: %s",
  (format) => {
    for (const figure of drawnAs(format)) {
      const text = exportFigure(spoiled(figure, odd), format, [odd]);
      const lines = text.split(/\r?\n/);
      expect(lines.map(printable)).toEqual(lines);
      if (format === "vega")
        expect((JSON.parse(text) as { title: { text: string } }).title.text).toContain(
          "می\u200cخواهم 👩\u200d👩\u200d👧",
        );
      else if (format !== "json") expect(text).toContain("می\u200cخواهم 👩\u200d👩\u200d👧");
      // Programs read every character.
      else expect((JSON.parse(text) as { warnings: string[] }).warnings).toEqual([odd]);
    }
  },
);

test("an exported map can have 150,000 points", () => {
  const many = Array.from({ length: 150_000 }, (_, index) => ({ x: index, y: -index, group: "g", label: "" }));
  expect(exportFigure({ ...points, points: many }, "svg").length).toBeGreaterThan(1_000_000);
});

test.each(textFormats)("warnings are part of every export: %s", (format) => {
  const written = (figure: Figure) =>
    format === "csv"
      ? exportedNotes(figure, ["reads the answer key"])
      : exportFigure(figure, format, ["reads the answer key"]);
  for (const figure of drawnAs(format)) expect(written(figure)).toContain("reads the answer key");
});

/** Finds faults that an XML parser refuses: tags that do not match, bare `<` and `&`, characters XML does not allow. */
function mistakeIn(markup: string): string | undefined {
  if (!markup.isWellFormed()) return "half a character";
  for (const character of markup) {
    const code = character.codePointAt(0)!;
    if ((code < 32 && ![9, 10, 13].includes(code)) || code === 0xfffe || code === 0xffff) return `character ${code}`;
  }
  const open: string[] = [];
  let roots = 0;
  const text = markup.replace(/^<!doctype html>\n/, "");
  for (let index = 0; index < text.length;) {
    if (text[index] === "&" && !/^&(amp|lt|gt|quot);/.test(text.slice(index, index + 6))) return `bare & at ${index}`;
    if (text[index] !== "<") {
      if (open.length === 0 && text[index]!.trim() !== "") return `text outside at ${index}`;
      index += 1;
      continue;
    }
    const tag = /^<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/.exec(text.slice(index, index + 2000));
    if (tag === null) return `bare < at ${index}: ${text.slice(index, index + 40)}`;
    const [whole, closing, name, attributes, empty] = tag;
    const names = [...attributes!.matchAll(/([\w:-]+)=/g)].map(([, each]) => each);
    if (new Set(names).size < names.length) return `attribute twice in ${whole}`;
    if (closing === "/") {
      if (open.pop() !== name) return `${whole} closes nothing`;
    } else if (empty !== "/") {
      if (open.length === 0) roots += 1;
      open.push(name!);
    }
    index += whole.length;
  }
  if (open.length > 0) return `${open.join(", ")} left open`;
  return roots === 1 ? undefined : `${roots} roots`;
}
