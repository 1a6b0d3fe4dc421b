/** Measures the effect of the user profile: the same tasks with and without the profile, in the layout of the paper's Table 5. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { lookedCell } from "../source/engine/measures/unfinished.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { pairsBy, type RunPair, tablesOfPairs } from "../source/engine/measures/option-pairs.ts";
import { comparedTasks, pairedTasks, rowsOf, scoredPairs, testNotes } from "../source/engine/measures/task-pairs.ts";
import { holm, type Comparison } from "../source/engine/statistics/paired.ts";
import type { Measure, Reported } from "../source/engine/suite.ts";
import { modelTitle } from "../source/engine/measures/run-field.ts";
import type { Row } from "../source/engine/types.ts";
import { checkColumns, columnChoices, columnsOf, hasChecks, reportedLine, reportedNotes } from "./plan-checks.ts";

export const profile: Analysis = {
  name: "profile",
  title: "User profile",
  question: "How much does knowing the user profile help?",
  choices: (runs) => ({
    columns: columnChoices(runs),
    by: ["nothing", ...cells.usableFacets(runs)],
    measures: cells.measuresOf(runs).map(({ name }) => name),
    paper: ["off", "on"],
  }),
  missing: (runs) =>
    pairs(runs).length > 0
      ? undefined
      : "No two runs differ in the profile alone: set `profile: [on, off]` in the run cell and run both",
  compute(runs, { columns = "table", by = "nothing", measures: named = "", paper = "off" }) {
    const measures = columnsOf(runs, columns);
    const own = pairs(runs);
    const whole = own.map(([off, on]) => table(off, on, measures, paper === "on" ? reportedFor(on) : []));
    if (by === "nothing") return whole;
    return [...whole, ...tablesOfPairs(own, "profile", cells.measureNamed(runs, named), by)];
  },
};

/** Returns pairs of runs: the run without the profile first, as in the paper. */
const pairs = (runs: readonly RunRows[]): readonly RunPair[] =>
  pairsBy(runs.filter(hasChecks), "profile").map(([a, b]) => (isOff(a) ? [a, b] : [b, a]));

const isOff = ({ spec }: RunRows): boolean => spec.options["profile"] === "off";

const reportedFor = ({ reported }: RunRows): readonly Reported[] =>
  reported.values.filter(({ setting }) => setting?.["profile"] !== undefined);

function table(off: RunRows, on: RunRows, measures: readonly Measure[], reported: readonly Reported[]): TableFigure {
  const both = scoredPairs(pairedTasks(off, on), {});
  const without = both.before.flatMap(rowsOf);
  const having = both.after.flatMap(rowsOf);
  const compared = measures.map((measure) => comparedTasks(both, measure));
  const tested = compared.filter((each) => each !== undefined);
  const corrected = holm(tested.map(({ p }) => p));
  const adjusted = compared.map((each) => (each === undefined ? undefined : corrected[tested.indexOf(each)]));
  const line = (name: string, rows: readonly Row[], run: RunRows): Cell[] => [
    cells.withTasks(cells.textCell(name), rows),
    ...measures.map((measure) => lookedCell(measure, rows, [run])),
    cells.countCell(rows),
  ];
  const beside = Map.groupBy(reported, ({ row }) => row);
  return {
    kind: "table",
    title: `With and without the user profile: ${modelTitle(on)}`,
    columns: tableColumns(["Profile"], [...checkColumns(measures), "n"]),
    rows: cells.withPrintedDecimals([
      line("off", without, off),
      line("on", having, on),
      [cells.textCell("gap"), ...measures.map((measure, index) => gap(measure, compared[index])), cells.textCell("")],
      [cells.textCell("p (Holm)"), ...adjusted.map(shownP), cells.textCell("")],
      ...[...beside].map(([row, values]) => reportedLine([row], measures, values)),
    ]),
    notes: [
      "Only tasks with a score in both runs count. Gap: the value with the profile minus the value without, over tasks to which the column applies in both runs",
      ...testNotes(compared),
      "p (Holm) is corrected over the columns that were tested",
      ...reportedNotes(reported),
      ...cells.shortfall([off, on]),
    ],
  };
}

function gap({ unit }: Measure, compared: Comparison | undefined): Cell {
  if (compared === undefined) return cells.textCell("-");
  const { difference, n, interval } = compared;
  const note =
    interval === undefined
      ? {}
      : { note: `95 %: ${cells.shownValue(interval.low, unit)} .. ${cells.shownValue(interval.high, unit)}` };
  return { text: `${difference > 0 ? "+" : ""}${cells.shownValue(difference, unit)}`, value: difference, n, ...note };
}

const shownP = (p: number | undefined): Cell =>
  p === undefined ? cells.textCell("-") : { text: p < 0.0001 ? "<0.0001" : p.toFixed(4), value: p };
