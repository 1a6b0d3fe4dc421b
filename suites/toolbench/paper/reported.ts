/** Tables 3 to 8 of Tool-Planner's paper. */
import type { PaperNumbers } from "../../../source/engine/suite.ts";
import { paperNumbers, type ColumnMeaning, type PaperTable } from "../../../source/engine/toolkits/paper-table.ts";
import type { Facets } from "../../../source/engine/types.ts";

const sets = new Map([
  ["G1-Inst", "G1_instruction"],
  ["G1-Tool", "G1_tool"],
  ["G1-Cat", "G1_category"],
  ["G2-Inst", "G2_instruction"],
  ["G2-Cat", "G2_category"],
  ["G3-Inst", "G3_instruction"],
]);

/** Imports the tables on demand. Their pass rate is that of a judge on the original queries, not SoPR on the solvable queries. */
export async function readPaper(): Promise<PaperNumbers> {
  const { default: paper } = await import("./paper.json", { with: { type: "json" } });
  return paperNumbers(paper, columns, { 5: plannerOf });
}

/** Table 5 compares embeddings for a single strategy. */
const plannerOf = (row: PaperTable["rows"][number]): Facets => ({
  strategy: "tool-planner",
  "clusters.embedding": String(row["row"]),
});

/** Reads columns such as `G1-Inst_Pass` and `Avg_Win`. */
function columnOf(column: string): ReturnType<ColumnMeaning> {
  const [set, kind] = column.split("_") as [string, string];
  const measure = kind === "Win" ? "tooleval.win" : "tooleval.pass";
  return set === "Avg" ? { measure, where: {} } : about(set, measure);
}

function about(set: string, measure: string): ReturnType<ColumnMeaning> {
  const name = sets.get(set);
  return name === undefined ? undefined : { measure, where: { set: name } };
}

/** Meaning of the columns of each table. */
const columns: Readonly<Record<string, ColumnMeaning>> = {
  3: columnOf,
  4: columnOf,
  5: (set) => about(set, "tooleval.pass"),
  6: (set) => about(set, "tooleval.win"),
  7: columnOf,
  8: (set) => about(set, "tooleval.win"),
};
