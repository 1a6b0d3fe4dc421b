/** Tables 2 and 8 of Tool-Planner's paper. */
import type { PaperNumbers } from "../../../source/engine/suite.ts";
import {
  reportedValues,
  settingOf,
  tableFigure,
  type PaperTable,
} from "../../../source/engine/toolkits/paper-table.ts";
import type { Facets } from "../../../source/engine/types.ts";

type Paper = { readonly source: string; readonly tables: Readonly<Record<string, PaperTable>> };

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
/** Reads the tables once they are wanted. */
export async function readPaper(): Promise<PaperNumbers> {
  const module = await import("./paper.json", { with: { type: "json" } });
  const { source, tables }: Paper = module.default;
  const short = "Tool-Planner paper (ICLR 2025)";
  return {
    values: Object.entries(columns).flatMap(([number, column]) =>
      reportedValues(tables[number]!, number, short, column, settingOf),
    ),
    tables: Object.entries(tables).map(([number, table]) => tableFigure(table, number, source, columns[number]!)),
  };
}

function columnOf(column: string): ReturnType<typeof about> {
  const [hub, kind] = column.split("_") as [string, string];
  const measure = kinds.get(kind);
  if (measure === undefined) return undefined;
  return hub === "Average" ? { measure, where: {} } : about(hub, measure);
}

function about(hub: string, measure: string): { readonly measure: string; readonly where: Facets } | undefined {
  const name = hubs.get(hub);
  return name === undefined ? undefined : { measure, where: { hub: name } };
}

/** What the columns of each table show. */
const columns: Readonly<Record<string, typeof columnOf>> = {
  2: columnOf,
  8: (hub) => about(hub, "official.win"),
};
