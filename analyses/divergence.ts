/** Finds the first step with different tool calls in two to four runs, by task, and compares the results of those tasks. */
import { type Analysis, answerKey, type RunRows } from "../source/engine/analysis.ts";
import { type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import type { Measure } from "../source/engine/benchmark.ts";
import { taskState } from "../source/engine/log/rows/task-counts.ts";
import { lookedCell } from "../source/engine/measures/unfinished.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { alignedCalls, changeAt } from "../source/engine/measures/aligned-calls.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row } from "../source/engine/types.ts";

/** Limits the runs that are compared at once. */
const mostRuns = 4;

export const divergence: Analysis = {
  name: "divergence",
  title: "Divergence",
  question: "At which step do runs diverge, and how do their scores differ?",
  needsAnswers: true,
  choices: (runs) => ({
    show: ["parted", "all"],
    task: [
      "none",
      ...(isComparable(runs)
        ? comparedTasks(runs).flatMap(({ task, step }) => (step === undefined ? [] : [task]))
        : []),
    ],
  }),
  titles: { parted: "tasks whose calls differ", all: "all tasks", none: "only the overview" },
  missing(runs) {
    if (runs.length < 2 || runs.length > mostRuns)
      return `Expected two to ${mostRuns} runs to compare, got ${runs.length}: choose runs with \`only\` or \`of\``;
    if (runs.some(({ calls }) => calls === undefined)) return "Reading the calls ...";
    return runs.every(({ calls }) => [...calls!.values()].every((each) => each.length === 0))
      ? "No task of these runs calls a tool"
      : undefined;
  },
  compute(runs, { show = "parted", task: chosen }) {
    const measure = cells.firstKnown(cells.measuresOf(runs), runs);
    const tasks = comparedTasks(runs);
    const found = tasks.find(({ task }) => task === chosen);
    return [
      stepsTable(runs, tasks, measure),
      tasksTable(runs, tasks, show),
      ...(found === undefined ? [] : [alignedTable(runs, found)]),
    ];
  },
};

const isComparable = (runs: readonly RunRows[]): boolean =>
  runs.length > 1 && runs.length <= mostRuns && runs.every(({ calls }) => calls !== undefined);

/** Describes a task that has ended in all runs. */
type ComparedTask = {
  readonly task: string;
  readonly rows: readonly Row[];
  readonly calls: readonly (readonly string[])[];
  /** The first step, from 0, at which the calls are not all equal; undefined if they are equal to the end. */
  readonly step: number | undefined;
};

/** Returns the tasks that have ended in all runs; if a run has several trials, the first trial that has ended counts. */
function comparedTasks(runs: readonly RunRows[]): readonly ComparedTask[] {
  const [first, ...others] = runs.map(({ rows }) => {
    const ended = rows.filter((row) => row.state !== "running");
    return new Map(ended.toReversed().map((row) => [row.task, row]));
  });
  return [...first!.values()].toReversed().flatMap((row) => {
    const rows = [row, ...others.flatMap((each) => each.get(row.task) ?? [])];
    const calls = rows.flatMap((each, at) => {
      const known = runs[at]?.calls?.get(answerKey(each));
      return known === undefined ? [] : [known];
    });
    return calls.length < runs.length ? [] : [{ task: row.task, rows, calls, step: firstDifference(calls) }];
  });
}

/** Returns the first index at which the lists are not all equal; undefined if they are the same. */
export function firstDifference(lists: readonly (readonly string[])[]): number | undefined {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at++) if (new Set(lists.map((list) => list[at])).size > 1) return at;
  return undefined;
}

/** The parts of a call in which runs can differ at the first differing step. */
const kinds = ["tool", "arguments", "end"] as const;

function kindOf({ calls, step = 0 }: ComparedTask): (typeof kinds)[number] {
  const here = calls.map((each) => each[step]);
  if (here.includes(undefined)) return "end";
  return new Set(here.map((call) => call!.split(" ", 1)[0])).size > 1 ? "tool" : "arguments";
}

function stepsTable(runs: readonly RunRows[], tasks: readonly ComparedTask[], measure: Measure): TableFigure {
  const bySteps = Map.groupBy(tasks, ({ step }) => step ?? Infinity);
  const steps = [...bySteps].toSorted(([one], [other]) => one - other);
  const line = (name: string, of: readonly ComparedTask[], isParted: boolean): readonly Cell[] => [
    { text: name },
    cells.countCell(of.map(({ rows }) => rows[0]!)),
    ...kinds.map((kind) => {
      const those = isParted ? of.filter((each) => each.step !== undefined && kindOf(each) === kind) : [];
      return isParted ? cells.countCell(those.map(({ rows }) => rows[0]!)) : { text: "-" };
    }),
    ...runs.map((run, at) => {
      const rows = of.map((each) => each.rows[at]!);
      return cells.withTasks(lookedCell(measure, rows, [run]), rows);
    }),
  ];
  return {
    kind: "table",
    title: `${measure.title} by the step at which runs diverge`,
    columns: [
      ...tableColumns(["Diverge at step"], ["Tasks", "Other tool", "Other arguments", "One run ends"]),
      ...runs.map(({ label }) => ({ title: label, align: "right" as const })),
    ],
    rows: [
      ...steps.map(([step, of]) => line(step === Infinity ? "never" : String(step + 1), of, step !== Infinity)),
      ...(steps.length > 1 ? [line("all", tasks, true)] : []),
    ],
    notes: [
      "A step is a tool call; calls are equal if their names and arguments are equal",
      `${counted(tasks.length, "task")} that ended in all runs; if a task has several trials, the first counts`,
    ],
  };
}

const marks: Readonly<Record<string, string>> = { right: "✓", wrong: "✗", failed: "!", unscored: "?" };

function tasksTable(runs: readonly RunRows[], tasks: readonly ComparedTask[], show: string): TableFigure {
  const shown = tasks.filter(({ step }) => show === "all" || step !== undefined);
  return {
    kind: "table",
    title: "The first calls that differ",
    columns: [
      ...tableColumns(["Task"], ["Step"]),
      ...runs.map(({ label }) => ({ title: label, align: "left" as const })),
    ],
    rows: shown.map(({ task, rows, calls, step }) => [
      { text: task, tasks: cells.refs(rows) },
      step === undefined ? { text: "never" } : { text: String(step + 1), value: step + 1 },
      ...rows.map((row, at) => ({
        text: `${marks[taskState(row, false)] ?? "·"} ${step === undefined ? "" : (calls[at]![step] ?? "(no more calls)")}`.trimEnd(),
        tasks: cells.refs([row]),
      })),
    ]),
    notes: [],
  };
}

/** Shows all calls of a task side by side and marks the first difference. */
function alignedTable(runs: readonly RunRows[], { task, rows, calls }: ComparedTask): TableFigure {
  const steps = alignedCalls(calls);
  const changes = steps.map(changeAt);
  const first = changes.findIndex((change) => change !== "same");
  return {
    kind: "table",
    title: `Calls of ${task}, step by step`,
    columns: [...tableColumns(["Change"], []), ...runs.map(({ label }) => ({ title: label, align: "left" as const }))],
    rows: steps.map((step, at) => [
      { text: `${at === first ? "first: " : ""}${changes[at]!}` },
      ...step.map((call, which) => ({ text: call ?? "", tasks: cells.refs([rows[which]!]) })),
    ]),
    notes: [`Compared with ${runs[0]!.label}; calls are matched by name and arguments, then by name`],
  };
}
