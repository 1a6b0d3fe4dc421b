/** Measures by task difficulty, laid out as chosen: one row per run and group, or like a paper's table. */
import type { Analysis } from "../source/engine/analysis.ts";
import type { TableFigure } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { groupedBars } from "../source/engine/measures/grouped-bars.ts";
import { pivot } from "../source/engine/measures/pivot/pivot.ts";
import {
  axisLists,
  facetTitles,
  measureLists,
  measuresNamed,
  pivotTitle,
} from "../source/engine/measures/pivot/pivot-choices.ts";
import { reportedLists, reportedNamed } from "../source/engine/measures/reported-lines.ts";

export const difficulty: Analysis = {
  name: "difficulty",
  title: "Difficulty",
  question: "How do the scores differ between groups of tasks?",
  choices: (runs) => ({
    by: cells.groupings(runs),
    mode: [...new Set(cells.measuresOf(runs).map(({ mode }) => mode))],
    intervals: ["on", "off"],
    average: ["off", "on"],
    floor: ["off", "on"],
  }),
  lists: (runs) => ({
    ...measureLists(runs),
    ...axisLists(runs),
    ...reportedLists(runs),
  }),
  missing: (runs) =>
    cells.usableFacets(runs).length === 0 ? "This suite's tasks have no facets to group by" : undefined,
  needsFloors: true,
  compute(
    runs,
    { by = "", mode = "", intervals = "on", average = "off", floor = "off" },
    { rows = [], columns = [], measures = [], paper = [] } = {},
  ) {
    const shown = measuresNamed(runs, measures, mode);
    const lines = rows.length > 0 || columns.length > 0 || by === cells.ungrouped ? rows : [by];
    const reported = reportedNamed(runs, paper);
    const { table, bars, notes } = pivot(runs, {
      rows: lines,
      columns,
      measures: shown,
      reported,
      intervals: intervals === "on",
      floors: floor === "on",
      average: average === "on",
    });
    const left = cells.shortfall(runs);
    const figure: TableFigure = {
      kind: "table",
      title: pivotTitle(runs, shown, [...lines, ...columns], mode),
      ...table,
      notes: [
        ...cells.measureNotes(shown),
        ...notes,
        ...(average === "on" ? ["Average: the unweighted mean of the columns"] : []),
        ...left,
      ],
    };
    const [first] = shown;
    if (first === undefined) return [figure];
    const { title, unit } = first;
    const groups = facetTitles(runs, [...lines, ...columns]);
    return [
      figure,
      ...groupedBars({ title, by: groups, unit, notes: [...cells.measureNotes([first]), ...left] }, bars),
    ];
  },
};
