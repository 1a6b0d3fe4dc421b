/** The `difficulty` analysis reproduces the paper's tables in its layout, with the numbers as printed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { difficulty } from "../../../analyses/difficulty.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { exportFigure } from "../../engine/figures/exported-figure.ts";
import { describePublished, sharedJson } from "../../shared.ts";
import { bareRow } from "../../bare-row.ts";
import { emptyRun } from "./sample-rows.ts";

type Printed = Readonly<
  Record<
    "table3" | "table4" | "table5",
    { readonly columns: readonly string[]; readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>> }
  >
>;

const category = "SM";
/** A single task of one category; the other categories are columns nevertheless. */
const row = bareRow("run", "sm-1", {
  facets: { category },
  score: { value: 1, metrics: { "official.total_match": 1 }, checks: [], errors: [] },
});
const measures = ["official.f1-app", "official.f1-api", "official.success"];

async function table(chosen: {
  readonly rows?: readonly string[];
  readonly paper: readonly string[];
}): Promise<TableFigure> {
  const run = { ...emptyRun, label: "mine", rows: [row], reported: await appbench.reported!() };
  const choices = { mode: "official", intervals: "off" };
  const [figure] = difficulty.compute([run], choices, { columns: ["category"], measures, ...chosen });
  return figure as TableFigure;
}

