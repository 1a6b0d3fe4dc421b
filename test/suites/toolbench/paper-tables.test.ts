/** Tool-Planner's Table 5: pass rates next to the embedding used for grouping the tools. */
import { expect, test } from "vitest";
import { difficulty } from "../../../analyses/difficulty.ts";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";
import { describePublished, sharedJson } from "../../shared.ts";

type Printed = { readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>> };

describePublished("Tool-Planner's Table 5", () => {
  test("has a row for each embedding, even the user's own, and a column for each set", async () => {
    const { table5 } = sharedJson<{ readonly table5: Printed }>("data", "paper-tables", "toolplanner.json");
    const score = { value: 1, metrics: { pass: 1 }, checks: [], errors: [] };
    const run = {
      run: "r",
      label: "mine",
      spec: bareSpec("toolbench", { strategy: "tool-planner", options: { "clusters.embedding": "lexical" } }),
      suite: toolbench,
      rows: [bareRow("r", "t", { facets: { set: "G2_instruction" }, score })],
      reported: await toolbench.reported!(),
      warnings: [],
      readsAnswerKey: false,
    };
    const listed = { rows: ["clusters.embedding"], columns: ["set"], measures: ["tooleval.pass"], paper: ["Table 5"] };
    const [figure] = difficulty.compute([run], { mode: "tooleval", intervals: "off" }, listed) as TableFigure[];
    const texts = figure!.rows.map((line) => line.map(({ text }) => text));
    expect(figure!.columns.map(({ title }) => title).slice(2)).toEqual([
      "G1_instruction",
      "G2_instruction",
      "G3_instruction",
      "n",
    ]);
    expect(texts[0]!.slice(0, 5)).toEqual(["mine", "lexical", "-", "100.0", "-"]);
    expect(texts.slice(1).map(([, embedding, ...cells]) => [embedding, ...cells.slice(0, 3).map(Number)])).toEqual(
      Object.entries(table5.rows).map(([name, cells]) => [name, ...Object.values(cells)]),
    );
  });
});
