/** The paper's Tables 1 and 6, counted over the loaded tasks. */
import { mean, median } from "simple-statistics";
import { type Cell, type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import { tokensOf } from "../../../source/engine/text/tokens.ts";
import { levels, relations } from "./records.ts";
import type { ArenaTask } from "./task.ts";

export type Size = { readonly avg: number; readonly median: number; readonly range: readonly number[] };
type Paper = Readonly<Record<string, Readonly<Record<"tokens" | "tools" | "subtasks", Size>>>>;

const sizes = {
  tokens: { title: "Tokens", of: ({ question }: ArenaTask) => tokensOf(question) },
  tools: { title: "Tools", of: ({ facets }: ArenaTask) => Number(facets["tools"]) },
  subtasks: { title: "Subtasks", of: ({ facets }: ArenaTask) => Number(facets["subtasks"]) },
} as const;
export const sizeNames = ["tokens", "tools", "subtasks"] as const;
/** Mean, median and range of each size, in the order of `sizeCells`. */
export const sizeColumns = sizeNames.flatMap((name) =>
  ["avg", "median", "range"].map((title) => ({ title, align: "right" as const, under: [sizes[name].title] })),
);

/** Returns the tables of the paper's Table 1, tasks by relation and level, and its Table 6, sizes by level. */
export async function statisticsOf(tasks: readonly ArenaTask[]): Promise<readonly TableFigure[]> {
  const { default: paper } = await import("../paper/paper.json", { with: { type: "json" } });
  return [counts(tasks, paper.table1.rows), sizesByLevel(tasks, paper.table6.rows)];
}

/** Builds a line for all tasks and for each relation, with the paper's number beside each count. */
function counts(tasks: readonly ArenaTask[], paper: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  const groups = [
    ["Total", tasks] as const,
    ...relations.map((name) => [name, tasks.filter(({ facets }) => facets["relation"] === name)] as const),
  ];
  const columns = ["users", ...levels, "overall"];
  const cell = (value: number): Cell => ({ text: String(value), value });
  const table: TableFigure = {
    kind: "table",
    title: "The tasks by relation and level",
    columns: [
      ...tableColumns(["Tasks"], []),
      ...columns.flatMap((name) =>
        ["here", "paper"].map((title) => ({ title, align: "right" as const, under: [name] })),
      ),
    ],
    rows: groups.map(([name, own]): Cell[] => {
      const counted: Readonly<Record<string, number>> = {
        users: new Set(own.map(({ facets }) => facets["profile"])).size,
        ...Object.fromEntries(
          levels.map((level) => [level, own.filter((task) => task.facets["level"] === level).length]),
        ),
        overall: own.length,
      };
      return [
        { text: name },
        ...columns.flatMap((column) => [cell(counted[column]!), { ...cell(paper[name]![column]!), reported: true }]),
      ];
    }),
    notes: [
      "Counted over all tasks of the split",
      "SAPP, CAPP, PAPI and CAPI share the same 20 users, so the paper prints their number once",
    ],
  };
  return table;
}

/** Builds a line for each level that has tasks, followed by the paper's line. */
function sizesByLevel(tasks: readonly ArenaTask[], paper: Paper): TableFigure {
  const rows = levels.flatMap((level): Cell[][] => {
    const own = tasks.filter(({ facets }) => facets["level"] === level);
    if (own.length === 0) return [];
    const counted = sizeNames.flatMap((name) => sizeCells(sizeOf(own.map(sizes[name].of))));
    const reported = sizeNames.flatMap((name) => sizeCells(paper[level]![name]));
    return [
      [{ text: level }, ...counted, { text: String(own.length), value: own.length }],
      [{ text: `  ${level}, paper` }, ...reported, { text: "" }].map((cell) => ({ ...cell, reported: true })),
    ];
  });
  return {
    kind: "table",
    title: "The tasks by level",
    columns: [{ title: "Level", align: "left" }, ...sizeColumns, { title: "n", align: "right" }],
    rows,
    notes: [
      "Counted over all tasks of the split",
      "Tokens of the request are estimated, because the paper does not name its tokenizer",
      "In the paper levels were assigned by an agent; no formula is given and the ranges overlap",
    ],
  };
}

function sizeOf(values: readonly number[]): Size {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    avg: mean(sorted),
    median: median(sorted),
    range: [sorted[0]!, sorted.at(-1)!],
  };
}

/** The paper prints medians as whole numbers, and means with one decimal. */
const shownMedian = (median: number): string => (Number.isInteger(median) ? String(median) : median.toFixed(1));

export function sizeCells({ avg, median, range }: Size): Cell[] {
  const [low, high] = range;
  return [
    { text: avg.toFixed(1), value: avg },
    { text: shownMedian(median), value: median },
    { text: range.join("-"), low: low!, high: high! },
  ];
}
