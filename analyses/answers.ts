/** Lists each run's answer to each task, side by side, below the paired test of two runs. */
import { type Analysis, answerKey, type RunRows } from "../source/engine/analysis.ts";
import { type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { briefCause, isUnread } from "../source/engine/log/rows/cause-text.ts";
import { taskState } from "../source/engine/log/rows/task-counts.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { pairedTable } from "../source/engine/measures/paired-table.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row } from "../source/engine/types.ts";

export const answers: Analysis = {
  name: "answers",
  title: "Answers",
  question: "What did each run answer to each task?",
  needsAnswers: true,
  choices: (runs) => ({
    show: runs.length > 1 ? ["all", "differ", "wrong"] : ["all", "wrong"],
    by: cells.groupings(runs),
  }),
  titles: {
    all: "all tasks",
    differ: "tasks whose outcome differs between runs",
    wrong: "tasks with an answer that is not right",
  },
  missing: (runs) => (runs.every(({ answers: texts }) => texts === undefined) ? "Reading the answers ..." : undefined),
  compute(runs, { show = "all", by = "" }) {
    const [first, second] = runs;
    const table = answersTable(runs, show);
    if (first === undefined || second === undefined || runs.length > 2) return [table];
    return [pairedTable(first, second, cells.firstKnown(cells.measuresOf(runs), runs), by), table];
  },
  // The answers are why it was asked for; the test is above them.
  opensAt: (figures) => figures.length - 1,
};

/** A task with its rows in each run: several if trials are pooled. */
type Line = { readonly task: string; readonly question: string; readonly rows: readonly (readonly Row[])[] };

function answersTable(runs: readonly RunRows[], show: string): TableFigure {
  const lines = linesOf(runs);
  const shown = lines.filter(({ rows }) => isShown(rows, show));
  const isPart = shown.length < lines.length;
  return {
    kind: "table",
    title: "Answers",
    columns: [
      ...tableColumns(["Task"], []),
      ...[...runs.map(({ label }) => label), "Question"].map((title) => ({ title, align: "left" as const })),
    ],
    rows: shown.map((line) => {
      const shownCells = line.rows.map((rows, at) => answerCell(rows, runs[at]!));
      return [
        { text: line.task, tasks: shownCells.flatMap(({ tasks = [] }) => tasks) },
        ...shownCells,
        { text: line.question },
      ];
    }),
    notes: [
      `${counted(shown.length, "task")}${isPart ? ` of ${lines.length}` : ""}; answers are cut after 400 characters`,
    ],
  };
}

function linesOf(runs: readonly RunRows[]): readonly Line[] {
  const lines = new Map<string, { readonly question: string; readonly rows: Row[][] }>();
  for (const [at, { rows }] of runs.entries())
    for (const row of rows) {
      if (row.state === "running") continue;
      const line = lines.get(row.task) ?? { question: row.question, rows: runs.map(() => []) };
      lines.set(row.task, line);
      line.rows[at]!.push(row);
    }
  return [...lines].map(([task, line]) => ({ task, ...line }));
}

const stateOf = (row: Row) => taskState(row, false);

function isShown(rows: readonly (readonly Row[])[], show: string): boolean {
  if (show === "wrong") return rows.flat().some((row) => stateOf(row) !== "right");
  if (show !== "differ") return true;
  return new Set(rows.map((each) => each.map(stateOf).toSorted().join())).size > 1;
}

const marks: Readonly<Record<string, string>> = { right: "✓", wrong: "✗", failed: "!", unscored: "?" };

function answerCell(rows: readonly Row[], { answers: texts }: RunRows): Cell {
  if (rows.length === 0) return cells.textCell("-");
  const each = rows.map((row) => {
    const cause = row.cause !== undefined && isUnread(row) ? `(${briefCause(row.cause)}) ` : "";
    return `${marks[stateOf(row)] ?? "·"} ${cause}${(texts?.get(answerKey(row)) ?? "").replace(/\s+/g, " ")}`.trimEnd();
  });
  const [first = ""] = each;
  const more = rows.length > 1 ? ` (${rows.length} trials)` : "";
  return { text: first + more, ...(rows.length > 1 && { note: each.join(" | ") }), tasks: cells.refs(rows) };
}
