/** The judge's dimensions: weaknesses of plans and created tools, and how often the judge itself was unreadable. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, type Figure, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { groupsAcrossSplits, type RunGroup } from "../source/engine/measures/run-groups.ts";
import type { Measure } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { filtered } from "../source/engine/work/growing-list.ts";

export const judge: Analysis = {
  name: "judge",
  title: "Judge",
  question: "In which of the judge's dimensions are plans and created tools weak?",
  choices: (runs) => ({ by: ["nothing", ...cells.usableFacets(runs).filter((name) => name !== "aspect")] }),
  missing: (runs) =>
    runs.some(({ rows }) => rowContents(rows).labels.has("judge"))
      ? undefined
      : "No task here was judged: name a `judge` model in the run cell, and a split that needs one",
  compute(runs, { by = "nothing" }) {
    const groups = groupsAcrossSplits(runs).map((group) => ({
      ...group,
      rows: filtered(hasJudge, group.rows),
    }));
    const tables = ["planning", "tool_creation"].map((aspect): readonly Figure[] => {
      const ofAspect = groups.map((group) => ({
        ...group,
        rows: cells.withFacet(group.rows, "aspect", aspect),
      }));
      const own = ofAspect.filter(({ rows }) => rows.length > 0);
      return own.length === 0 ? [] : [table(own, runs, aspect, by)];
    });
    return tables.flat();
  },
};

const judgeOf = (row: Row) => row.score?.labels?.["judge"];
const hasJudge = (row: Row): boolean => judgeOf(row) !== undefined;
const isUnreadable = (row: Row): boolean => judgeOf(row) === "unreadable";

/** Lists the dimensions, then the judge's own overall score. */
function dimensionsOf(runs: readonly RunRows[], aspect: string): readonly Measure[] {
  const all = cells.measuresOf(runs);
  return [
    ...all.filter(({ name }) => name.startsWith(`judge.${aspect}.`)),
    ...all.filter(({ name }) => name === `official.${aspect}`),
  ];
}

function table(groups: readonly RunGroup[], runs: readonly RunRows[], aspect: string, by: string): TableFigure {
  const measures = dimensionsOf(runs, aspect);
  const lines = groups.map((group): (readonly [RunGroup, string, readonly Row[]])[] => {
    if (by === "nothing") return [[group, "all", group.rows]];
    const byValue = cells.byFacet(group.rows, by, cells.facetOrder(runs, by));
    return [...byValue].map(([value, rows]) => [group, String(value), rows]);
  });
  return {
    kind: "table",
    title: `The judge's dimensions: ${aspect.replaceAll("_", " ")}`,
    columns: tableColumns(
      ["Model", by === "nothing" ? "Tasks" : cells.facetTitle(runs, by)],
      [
        ...measures.map(({ name, title }) =>
          name.startsWith("official.") ? "Overall" : title.slice(title.indexOf(":") + 2),
        ),
        "Judged",
        "Unread",
      ],
    ),
    rows: lines
      .flat()
      .map(([group, name, rows]): Cell[] => [
        cells.textCell(group.label),
        cells.withTasks({ text: name }, rows),
        ...measures.map((measure) => cells.measureCell(measure, rows)),
        cells.countCell(filtered(cells.isScored, rows)),
        cells.countCell(filtered(isUnreadable, rows)),
      ]),
    notes: [
      "The judge's scale of 1 to 10 divided by 10; Overall is the judge's own score, not the mean of the dimensions",
      "Unread: replies that were not plain JSON; these replies give no score",
    ],
  };
}
