/** UltraTool's table: one row for each model, nine columns for its six abilities, and the published rows. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, copyOf, type Figure, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { floorRows, withFloor } from "../source/engine/measures/floor.ts";
import { lookedCell } from "../source/engine/measures/unfinished.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { groupsAcrossSplits, type RunGroup } from "../source/engine/measures/run-groups.ts";
import { groupedBars } from "../source/engine/measures/grouped-bars.ts";
import { ranked, taskClasses } from "../source/engine/measures/ranked.ts";
import type { Measure, Reported } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { filtered } from "../source/engine/work/growing-list.ts";

/** Column heads short enough for ten columns in a terminal, keyed by the ending of a measure's name. */
const short: Readonly<Record<string, string>> = {
  planning: "Plan",
  "tool_creation_awareness.global": "CrAw G",
  "tool_creation_awareness.local": "CrAw L",
  tool_creation: "Create",
  "tool_usage_awareness.global": "UsAw G",
  "tool_usage_awareness.local": "UsAw L",
  "tool_selection.global": "Sel G",
  "tool_selection.local": "Sel L",
  tool_usage: "Usage",
  overall: "Overall",
};

const legend =
  "Plan: planning; CrAw: tool creation awareness; Create: tool creation; UsAw: tool usage awareness; Sel: tool selection; G: samples with every step right; L: steps right";

export const aspects: Analysis = {
  name: "aspects",
  title: "Abilities",
  question: "Which of the six abilities does a model have, compared with published models?",
  choices: (runs) => ({
    language: languagesOf(runs),
    mode: ["official", "strict"],
    published: ["beside", "off"],
    floor: ["off", "on"],
  }),
  missing: (runs) =>
    runs.some(({ rows }) => rowContents(rows).facets.has("aspect"))
      ? undefined
      : "These tasks are not grouped by ability (facet `aspect`)",
  needsFloors: true,
  compute(runs, { language = "", mode = "official", published = "beside", floor = "off" }) {
    const measures = columnsOf(runs, mode);
    const groups = groupsAcrossSplits(runs).map((group) => ({
      ...group,
      rows: cells.withFacet(group.rows, "language", language),
    }));
    const shown = groups.filter(({ rows }) => rows.length > 0);
    const own = shown.map((group) => ownRow(group, measures));
    const beside = published === "beside" ? publishedRows(runs, measures, language) : [];
    const classes = taskClasses([
      ...shown.map(({ rows }) => ({ group: "", rows })),
      ...beside.map(() => ({ group: "" })),
    ]);
    const lines = [...own, ...beside].map((cells, at): Line => ({ class: classes[at]!, cells }));
    const body = ranked(
      lines.map((line) => ({ class: line.class, cells: line.cells.slice(1) })),
      measures,
    );
    const figure: TableFigure = {
      kind: "table",
      title: `Six abilities, ${language} (${mode})`,
      columns: tableColumns(
        ["Model"],
        measures.map(({ name, title }) => short[columnName(name)] ?? title),
      ),
      rows: [
        ...lines.map((line, index) => [line.cells[0]!, ...body[index]!]),
        ...(floor === "on" ? floorRows(own) : []),
      ],
      notes: [legend, ...notesOn(shown, measures, language), ...cells.shortfall(runs)],
    };
    return [figure, ...bars(lines, measures, figure.notes)];
  },
};

const hasScore = ({ score }: Row): boolean => score !== undefined;

type Line = { readonly class: string | undefined; readonly cells: readonly Cell[] };

/** Draws the abilities as bars, for the user's models and, if few, the published ones. */
function bars(lines: readonly Line[], measures: readonly Measure[], notes: readonly string[]): readonly Figure[] {
  const all = measures.flatMap(({ name, title }, at) =>
    lines.map((line) => ({
      group: short[columnName(name)] ?? title,
      label: line.cells[0]!.text,
      cell: line.cells[at + 1]!,
    })),
  );
  return groupedBars({ title: "Score", by: "ability", unit: "percent", notes }, all);
}

