/** Tables 2 and 8 of Tool-Planner's paper. */
import type { PaperNumbers } from "../../../source/engine/suite.ts";
import { paperNumbers, type ColumnMeaning } from "../../../source/engine/toolkits/paper-table.ts";

const hubs = new Map([
  ["TorchHub", "torchhub"],
  ["HuggingFace", "huggingface"],
  ["TensorFlow", "tensorflowhub"],
]);
const kinds = new Map([
  ["Pass", "official.pass"],
  ["Win", "official.win"],
  ["Halluc", "official.hallucination"],
]);

/** Imports the tables on demand. */
export async function readPaper(): Promise<PaperNumbers> {
  const { default: paper } = await import("./paper.json", { with: { type: "json" } });
  return paperNumbers(paper, columns);
}

function columnOf(column: string): ReturnType<ColumnMeaning> {
  const [hub, kind] = column.split("_") as [string, string];
  const measure = kinds.get(kind);
  if (measure === undefined) return undefined;
  return hub === "Average" ? { measure, where: {} } : about(hub, measure);
}

function about(hub: string, measure: string): ReturnType<ColumnMeaning> {
  const name = hubs.get(hub);
  return name === undefined ? undefined : { measure, where: { hub: name } };
}

/** Meaning of the columns of each table. */
const columns: Readonly<Record<string, ColumnMeaning>> = {
  2: columnOf,
  8: (hub) => about(hub, "official.win"),
};
