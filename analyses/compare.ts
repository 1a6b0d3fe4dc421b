/** One run against others on the same tasks: which tasks flipped, and whether the difference is more than chance. */
import { type Analysis, inPieces, type RunRows } from "../source/engine/analysis.ts";
import type { Cell, Figure, TableFigure } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { meanOf } from "../source/engine/measures/measure.ts";
import {
  ledPairsTableInPieces,
  pairedTableInPieces,
  pairsTableInPieces,
} from "../source/engine/measures/paired-table.ts";
import { pairedTasksInPieces } from "../source/engine/measures/task-pairs.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Measure } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { inSlices, type Pieces } from "../source/engine/work/pieces.ts";

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
  const value = (rows: readonly Row[]) => (each === undefined ? undefined : meanOf(rows, each).value);
  const cell = (rows: readonly Row[] | undefined): Cell => {
    if (rows === undefined) return cells.textCell("-");
    const found = value(rows);
    const trials = rows.length === 1 ? "" : ` (${rows.length} trials)`;
    const text = found === undefined ? "-" : `${cells.shownValue(found, unit)}${trials}`;
    return cells.withTasks({ text, ...(found !== undefined && { value: found }) }, rows);
  };
  const byTask = new Map<string, Flipped>();
  for (const [at, after] of others.entries())
    yield* inSlices(yield* pairedTasksInPieces(before, after), (slice) => {
      for (const pair of slice) {
        const own = byTask.get(pair.task) ?? { before: pair.before, after: new Map(), isFlipped: false };
        own.after.set(at, pair.after);
        own.isFlipped ||= value(pair.before) !== value(pair.after);
        byTask.set(pair.task, own);
      }
      return [];
    });
  const found = [...byTask].filter(([, { isFlipped }]) => isFlipped);
  const rows = yield* inSlices(found, (slice): readonly (readonly Cell[])[] =>
    slice.map(([task, pair]) => {
      const sides = [pair.before, ...others.map((_, at) => pair.after.get(at))];
      return [
        cells.textCell(task, { tasks: sides.flatMap((side = []) => cells.refs(side)) }),
        ...sides.map(cell),
        cells.textCell(pair.before[0]!.question),
      ];
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

type Flipped = {
  readonly before: readonly Row[];
  /** By the place of the other run. */
  readonly after: Map<number, readonly Row[]>;
  isFlipped: boolean;
};
