/** Tool-Planner's six kinds of error as shares of all errors; unavailable tools are a separate kind. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { type Coverage, coverageOf, restingOn } from "../source/engine/measures/coverage.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { groupedBars } from "../source/engine/measures/grouped-bars.ts";
import { errorClasses, type ErrorClass } from "../source/engine/toolkits/error-classes.ts";
import type { Mistake, Row } from "../source/engine/types.ts";
import { filtered, joinedParts, keyByName, flatMapped } from "../source/engine/work/growing-list.ts";

/** Not the model's fault; excluded from the shares by default. */
const apart: ErrorClass = "environment";
/** Maximum number of errors quoted per kind. */
const mostExamples = 3;
const longestExample = 160;

export const toolErrors: Analysis = {
  name: "tool-errors",
  title: "Tool errors",
  question: "Which of the six kinds of error are made, in calls and in tasks that failed?",
  choices: () => ({ count: ["errors", "tasks"], unavailable: ["apart", "counted"], runs: ["apart", "together"] }),
  missing: (runs) =>
    runs.some(({ suite }) => suite.errorKinds.some(({ name }) => errorClasses.some((one) => one.name === name)))
      ? undefined
      : "These suites do not classify errors of tool calls",
  compute(all, { count = "errors", unavailable = "apart", runs: how = "apart" }) {
    const runs = how === "together" ? pooled(all) : all;
    const kinds = errorClasses.filter(({ name }) => unavailable === "counted" || name !== apart);
    const shared = shares(runs, kinds, count, cells.shortfall(all, { unscored: "errors in these tasks still count" }));
    const bars = kinds.flatMap(({ title }, at) =>
      shared.rows.map((line) => ({ group: title, label: line[0]!.text, cell: line[at + 1]! })),
    );
    const title = count === "tasks" ? "Tasks with an error" : "Share of all errors";
    const drawn = groupedBars({ title, by: "kind", unit: "percent", notes: shared.notes }, bars);
    return [shared, ...drawn, ...runs.flatMap((run) => examples(run, kinds))];
  },
};

/** Joins all runs into one line, as the paper's Figure 5 does. */
function pooled(runs: readonly RunRows[]): readonly RunRows[] {
  const [first] = runs;
  if (first === undefined || runs.length === 1) return runs;
  return [{ ...first, label: `${runs.length} runs`, rows: joinedParts(runs.map(({ rows }) => rows)) }];
}

type Kinds = typeof errorClasses;

/** Unjudged answers have no score, but their errors are known. */
const hasScore = ({ score }: Row) => score !== undefined;

/** Counts the mistakes of a kind and returns the rows that contain them. */
export function mistakesOfKind(
  rows: readonly Row[],
  kind: string,
): { readonly count: number; readonly hit: readonly Row[] } {
  const hit = flatMapped(mistakesOf(kind), rows);
  return { count: flatMapped(countOf, hit).reduce((sum, own) => sum + own, 0), hit: flatMapped(rowOf, hit) };
}

/** The mistakes of a kind in a row. */
type MadeMistakes = { readonly row: Row; readonly errors: readonly Mistake[] };

const mistakesOf = keyByName((kind: string) => (row: Row): readonly MadeMistakes[] => {
  const errors = (row.score?.errors ?? []).filter((error) => error.kind === kind);
  return errors.length === 0 ? [] : [{ row, errors }];
});
const countOf = ({ errors }: MadeMistakes) => errors.length;
const rowOf = ({ row }: MadeMistakes) => row;

const shares = (runs: readonly RunRows[], kinds: Kinds, counting: string, left: readonly string[]): TableFigure => ({
  kind: "table",
  title: counting === "tasks" ? "Tasks with each kind of error, %" : "Share of all errors by kind, %",
  columns: tableColumns(["Run"], [...kinds.map(({ title }) => title), "n"]),
  rows: runs.map(({ label, rows: all }): Cell[] => {
    const ended = cells.endedRows(all);
    const rows = filtered(hasScore, ended);
    const rests = coverageOf(ended, hasScore);
    const found = kinds.map(({ name }) => mistakesOfKind(rows, name));
    const total = counting === "tasks" ? rows.length : found.reduce((sum, { count }) => sum + count, 0);
    return [
      cells.textCell(label),
      ...found.map(({ count, hit }) => shareCell(counting === "tasks" ? hit.length : count, hit, total, rests)),
      cells.textCell(String(total), { value: total }),
    ];
  }),
  notes: [
    ...cells.overruled(runs),
    "Classified from calls and results by the first matching rule: see suites/toolbench/README.md",
    "The text of the paper gives one share: 13.5 % of errors are incomplete clusters",
    ...(kinds.some(({ name }) => name === apart)
      ? []
      : ["Unavailable tools are left out because they are not the model's fault"]),
    ...left,
  ],
});

function shareCell(count: number, hit: readonly Row[], total: number, rests: Coverage): Cell {
  if (total === 0) return restingOn({ text: "-", n: 0 }, rests);
  const value = count / total;
  const cell = { text: cells.shownValue(value, "percent"), value, n: total, note: `${count} of ${total}` };
  return cells.withTasks(restingOn(cell, rests), hit);
}

/** Quotes the first few errors of each kind. */
function examples({ label, rows }: RunRows, kinds: Kinds): readonly TableFigure[] {
  const perKind = kinds.map(({ name, title }) => {
    const own = flatMapped(mistakesOf(name), cells.endedRows(rows)).slice(0, mostExamples);
    return own.map(({ row, errors }) => ({ row, error: errors[0]!, title }));
  });
  const found = perKind.flat();
  if (found.length === 0) return [];
  const shown = ({ got = "" }: Mistake) => (got.length > longestExample ? `${got.slice(0, longestExample)}...` : got);
  return [
    {
      kind: "table",
      title: `Examples of errors: ${label}`,
      columns: tableColumns(["Kind", "Task", "What happened"], []),
      rows: found.map(({ row, error, title }) => [
        cells.textCell(title),
        cells.textCell(row.task, { tasks: cells.refs([row]) }),
        cells.textCell(shown(error)),
      ]),
      notes: [`At most ${mostExamples} examples of each kind, and only the first in each task`],
    },
  ];
}
