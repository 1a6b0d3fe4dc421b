/** One run against others on the same tasks: which tasks flipped, and whether the difference is more than chance. */
import { type Analysis, inPieces, type RunRows } from "../source/engine/analysis.ts";
import type { Cell, Figure, TableFigure } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import {
  ledPairsTableInPieces,
  pairedTableInPieces,
  pairsTableInPieces,
} from "../source/engine/measures/paired-table.ts";
import { firstOf, pairedTasks, type TaskRows, taskValue } from "../source/engine/measures/task-pairs.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Measure } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
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
  const [only] = others;
  if (others.length === 1 && only !== undefined)
    return [yield* pairedTableInPieces(before, only, measure, by), yield* flipped(before, others, measure)];
  if (others.length === 0) return [];
  const isGrouped = before.rows.some(({ facets }) => facets[by] !== undefined);
  const pairs = others.map((after) => ({ lead: [after.label], before, after }));
  const heads = {
    title: `${measure.title}${cells.groupedBy(runs, by)}: ${before.label} against ${others.length} others`,
    leads: ["Against"],
    sides: [before.label, "other"],
  };
  return [
    yield* pairsTableInPieces(before, others, measure),
    ...(isGrouped ? [yield* ledPairsTableInPieces(pairs, heads, measure, by)] : []),
    yield* flipped(before, others, measure),
  ];
}

/** Measures that have a value for each task come first: only those can be paired. */
function withEach(runs: readonly RunRows[]): readonly string[] {
  const all = cells.measuresOf(runs);
  return [...all.filter(({ each }) => each !== undefined), ...all.filter(({ each }) => each === undefined)].map(
    ({ name }) => name,
  );
}

/** Tasks on which any of the others differs from the first run; `-` where one does not have the task. */
function* flipped(before: RunRows, others: readonly RunRows[], { each, title, unit }: Measure): Pieces<TableFigure> {
  const value = (rows: TaskRows) => each && taskValue(rows, each);
  const texts = new ValueTexts(unit);
  const cell = (rows: TaskRows | undefined): Cell => {
    if (rows === undefined) return cells.textCell("-");
    const found = value(rows);
    const tasks = "task" in rows ? [{ run: rows.run, task: rows.task }] : cells.refs(rows);
    if (found === undefined) return { text: "-", tasks };
    const trials = tasks.length === 1 ? "" : ` (${tasks.length} trials)`;
    return { text: `${texts.of(found)}${trials}`, tasks, value: found };
  };
  const found = yield* flippedTasks(before, others, value);
  const rows = yield* inSlices(found, (slice): readonly (readonly Cell[])[] =>
    slice.map((sides) => {
      const { task, question } = firstOf(sides[0]!);
      const shown = sides.map(cell);
      const tasks = isOfRows(sides) ? cells.refs(sides) : shown.flatMap((each) => each.tasks ?? []);
      return [{ text: task, tasks }, ...shown, { text: question }];
    }),
  );
  return {
    kind: "table",
    title: `Tasks whose ${title} differs`,
    columns: [
      { title: "Task", align: "left" },
      ...[before, ...others].map(({ label }) => ({ title: label, align: "right" as const })),
      { title: "Question", align: "left" },
    ],
    rows,
    notes: [counted(found.length, "task")],
  };
}

/** Values as people read them: hundreds of thousands of tasks mostly have a few of them. */
class ValueTexts {
  readonly #unit: Measure["unit"];
  readonly #known = new Map<number, string>();

  constructor(unit: Measure["unit"]) {
    this.#unit = unit;
  }

  of(value: number): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const text = cells.shownValue(value, this.#unit);
    if (this.#known.size < 1000) this.#known.set(value, text);
    return text;
  }
}

/** Whether each run has the task, and once. */
function isOfRows(sides: Sides): sides is readonly Row[] {
  return sides.every((side) => side !== undefined && "task" in side);
}

/** What each run has of a task, the first run first. */
type Sides = readonly (TaskRows | undefined)[];

function* flippedTasks(
  before: RunRows,
  others: readonly RunRows[],
  value: (rows: TaskRows) => number | undefined,
): Pieces<readonly Sides[]> {
  const found: (TaskRows | undefined)[][] = [];
  // Of two runs nothing has to be found again; there may be hundreds of thousands of tasks.
  const known = others.length === 1 ? undefined : new Map<string, (TaskRows | undefined)[]>();
  const pairs = [];
  for (const other of others) pairs.push(yield* pairedTasks(before, other));
  for (const each of pairs)
    yield* eachInTurn(each.before, (one, at) => {
      const other = each.after[at]!;
      if (value(one) === value(other) || known?.has(firstOf(one).task) === true) return;
      const sides = known === undefined ? [one, other] : [one, ...others.map(() => undefined)];
      found.push(sides);
      known?.set(firstOf(one).task, sides);
    });
  if (known !== undefined)
    for (const [place, each] of pairs.entries())
      yield* eachInTurn(each.before, (one, at) => {
        const sides = known.get(firstOf(one).task);
        if (sides !== undefined) sides[place + 1] = each.after[at];
      });
  return found;
}
