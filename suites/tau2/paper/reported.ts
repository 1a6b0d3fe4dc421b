/** Published numbers: the official leaderboard by version, and the scores of an agent that does nothing. */
import { tableColumns } from "../../../source/engine/figure.ts";
import { printedCell } from "../../../source/engine/measures/measure-cell.ts";
import type { PrintedTable } from "../../../source/engine/benchmark.ts";
import type { PaperNumbers, Reported } from "../../../source/engine/suite.ts";

type Paper = typeof import("./paper.json");
type Row = readonly [model: string, user: string, version: string, ...domains: (readonly number[])[]];

const measure = "official.reward";
const caveats = [
  "GPT-5's and Qwen3-Max-Thinking-Preview's telecom columns are the same to the last digit in the official files",
  "The user's model matters: one entry of 2026 scores 78 % with another user model and about 50 % with the standard one",
];
const regraded =
  "Version 1.0.1 has different tasks for airline and retail, and a different reward for retail, so only telecom is comparable";

/** Reads the tables on first use. */
export async function readPaper(): Promise<PaperNumbers> {
  const { default: paper } = await import("./paper.json", { with: { type: "json" } });
  const rows = paper.rows as unknown as readonly Row[];
  const tables = [1, 2, 3, 4].map((k) => leaderboard(paper, rows, k));
  return { values: rows.flatMap((row) => valuesOf(paper, row)), tables: [...tables, floors(paper)] };
}

/** Returns the paper's numbers for comparison; for airline and retail, only the numbers of the version that has these tasks. */
function valuesOf({ columns, read }: Paper, [model, user, version, ...domains]: Row): readonly Reported[] {
  return columns.flatMap((domain, index): Reported[] => {
    const value = domains[index]?.[0];
    if (value === undefined || (isRegraded(version) && domain !== "telecom")) return [];
    return [
      {
        source: `official leaderboard, version ${version}, read ${read}`,
        row: `${model} (user ${user})`,
        measure,
        value: value / 100,
        digits: 1,
        where: { domain },
        setting: { user },
        caveat: caveats[1]!,
      },
    ];
  });
}

const isRegraded = (version: string) => version.startsWith("1.");

function leaderboard({ columns, read }: Paper, rows: readonly Row[], k: number): PrintedTable {
  return {
    kind: "table",
    title: `Leaderboard: pass^${k}`,
    notes: [`Percent, as in the official repository, read ${read}; four trials`, regraded, ...caveats],
    columns: tableColumns(["Model", "User", "Version"], columns),
    ...(k === 1 && {
      measured: [undefined, undefined, undefined, ...columns.map((domain) => ({ measure, where: { domain } }))],
    }),
    rows: rows.map(([model, user, version, ...domains]) => [
      ...[model, user, version].map((text) => ({ text })),
      ...columns.map((_, index) => printedCell(domains[index]?.[k - 1] ?? null, "percent", 1)),
    ]),
  };
}

function floors({ floors: rows }: Paper): PrintedTable {
  return {
    kind: "table",
    title: "Floor: an agent that does nothing",
    notes: [
      "Scored by the official evaluator with a user who ends the conversation at once; Zhu et al. 2025 also report 38 % for airline",
      "The reference solutions pass all tasks: 50 of airline, 114 of retail, 2,285 of telecom-full",
    ],
    columns: tableColumns(["Domain"], ["passed", "tasks", "share"]),
    rows: rows.map(([domain, passed, tasks]) => [
      { text: String(domain) },
      ...[passed, tasks].map((value) => ({ text: String(value), value: Number(value), reported: true })),
      printedCell(Math.round((Number(passed) / Number(tasks)) * 1000) / 10, "percent", 1),
    ]),
  };
}
