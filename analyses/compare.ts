/** Compares one run with others on the same tasks: which tasks flipped, and whether the difference exceeds chance. */
import { briefCause, isUnread } from "../source/engine/log/rows/cause-text.ts";
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import {
  ledPairsTable,
  pairedTable,
  pairsTable,
  type MeasuredPairs,
  measuredPairs,
} from "../source/engine/measures/paired-table.ts";
import { firstOf, type PairSide, rowsOf } from "../source/engine/measures/task-pairs.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Measure } from "../source/engine/suite.ts";
import { madeWhenRead } from "../source/engine/work/made-when-read.ts";
import { many } from "../source/engine/work/pieces.ts";

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
  compute(runs, { measures: named = "", before: first = "", by = "" }, { after = [] } = {}) {
    const before = runs.find(({ label }) => label === first)!;
    const others = after.flatMap((name) => runs.find(({ label }) => label === name) ?? []);
    const measure = cells.measureNamed(runs, named);
    const [only] = others;
    if (others.length === 1 && only !== undefined)
      return [pairedTable(before, only, measure, by), flipped(before, others, measure)];
    if (others.length === 0) return [];
    const isGrouped = before.rows.some(({ facets }) => facets[by] !== undefined);
    const pairs = others.map((after) => ({ lead: [after.label], before, after }));
    const heads = {
      title: `${measure.title}${cells.groupedBy(runs, by)}: ${before.label} against ${others.length} others`,
      leads: ["Against"],
      sides: [before.label, "other"],
    };
    return [
      pairsTable(before, others, measure),
      ...(isGrouped ? [ledPairsTable(pairs, heads, measure, by)] : []),
      flipped(before, others, measure),
    ];
  },
};

/** Lists measures with a value per task first, because only these measures can be paired. */
function withEach(runs: readonly RunRows[]): readonly string[] {
  const all = cells.measuresOf(runs);
  return [...all.filter(({ each }) => each !== undefined), ...all.filter(({ each }) => each === undefined)].map(
    ({ name }) => name,
  );
}

/** Lists tasks on which any other run differs from the first; `-` if one does not have the task. */
export function flipped(before: RunRows, others: readonly RunRows[], measure: Measure): TableFigure {
  const compared = others.map((other) => measuredPairs(before, other, measure));
  const places = flippedPlaces(compared);
  const count = places[0]!.length;
  const textOf = textsOf(measure);
  const rowOf = (index: number): readonly Cell[] => {
    const first = places.findIndex((own) => own[index] !== undefined);
    const { task, question } = firstOf(compared[first]!.pairs.before[places[first]![index]!]!);
    const shown = [
      sideCell(compared[first]!, "before", places[first]![index], textOf),
      ...compared.map((pair, at) => sideCell(pair, "after", places[at]![index], textOf)),
    ];
    return [{ text: task, tasks: shown.flatMap(({ tasks = [] }) => tasks) }, ...shown, { text: question }];
  };
  return {
    kind: "table",
    title: `Tasks whose ${measure.title} differs`,
    columns: tableColumns(
      ["Task"],
      [...[before, ...others].map(({ label }) => label), { title: "Question", align: "left" }],
    ),
    rows: count > many ? madeWhenRead(count, rowOf) : Array.from({ length: count }, (_, index) => rowOf(index)),
    notes: [counted(count, "task")],
  };
}

/** Returns the value of a run's task at this place; `-` without a place. */
function sideCell({ pairs, values }: MeasuredPairs, side: PairSide, at: number | undefined, textOf: ValueText): Cell {
  if (at === undefined) return cells.textCell("-");
  const tasks = cells.refs(rowsOf(pairs[side][at]!));
  const value = values![side][at];
  if (value === undefined) return { text: "-", tasks };
  const [row] = rowsOf(pairs[side][at]!);
  const cause = tasks.length === 1 && row?.cause !== undefined && isUnread(row) ? ` (${briefCause(row.cause)})` : "";
  const trials = tasks.length === 1 ? cause : ` (${tasks.length} trials)`;
  return { text: `${textOf(value)}${trials}`, tasks, value };
}

type ValueText = (value: number) => string;

/** Cached texts of values, because hundreds of thousands of tasks share a few of them. */
function textsOf({ unit }: Measure): ValueText {
  const known = new Map<number, string>();
  return (value) => {
    const text = known.get(value) ?? cells.shownValue(value, unit);
    if (known.size < 1000) known.set(value, text);
    return text;
  };
}

/** The places of all tasks in which any pair of runs differs, for each pair; undefined if a pair lacks the task. */
type Places = readonly (readonly (number | undefined)[])[];

function flippedPlaces(compared: readonly MeasuredPairs[]): Places {
  // With two runs nothing has to be looked up again, though there may be hundreds of thousands of tasks.
  if (compared.length === 1) return compared.map(flippedAt);
  const places = compared.map((): (number | undefined)[] => []);
  const known = new Map<string, number>();
  const taskAt = ({ pairs }: MeasuredPairs, at: number) => firstOf(pairs.before[at]!).task;
  for (const each of compared)
    for (const at of flippedAt(each)) {
      const task = taskAt(each, at);
      if (!known.has(task)) known.set(task, known.size);
    }
  for (const [index, each] of compared.entries()) {
    places[index]!.length = known.size;
    for (let at = 0; at < each.pairs.before.length; at++) {
      const task = known.get(taskAt(each, at));
      if (task !== undefined) places[index]![task] = at;
    }
  }
  return places;
}

/** Returns the places of pairs whose values differ; a value that is present in only one of the two counts as different. */
function flippedAt({ values }: MeasuredPairs): readonly number[] {
  const { before = [], after = [] } = values ?? {};
  const found: number[] = [];
  for (let at = 0; at < before.length; at++) if (before[at] !== after[at]) found.push(at);
  return found;
}
