import { describe, expect, test } from "vitest";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { exportFigure } from "./exported-figure.ts";

const narrow: TableFigure = {
  kind: "table",
  title: "Tasks",
  columns: [
    { title: "Task", align: "left" },
    { title: "n", align: "right" },
  ],
  rows: [[{ text: "ss-001" }, { text: "3", value: 3 }]],
  notes: [],
};
const tex = (figure: TableFigure) => exportFigure(figure, "tex");
const withQuestion = (text: string): TableFigure => ({
  ...narrow,
  columns: [...narrow.columns, { title: "Question", align: "left" }],
  rows: [[...narrow.rows[0]!, { text }]],
});

test("a narrow table needs no LaTeX package but booktabs", () => {
  expect(tex(narrow)).toContain("% \\usepackage{booktabs}\n\\begin{table}\n");
  expect(tex(narrow)).not.toContain("resizebox");
});

test("a table wider than a line has a smaller font, and spans both columns of a page", () => {
  const cells = ["a name of a run that takes half a line", "31.20 [24.9, 38.3]", "41.20 [34.9, 48.3]", "1", "2"];
  const wide: TableFigure = {
    ...narrow,
    columns: cells.map((text, index) => ({ title: text.slice(0, 4), align: index === 0 ? "left" : "right" })),
    rows: [cells.map((text) => ({ text }))],
  };
  expect(tex(wide)).toContain("% \\usepackage{booktabs, graphicx}\n\\begin{table*}");
  expect(tex(wide)).toContain("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%");
  expect(tex(wide)).toContain("\\end{tabular}}");
});

test("long texts are set as paragraphs, which may break within words", () => {
  const paragraphs = tex(withQuestion(`called ${'{"amount":40,"from":"SUN"}'.repeat(3)}`));
  expect(paragraphs).toContain("% \\usepackage{booktabs, array");
  expect(paragraphs).toMatch(/\{(@\{\})?lr>\{\\raggedright\\arraybackslash\}p\{0\.\d\d\\linewidth\}/);
  expect(paragraphs).toContain('called \\{"amount":\\allowbreak{}40,\\allowbreak{}"from":\\allowbreak{}"SUN"\\}');
});

test("titles longer than their columns are folded", () => {
  const titled = { ...narrow, columns: [narrow.columns[0]!, { title: "a run, hierarchical & flat", align: "right" }] };
  expect(tex(titled as TableFigure)).toContain("Task & \\shortstack[r]{a run,\\\\hierarchical \\&\\\\flat} \\\\");
});

describe("a table longer than a page", () => {
  const rows = Array.from({ length: 46 }, () => narrow.rows[0]!);

  test("continues on the next page with its head", () => {
    const long = tex({ ...narrow, rows });
    expect(long).toContain("% \\usepackage{booktabs, longtable}\n{\\footnotesize");
    expect(long).toContain("\\begin{longtable}{lr}\n    \\caption{Tasks} \\\\\n    \\toprule");
    expect(long.match(/Task & n/g)).toHaveLength(2);
    expect(long).toContain("    \\endhead\n    \\bottomrule\n    \\endfoot\n");
  });

  test("can have few rows if the texts of its rows are long", () => {
    expect(tex(withQuestion("Book a table for two. ".repeat(130)))).toContain("\\begin{longtable}");
    expect(tex(withQuestion("Book a table for two. ".repeat(13)))).not.toContain("longtable");
  });
});

test("intervals and the note on intervals are in LaTeX only on request", () => {
  const rows = [[{ text: "a" }, { text: "31.20", value: 0.312, low: 0.249, high: 0.383 }]];
  const figure: TableFigure = { ...narrow, rows };
  expect(tex(figure)).toContain("    a & 31.20 \\\\");
  expect(tex(figure)).not.toContain("[");
  const ended = exportFigure(figure, "tex", [], undefined, true);
  expect(ended).toContain("    a & 31.20 [24.9, 38.3] \\\\");
  expect(ended).toContain("    \\item {}[a, b]: 95 % interval".replace("%", "\\%"));
});

test("notes and warnings are printed below the table at its width, and a table without notes needs no package for them", () => {
  const noted = exportFigure({ ...narrow, notes: ["[1] is no argument & 5 %"] }, "tex", ["Sample data"]);
  expect(noted).toContain("% \\usepackage{booktabs, threeparttable}\n");
  const below = noted.slice(noted.indexOf("\\end{tabular}"));
  expect(below).toContain("    \\item Sample data\n    \\item {}[1] is no argument \\& 5 \\%\n  \\end{tablenotes}\n");
  expect(below).toContain("  \\end{threeparttable}\n\\end{table}\n");
  expect(tex(narrow)).not.toContain("threeparttable");
});

test("notes of a table that is shrunk to the text width are no wider than the shrunk table", () => {
  const title = "A long title of a column";
  const columns = [narrow.columns[0]!, ...Array.from({ length: 8 }, () => ({ title, align: "right" as const }))];
  const rows = [[{ text: "a" }, ...columns.slice(1).map(() => ({ text: "31.20", value: 0.312 }))]];
  const wide = exportFigure({ ...narrow, columns, rows }, "tex", ["Sample data"]);
  expect(wide).toContain("\\begin{table*}");
  const before = wide.slice(wide.indexOf("\\end{tabular}}"), wide.indexOf("\\begin{tablenotes}"));
  expect(before).toContain("\\ifdim\\hsize>\\textwidth\\hsize\\textwidth\\linewidth\\hsize\\fi}\\fi\n");
  expect(exportFigure(narrow, "tex", ["Sample data"])).not.toContain("TPT@hsize");
});

test("notes of a table longer than a page follow the table as paragraphs", () => {
  const long = exportFigure({ ...narrow, rows: Array.from({ length: 46 }, () => narrow.rows[0]!) }, "tex", ["A_B"]);
  expect(long).toContain("\\end{longtable}\n\\par\\noindent A\\_\\allowbreak{}B\n\\par\n}\n");
  expect(long).not.toContain("threeparttable");
});