describePublished("AppBench's tables in the paper's layout", () => {
  const printed = sharedJson<Printed>("data", "paper-tables", "appbench.json");
  const valuesOf = (figure: TableFigure, line: number) =>
    figure.rows[line]!.filter((_, column) => figure.columns[column]!.under !== undefined).map(({ text }) =>
      Number(text),
    );

  test("have a row for each model in Table 3, and twelve columns in the paper's order", async () => {
    const figure = await table({ paper: ["Table 3"] });
    const names = figure.columns.flatMap(({ under, title }) =>
      under === undefined ? [] : [`${under.join()}_${title.replace("F1 app", "F1app").replace("F1 API", "F1api")}`],
    );
    expect(names).toEqual(printed.table3.columns);
    const models = Object.entries(printed.table3.rows);
    expect(figure.rows.map(([first]) => first!.text)).toEqual(["mine", ...models.map(([model]) => model)]);
    for (const [index, [, cells]] of models.entries())
      expect(valuesOf(figure, index + 1)).toEqual(printed.table3.columns.map((column) => cells[column]));
  });

  test("have a row for each number of demonstrations in Table 5", async () => {
    const figure = await table({ rows: ["shots"], paper: ["Table 5"] });
    const lines = Object.entries(printed.table5.rows);
    expect(figure.rows.map((line) => line[1]!.text)).toEqual(["0", "0", "3", "4", "5"]);
    for (const [index, [, cells]] of lines.entries())
      expect(valuesOf(figure, index + 1)).toEqual(printed.table5.columns.map((column) => cells[column]));
  });

  test("have shares of arguments in Table 4 as the paper counts them, with caveats", async () => {
    const names = [
      "key-missing-independent",
      "key-missing-dependent",
      "value-mismatch-independent",
      "value-mismatch-dependent",
    ];
    const run = { ...emptyRun, label: "mine", rows: [row], reported: await appbench.reported!() };
    const listed = { rows: ["category"], measures: names.map((name) => `analysis.${name}`), paper: ["Table 4"] };
    const [figure] = difficulty.compute([run], { mode: "official", intervals: "off" }, listed) as TableFigure[];
    const columns = ["key_independent", "key_dependent", "value_independent", "value_dependent"];
    const lines = figure!.rows.filter(([name]) => name!.reported === true);
    expect(
      lines.map((line) =>
        line.slice(2, 6).map(({ value }) => (value === undefined ? null : Math.round(value * 1000) / 10)),
      ),
    ).toEqual(Object.values(printed.table4.rows).map((cells) => columns.map((column) => cells[column])));
    expect(lines[0]![2]!.note).toContain("they can only be shares of tasks");
    expect(figure!.notes.filter((note) => note.includes("they can only be shares of tasks"))).toHaveLength(1);
  });

  test("have the paper's headings in Table 4, with times and places in one cell, which CSV divides", async () => {
    const names = ["key-independent", "key-dependent", "value-independent", "value-dependent", "time", "space"];
    const wrong = {
      ...row,
      score: { ...row.score!, metrics: { "analysis.key_value_mismatch": 4, "analysis.date_related_value_error": 1 } },
    };
    const run = { ...emptyRun, label: "mine", rows: [wrong], reported: await appbench.reported!() };
    const listed = { rows: ["category"], measures: names.map((name) => `analysis.${name}`), paper: ["Table 4"] };
    const compute = (more: object) =>
      difficulty.compute([run], { mode: "official", intervals: "off" }, { ...listed, ...more })[0] as TableFigure;
    const figure = compute({});
    expect(figure.columns.slice(2).map(({ under = [], title }) => [...under, title].join(" "))).toEqual([
      "Keys I",
      "Keys D",
      "Values I",
      "Values D",
      "Values T/S",
      "n",
    ]);
    const cells = new Map(figure.rows.map((line) => [`${line[0]!.text} ${line[1]!.text}`, line[6]!]));
    expect(cells.get("GPT-4o SM")).toMatchObject({ text: "27.1/15.2", parts: [{ value: 0.271 }, { value: 0.152 }] });
    expect(cells.get("mine SM")!.parts).toHaveLength(2);
    expect(cells.get("mine SM")!.tasks).toEqual([{ run: "run", task: "sm-1" }]);
    const [head, ...lines] = exportFigure(figure, "csv").split("\r\n");
    expect(head).toBe("Run,Category,Keys I,Keys D,Values I,Values D,Values T/S T,Values T/S S,n");
    expect(lines.find((line) => line.startsWith("GPT-4o,SM,"))).toBe("GPT-4o,SM,0.055,0.08,0.025,0.755,0.271,0.152,");
    // Without the paper's rows the measures keep their own names.
    expect(compute({ paper: [] }).columns.map(({ title }) => title)).toContain("Keys, independent");
  });

  test("have one title over each category's columns in Table 3, and a rule before the printed rows in LaTeX", async () => {
    const lines = exportFigure(await table({ paper: ["Table 3"] }), "tex").split("\n");
    const top = lines.indexOf("    \\toprule");
    expect(lines.slice(top + 1, top + 4)).toEqual([
      "     & \\multicolumn{3}{c}{SS} & \\multicolumn{3}{c}{SM} & \\multicolumn{3}{c}{MS} & \\multicolumn{3}{c}{MM} &  \\\\",
      "    \\cmidrule(lr){2-4} \\cmidrule(lr){5-7} \\cmidrule(lr){8-10} \\cmidrule(lr){11-13}",
      "    Run & F1 app & F1 API & Succ & F1 app & F1 API & Succ & F1 app & F1 API & Succ & F1 app & F1 API & Succ & n \\\\",
    ]);
    expect(lines[top + 6]).toBe("    \\midrule");
    // Only the user's rows are ranked: the paper's results are partly lost.
    expect(lines.find((line) => line.includes("GPT-4o"))).not.toContain("\\textbf{");
  });
});

const hasLatex = spawnSync("pdflatex", ["--version"]).status === 0;

describe.skipIf(!hasLatex)("Table 3 compiled with Debian's LaTeX", () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-latex-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("needs only the package booktabs, and fits on a page of two columns", async () => {
    const document = (body: string) =>
      `\\documentclass[a4paper,twocolumn]{article}\n\\usepackage{booktabs}\n\\begin{document}\n${body}\\end{document}\n`;
    writeFileSync(join(folder, "table.tex"), document(exportFigure(await table({ paper: ["Table 3"] }), "tex")));
    const flags = ["-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode"];
    const { status, stdout } = spawnSync("pdflatex", [...flags, "table.tex"], { cwd: folder, encoding: "utf8" });
    expect(status, stdout).toBe(0);
    expect(stdout).toContain("Output written on table.pdf (1 page");
    expect(stdout).not.toContain("Overfull");
  });
});
