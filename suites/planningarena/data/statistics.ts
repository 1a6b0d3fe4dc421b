/** The paper's Table 6, counted over the loaded tasks. */
import type { Cell, TableFigure } from "../../../source/engine/figure.ts";
import { tokensOf } from "../../../source/engine/text/tokens.ts";
import { levels } from "./records.ts";
import type { ArenaTask } from "./task.ts";

type Size = { readonly avg: number; readonly median: number; readonly range: readonly number[] };
type Paper = Readonly<Record<string, Readonly<Record<"tokens" | "tools" | "subtasks", Size>>>>;

const sizes = {
  tokens: { title: "Tokens", of: ({ question }: ArenaTask) => tokensOf(question) },
  tools: { title: "Tools", of: ({ facets }: ArenaTask) => Number(facets["tools"]) },
  subtasks: { title: "Subtasks", of: ({ facets }: ArenaTask) => Number(facets["subtasks"]) },
} as const;
const names = ["tokens", "tools", "subtasks"] as const;
const kinds = ["avg", "median", "range"] as const;

/** Builds a line for each level that has tasks, followed by the paper's line. */
export async function statisticsOf(tasks: readonly ArenaTask[]): Promise<TableFigure> {
  const module = await import("../paper/paper.json", { with: { type: "json" } });
  const paper: Paper = module.default.table6.rows;
  const rows = levels.flatMap((level): Cell[][] => {
    const own = tasks.filter(({ facets }) => facets["level"] === level);
    if (own.length === 0) return [];
    const counted = names.flatMap((name) => sizeCells(sizeOf(own.map(sizes[name].of))));
    const reported = names.flatMap((name) => sizeCells(paper[level]![name]));
    return [
      [{ text: level }, ...counted, { text: String(own.length), value: own.length }],
      [{ text: `  ${level}, paper` }, ...reported, { text: "" }].map((cell) => ({ ...cell, reported: true })),
    ];
  });
  return {
    kind: "table",
    title: "The tasks by level",
    columns: [
      { title: "Level", align: "left" },
      ...names.flatMap((name) =>
        kinds.map((title) => ({ title, align: "right" as const, under: [sizes[name].title] })),
      ),
      { title: "n", align: "right" },
    ],
    rows,
    notes: [
      "Counted over all tasks of the split",
      "Tokens of the request are estimated: the paper does not name its tokenizer",
      "In the paper levels were assigned by an agent; no formula is given and the ranges overlap",
    ],
  };
}

function sizeOf(values: readonly number[]): Size {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  const middle = sorted.length >> 1;
  return {
    avg: values.reduce((sum, value) => sum + value, 0) / values.length,
    median: sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2,
    range: [at(0), at(1)],
  };
}

function sizeCells({ avg, median, range }: Size): Cell[] {
  return [{ text: avg.toFixed(1), value: avg }, { text: String(median), value: median }, { text: range.join("-") }];
}
