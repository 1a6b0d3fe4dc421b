/** Draws the tokens of runs over the time in which they worked. */
import type { RunRows } from "../source/engine/analysis.ts";
import type { LinesFigure } from "../source/engine/figure.ts";
import { usageOf } from "../source/engine/measures/effort.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Row } from "../source/engine/types.ts";
import { flatMapped } from "../source/engine/work/growing-list.ts";

/** More points could not be told apart. */
const mostPoints = 60;

type Unit = { readonly name: string; readonly seconds: number };
const units: readonly Unit[] = [
  { name: "hours", seconds: 3600 },
  { name: "minutes", seconds: 60 },
  { name: "seconds", seconds: 1 },
];

/** Returns a line a run: the tokens of its ended tasks, summed up to each moment; with `judge`, the judge's too. */
export function tokensOverTime(runs: readonly RunRows[], judge: boolean): LinesFigure {
  const all = runs.map(({ label, rows }) => ({ label, ended: timedRows(flatMapped(spentOf, cells.endedRows(rows))) }));
  const longest = Math.max(0, ...all.map(({ ended }) => ended.at(-1)?.seconds ?? 0));
  // Two of a unit are the fewest that its name describes well.
  const unit = units.find(({ seconds }) => longest >= 2 * seconds) ?? units.at(-1)!;
  return {
    kind: "lines",
    title: "Tokens over time",
    x: `${unit.name} of work`,
    y: "tokens so far",
    series: all.map(({ label, ended }) => ({ label, points: pointsOf(ended, unit, judge) })),
    notes: ["The tokens of a task are counted when it ends; time in which no task ran is left out"],
  };
}

/** The times and tokens of a row; of the tokens, the first number leaves out the judge's. */
type SpentRow = Pick<Row, "from" | "to"> & { readonly row: Row; readonly tokens: readonly [number, number] };
const spentOf = (row: Row): SpentRow => {
  const { from, to } = row;
  return { row, from, to, tokens: [tokensOf(row, false), tokensOf(row, true)] };
};

type TimedRow = { readonly row: SpentRow; readonly seconds: number };

/**
 * Returns rows in the order of their ends, each with the seconds until its end in which at least one row ran: a run may be
 * continued days later.
 */
function timedRows(rows: readonly SpentRow[]): readonly TimedRow[] {
  const spans: { from: number; to: number; before: number }[] = [];
  for (const { from, to } of rows.toSorted((one, other) => one.from - other.from)) {
    const last = spans.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from, to, before: last === undefined ? 0 : last.before + last.to - last.from });
  }
  let at = 0;
  return rows
    .toSorted((one, other) => one.to - other.to)
    .map((row) => {
      while (spans[at]!.to < row.to) at += 1;
      const { from, before } = spans[at]!;
      return { row, seconds: (before + row.to - from) / 1000 };
    });
}

/** Returns the start and at most `mostPoints` moments, including the last end, with equal numbers of tasks between them. */
function pointsOf(ended: readonly TimedRow[], unit: Unit, judge: boolean): LinesFigure["series"][number]["points"] {
  const points = Math.min(mostPoints, ended.length);
  const start = { x: 0, cell: cells.textCell("0", { value: 0, n: 0 }) };
  let [tokens, from] = [0, 0];
  return [
    ...(points === 0 ? [] : [start]),
    ...Array.from({ length: points }, (_, point) => {
      const until = Math.round(((point + 1) * ended.length) / points);
      const rows = ended.slice(from, until).map(({ row }) => row);
      for (const row of rows) tokens += row.tokens[judge ? 1 : 0];
      from = until;
      const cell = cells.withTasks({ text: String(tokens), value: tokens, n: until }, () => rows.map(({ row }) => row));
      return { x: Number((ended[until - 1]!.seconds / unit.seconds).toPrecision(6)), cell };
    }),
  ];
}

function tokensOf(row: Row, judge: boolean): number {
  const { input, output } = usageOf(row, judge).tokens;
  return input + output;
}
