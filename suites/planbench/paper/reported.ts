/**
 * PlanBench's published numbers: the repository's leaderboard, GPT-4's results by task, and the results in all published files.
 */
import { printedCell } from "../../../source/engine/measures/measure-cell.ts";

import { tableColumns } from "../../../source/engine/figure.ts";
import type { PaperNumbers, Reported } from "../../../source/engine/suite.ts";
import type { PrintedTable } from "../../../source/engine/benchmark.ts";
import type { Facets } from "../../../source/engine/types.ts";

type Paper = typeof import("./paper.json");
/** A model, and one number in percent a column. */
type LeaderboardRow = readonly (string | number | null)[];

const leaderboard = "PlanBench's repository, README (March 2025)";
const counted = "counted from the repository's result files";

/** Tasks that each column of the leaderboard is about; the blocksworld columns are 500 of 4 to 5 blocks and 100 of 3. */
const columns: readonly (readonly [title: string, where: Facets])[] = [
  ["Blocksworld in words (600)", { domain: "blocksworld", task: "generation", prompt: "words", shot: "zero" }],
  ["Mystery in words (600)", { domain: "mystery_blocksworld", task: "generation", prompt: "words", shot: "zero" }],
  [
    "Randomised Mystery in words (600)",
    { domain: "obfuscated_randomized_blocksworld", task: "generation", prompt: "words", shot: "zero" },
  ],
  ["Hard in PDDL (110)", { config: "blocksworld_hard", task: "generation", prompt: "pddl", shot: "zero" }],
];
const right = "official.right";
const caveat = "Several extractors, including gpt-4o, read the plans, so extraction may explain part of a difference";

/** Reads the tables on first use. */
export async function readPaper(): Promise<PaperNumbers> {
  const { default: paper } = await import("./paper.json", { with: { type: "json" } });
  return {
    values: paper.leaderboard.flatMap((row) => leaderboardValues(row)),
    tables: [leaderboardTable(paper), tasksTable(paper), resultsTable(paper)],
  };
}

function leaderboardValues([model, ...values]: LeaderboardRow): readonly Reported[] {
  return columns.flatMap(([, where], index): Reported[] => {
    const value = values[index];
    if (typeof value !== "number") return [];
    return [{ source: leaderboard, row: String(model), measure: right, value: value / 100, where, caveat }];
  });
}

function leaderboardTable({ leaderboard: rows }: Paper): PrintedTable {
  return {
    kind: "table",
    title: "Leaderboard: plan generation, zero-shot",
    notes: [
      `As printed in ${leaderboard}; percent`,
      "The 600 instances are 500 with 4 to 5 blocks and 100 with 3 blocks",
      "The result files give 64.5 for LLaMA-3.1 405B and 35.0 for GPT-4 on Blocksworld; o1-preview's first answers to the hard Blocksworld tasks have no verdict",
      caveat,
    ],
    columns: tableColumns(
      ["Model"],
      columns.map(([title]) => title),
    ),
    measured: [undefined, ...columns.map(([, where]) => ({ measure: right, where }))],
    rows: (rows as readonly LeaderboardRow[]).map(([model, ...values]) => [
      { text: String(model) },
      ...values.map((value) => printedCell(value as number | null, "percent")),
    ]),
  };
}

function tasksTable({ gpt4 }: Paper): PrintedTable {
  return {
    kind: "table",
    title: "GPT-4, one-shot, in words: Blocksworld, 500 and 100 of 3 blocks",
    notes: [
      `Right answers to 600 tasks, ${counted}; the paper also prints 34.3 % for plan generation`,
      "One-shot and zero-shot differ by up to 32 points",
    ],
    columns: tableColumns(["Task"], ["right of 600", "share"]),
    rows: gpt4.map(([title, , value]) => [
      { text: String(title) },
      { text: String(value), value: Number(value), reported: true },
      printedCell(Math.round(Number(value) / 0.6) / 10, "percent"),
    ]),
  };
}

function resultsTable({ results }: Paper): PrintedTable {
  return {
    kind: "table",
    title: "All published results",
    notes: [
      `Recorded right: ${counted}. Valid by VAL: checked again with the current VAL`,
      "Randomised Logistics: VAL refuses a problem whose name begins with a digit, so 43 valid plans of o1-preview are recorded as wrong",
      "Different extractors read the plans: the two rule extractors and gpt-4o",
    ],
    columns: tableColumns(["Tree", "Config", "Task", "Model"], ["records", "recorded right", "valid by VAL"]),
    rows: results.map((row) => [
      ...row.slice(0, 4).map((text) => ({ text: String(text) })),
      ...row
        .slice(4)
        .map((value) =>
          value === null ? { text: "-" } : { text: String(value), value: Number(value), reported: true },
        ),
    ]),
  };
}