function languagesOf(runs: readonly RunRows[]): readonly string[] {
  const found = runs.flatMap(({ rows }) => {
    const counts = rowContents(rows).facets.get("language") ?? new Map<string | number, number>();
    const named = counts.values().reduce((sum, count) => sum + count, 0);
    return [...counts.keys().map(String), ...(named < rows.length ? [""] : [])];
  });
  return found.length === 0 ? ["en"] : [...new Set(found)].toSorted();
}

/** Returns the column of a measure: `tool_usage` for `official.tool_usage`. */
const columnName = (measure: string): string => measure.slice(measure.indexOf(".") + 1);

/** Returns the columns in the paper's order, followed by the mean of all. */
function columnsOf(runs: readonly RunRows[], mode: string): readonly Measure[] {
  const measures = cells
    .measuresOf(runs)
    .filter((measure) => measure.mode === mode && columnName(measure.name) in short);
  const order = Object.keys(short);
  return measures.toSorted((a, b) => order.indexOf(columnName(a.name)) - order.indexOf(columnName(b.name)));
}

function ofColumn(rows: readonly Row[], measure: Measure): readonly Row[] {
  const column = columnName(measure.name);
  const [aspect] = column.split(".");
  return column === "overall" ? rows : cells.withFacet(rows, "aspect", aspect!);
}

const ownRow = (group: RunGroup, measures: readonly Measure[]): Cell[] => [
  cells.withTasks({ text: group.label }, group.rows),
  ...measures.map((measure) => {
    const rows = ofColumn(group.rows, measure);
    const cell = withFloor(lookedCell(measure, rows, group.runs), measure, rows, group.runs);
    const made = cells.withFacet(rows, "edition", "home-made").length > 0;
    if (!made || cell.value === undefined) return cell;
    return copyOf(cell, {
      text: `${cell.text}#`,
      note: "Home-made tasks: not comparable with published numbers",
    });
  }),
];

function publishedRows(runs: readonly RunRows[], measures: readonly Measure[], language: string): Cell[][] {
  const byModel = new Map<string, Map<string, Reported>>();
  for (const reported of new Set(runs.flatMap((run) => run.reported.values))) {
    if (reported.where["language"] !== language) continue;
    const known = byModel.get(reported.row) ?? new Map<string, Reported>();
    byModel.set(reported.row, known.set(columnName(reported.measure), reported));
  }
  return [...byModel].map(([model, values]) => [
    cells.textCell(model, { reported: true }),
    ...measures.map(({ name, unit }) => cells.reportedCell(values.get(columnName(name)), unit)),
  ]);
}

/** Notes on the numbers: missing tasks, home-made tasks, or a sample in place of all tasks. */
function notesOn(groups: readonly RunGroup[], measures: readonly Measure[], language: string): readonly string[] {
  const editions = new Set<string | number>();
  const scored = new Set<Measure>();
  for (const { rows } of groups) {
    for (const edition of cells.byFacet(rows, "edition").keys()) editions.add(edition);
    for (const measure of measures)
      if (!scored.has(measure) && filtered(hasScore, ofColumn(rows, measure)).length > 0) scored.add(measure);
  }
  const empty = measures.filter((measure) => !scored.has(measure));
  const titles = empty.map(({ title }) => title).filter((title) => title !== "Overall");
  return [
    ...(titles.length > 0 ? [`No answers here for: ${titles.join("; ")}`] : []),
    ...(titles.length > 0 ? ["Overall is the mean of all nine columns, so it is empty if one of them is empty"] : []),
    ...(editions.has("home-made")
      ? ["#: home-made tasks, because the published test set is not in the public files"]
      : []),
    ...(editions.has("sample") ? ["Sample tasks of this program: far fewer and easier than the published ones"] : []),
    ...(language === "en" ? [] : ["The published table covers English only"]),
  ];
}
