/** The main result: a measure by run as bars, and a table with the effort of the runs. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type BarsFigure, copyOf, type TableFigure } from "../source/engine/figure.ts";
import { effortCounts, effortMeasures } from "../source/engine/measures/effort.ts";
import { floorNotes, withFloor } from "../source/engine/measures/floor.ts";
import { intervalAtAnyLook } from "../source/engine/measures/unfinished.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import {
  axisLists,
  measureLists,
  measuresNamed,
  pivotTitle,
  variedFields,
} from "../source/engine/measures/pivot/pivot-choices.ts";
import { pivot } from "../source/engine/measures/pivot/pivot.ts";
import { reportedLists, reportedNamed } from "../source/engine/measures/reported-lines.ts";
import { isJudged, judgedItems } from "../source/engine/session/judging/judged-items.ts";
import { peopleVerdicts, usualCheck } from "../source/engine/session/judging/people-verdicts.ts";
import type { Measure } from "../source/engine/suite.ts";
import { ratesTable } from "./judged-rates.ts";

export const overview: Analysis = {
  name: "overview",
  title: "Overview",
  question: "How good is each run, how certain is that, and how much effort did it take?",
  choices: (runs) => ({
    mode: [...new Set(cells.measuresOf(runs).map(({ mode }) => mode))],
    effort: ["on", "off"],
    intervals: ["on", "off"],
    floor: ["off", "on"],
  }),
  needsFloors: true,
  lists: (runs) => ({ ...axisLists(runs), ...measureLists(runs), ...reportedLists(runs) }),
  compute(runs, chosen, { rows = [], columns = [], measures = [], paper = [] } = {}) {
    const { mode = "", effort = "on", intervals = "on", floor = "off" } = chosen;
    const all = cells.measuresOf(runs);
    const ofMode = all.filter((measure) => measure.mode === mode);
    const main = all.find(({ name }) => name === measures[0]) ?? cells.firstKnown(ofMode, runs);
    // The settings in which a grid differs are its axes: the first defines the lines, the second the columns.
    const [first, second] = variedFields(runs);
    const isOwn = rows.length === 0 && columns.length === 0;
    const lines = isOwn ? [first ?? []].flat() : rows;
    const across = isOwn ? [second ?? []].flat() : columns;
    // With several columns there is room for only one measure.
    const isWide = across.length > 0 && (measures.length === 0 || measures.includes("main"));
    const scores = isWide ? [main] : measuresNamed(runs, measures, mode);
    const laidOut = pivot(runs, {
      rows: lines,
      columns: across,
      measures: [...scores, ...(effort === "on" ? effortMeasures(runs) : [])],
      reported: reportedNamed(runs, paper),
      intervals: intervals === "on",
      floors: floor === "on",
      together: true,
    });
    const table: TableFigure = {
      kind: "table",
      title: pivotTitle(runs, scores, [...lines, ...across], mode),
      ...laidOut.table,
      notes: [
        ...cells.measureNotes(scores),
        ...laidOut.notes,
        ...(effort === "on" ? ["Calls, tokens, seconds and cost are means per task, excluding the judge"] : []),
        ...cells.shortfall(runs, effort === "on" ? effortCounts : {}),
      ],
    };
    return [bars(runs, main), table, ...checkedRates(runs)];
  },
};

/** Returns the success rates of judged runs according to the judge and to people; empty if nobody has checked the judges. */
function checkedRates(runs: readonly RunRows[]): readonly TableFigure[] {
  const codes = runs.find((run) => run.codes !== undefined)?.codes;
  const check = codes && usualCheck(codes);
  const judged = runs.filter(isJudged);
  if (check === undefined || judged.length === 0) return [];
  const items = judgedItems(judged);
  const said = peopleVerdicts(judged, items, check);
  return "problem" in said ? [] : ratesTable(items, said, check.people);
}

function bars(runs: readonly RunRows[], measure: Measure): BarsFigure {
  const { title, unit, note } = measure;
  const able = runs.flatMap((run) => (cells.isKnown(measure, [run]) ? [run] : []));
  const drawn = able.map((run) => {
    const ended = cells.endedRows(run.rows);
    const { anytime, ...ends } = intervalAtAnyLook(measure, ended, [run]) ?? {};
    const cell = withFloor(cells.measureCell(measure, ended), measure, ended, [run]);
    return { label: run.label, cell: anytime === true ? copyOf(cell, { anytime }) : cell, ...ends };
  });
  const values = drawn.map(({ cell }) => cell);
  return {
    kind: "bars",
    title: `${title} by run`,
    unit: unit === "percent" ? "%" : unit,
    bars: drawn,
    ...(unit === "percent" ? { max: 1 } : {}),
    notes: [
      ...(note === undefined ? [] : [note]),
      ...(measure.each === undefined ? [`${title} is not a mean over tasks, so it has no interval`] : []),
      ...floorNotes(measure, values, able),
      ...cells.shortfall(able),
    ],
  };
}
