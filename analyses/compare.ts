/** One run against others on the same tasks: which tasks flipped, and whether the difference is more than chance. */
import { type Analysis, inPieces, type RunRows } from "../source/engine/analysis.ts";
import type { Cell, Figure, TableFigure } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { pairedTableInPieces, pairsTableInPieces } from "../source/engine/measures/paired-table.ts";
import { firstOf, pairedTasks, rowsOf, type TaskRows, taskValue } from "../source/engine/measures/task-pairs.ts";
import { counted } from "../source/engine/text/counted.ts";
import { eachInTurn, inSlices, type Pieces } from "../source/engine/work/pieces.ts";

export const compare: Analysis = {
  name: "compare",
  title: "Compare",
  question: "Which tasks flipped between two runs, and is the difference more than chance?",
  choices: (runs) => ({
    measures: withEach(runs),
    before: runs.map(({ label }) => label),
    by: cells.groupings(runs),
  }),
  lists: (runs) => {
    const [first = "", ...others] = runs.map(({ label }) => label);
    return { after: { values: [...others, first], standard: others.slice(0, 1) } };
  },
  missing: (runs) =>
    runs.length > 1
      ? undefined
      : "Two runs are needed: name more run cells in `of`, or make a field of the run cell a list",
  ...inPieces(figuresInPieces),
};

function* figuresInPieces(
  ...[runs, { measures: named = "", before: first = "", by = "" }, { after = [] } = {}]: Parameters<Analysis["compute"]>
): Pieces<readonly Figure[]> {
  const before = runs.find(({ label }) => label === first)!;
  const others = after.flatMap((name) => runs.find(({ label }) => label === name) ?? []);
  const measure = cells.measureNamed(runs, named);
  const figures: Figure[] = [];
  if (others.length > 1) figures.push(yield* pairsTableInPieces(before, others, measure));
  for (const other of others) {
    figures.push(yield* pairedTableInPieces(before, other, measure, by));
    figures.push(yield* flipped(before, other, measure.each, measure.title));
  }
  return figures;
}

/** Measures that have a value for each task come first: only those can be paired. */
function withEach(runs: readonly RunRows[]): readonly string[] {
  const all = cells.measuresOf(runs);
  return [...all.filter(({ each }) => each !== undefined), ...all.filter(({ each }) => each === undefined)].map(
    ({ name }) => name,
  );
}

function* flipped(
  before: RunRows,
  after: RunRows,
  each: ReturnType<typeof cells.measureNamed>["each"],
  title: string,
): Pieces<TableFigure> {
  const value = (rows: TaskRows) => each && taskValue(rows, each);
  const shown = (rows: TaskRows) => {
    const found = value(rows);
    if (found === undefined) return "-";
    const { length } = rowsOf(rows);
    return length === 1 ? String(found) : `${Number(found.toFixed(3))} (${length} trials)`;
  };
  const pairs = yield* pairedTasks(before, after);
  const differing: (readonly [TaskRows, TaskRows])[] = [];
  yield* eachInTurn(pairs.before, (one, at) => {
    const other = pairs.after[at]!;
    if (value(one) !== value(other)) differing.push([one, other]);
  });
  const rows = yield* inSlices(differing, (slice): readonly (readonly Cell[])[] =>
    slice.map(([one, other]) => {
      const { task, question } = firstOf(one);
      const [own, others] = [cells.refs(rowsOf(one)), cells.refs(rowsOf(other))];
      return [
        { text: task, tasks: [...own, ...others] },
        { text: shown(one), tasks: own },
        { text: shown(other), tasks: others },
        { text: question },
      ];
    }),
  );
  return {
    kind: "table",
    title: `Tasks whose ${title} differs`,
    columns: [
      { title: "Task", align: "left" },
      { title: before.label, align: "right" },
      { title: after.label, align: "right" },
      { title: "Question", align: "left" },
    ],
    rows,
    notes: [counted(differing.length, "task")],
  };
}
