/** The result for each kind of task in the layout of the paper's Table 2, and every check in the layout of Tables 7 to 9. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, type Figure, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { withFloor } from "../source/engine/measures/floor.ts";
import { lookedCell } from "../source/engine/measures/unfinished.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { ColumnGroup } from "../source/engine/measures/pivot/axis.ts";
import { groupedBars } from "../source/engine/measures/grouped-bars.ts";
import { pivot } from "../source/engine/measures/pivot/pivot.ts";
import type { Measure, Reported } from "../source/engine/suite.ts";
import type { Facets, Row } from "../source/engine/types.ts";
import { filtered, keyByName } from "../source/engine/work/growing-list.ts";
import {
  checkColumns,
  columnChoices,
  columnsOf,
  hasChecks,
  reportedLine,
  reportedNotes,
  whyNoChecks,
} from "./plan-checks.ts";

type Line = { readonly name: string; readonly where: Facets };

export const structure: Analysis = {
  name: "structure",
  title: "Structure",
  question: "Which checks fail in which kind of plan?",
  choices: (runs) => ({
    show: ["all", "result", "checks"],
    columns: columnChoices(runs),
    paper: ["off", "all", ...new Set([...detailed(runs), ...mainNumbers(runs)].map(({ row }) => row))],
    floor: ["off", "on"],
  }),
  needsFloors: true,
  missing: (runs) => (runs.some(hasChecks) ? undefined : whyNoChecks),
  compute(runs, { show = "all", columns = "table", paper = "off", floor = "off" }) {
    const measures = columnsOf(runs, columns);
    const reported = detailed(runs).filter(({ row }) => row === paper);
    const able = runs.filter(hasChecks);
    return [
      ...(show === "checks" ? [] : mainFigures(able, paper, floor === "on")),
      ...(show === "result" ? [] : able.map((run) => table(run, measures, reported))),
    ];
  },
};

/** Reads the numbers of Table 2. */
function mainNumbers(runs: readonly RunRows[]): readonly Reported[] {
  const all = new Set(runs.filter(hasChecks).flatMap(({ reported }) => reported.values));
  return [...all].filter(({ source }) => source.endsWith("Table 2"));
}

/**
 * Builds the results in the layout of Table 2, with a row for each model and columns for relations and graphs; also draws them as
 * bars.
 */
function mainFigures(runs: readonly RunRows[], paper: string, floors: boolean): readonly Figure[] {
  const measure = cells.measureNamed(runs, "result");
  const reported = mainNumbers(runs).filter(({ row }) => paper === "all" || row === paper);
  const { table, bars } = pivot(runs, {
    rows: [],
    columns: [],
    groups: mainColumns,
    measures: [measure],
    reported,
    intervals: true,
    floors,
  });
  const { title, unit } = measure;
  const [notes, left] = [cells.measureNotes([measure]), cells.shortfall(runs)];
  const ofReported = reportedNotes(reported);
  return [
    { kind: "table", title: `${title} by kind of task`, ...table, notes: [...notes, ...ofReported, ...left] },
    ...groupedBars({ title, by: "kind of task", unit, notes: [...notes, ...left], ofReported }, bars),
  ];
}

/** Graphs of a plan, by their names in the paper's table. */
const graphs = {
  "one-to-many": "OM",
  "many-to-one": "MO",
  "many-to-many-1": "MM1",
  "many-to-many-2": "MM2",
  "many-to-many-3": "MM3",
  "many-to-many-4": "MM4",
};
/** In the paper's order. */
const mainColumns: readonly ColumnGroup[] = [
  ...["SAPP", "CAPP"].map((relation) => ({ titles: ["APP", relation], place: { relation } })),
  { titles: ["APP", "all"], place: { interface: "APP" } },
  ...["PAPI", "CAPI", "DAPI"].map((relation) => ({ titles: ["API", relation], place: { relation } })),
  ...Object.entries(graphs).map(([graph, title]) => ({ titles: ["API", title], place: { structure: graph } })),
  { titles: ["API", "all"], place: { interface: "API" } },
  { titles: ["Overall"], place: {} },
];

/** Reads the numbers of Tables 7 to 9. */
function detailed(runs: readonly RunRows[]): readonly Reported[] {
  const all = new Set(runs.filter(hasChecks).flatMap(({ reported }) => reported.values));
  return [...all].filter(({ source }) => /Table [789]$/.test(source));
}

function table(run: RunRows, measures: readonly Measure[], reported: readonly Reported[]): TableFigure {
  const ended = cells.endedRows(run.rows);
  const rows = linesOf(run).map(({ name, where }): readonly (readonly Cell[])[] => {
    const own = filtered(keptBy(where), ended);
    const beside = reported.filter((value) => isAbout(value, where));
    if (own.length === 0 && beside.length === 0) return [];
    const line: Cell[] = [
      cells.withTasks({ text: name }, own),
      ...measures.map((measure) => withFloor(lookedCell(measure, own, [run]), measure, own, [run])),
      cells.countCell(own),
    ];
    return beside.length === 0 ? [line] : [line, reportedLine([`  ${beside[0]!.row}`], measures, beside)];
  });
  return {
    kind: "table",
    title: `Checks by kind of task: ${run.label}`,
    columns: tableColumns(["Tasks"], [...checkColumns(measures), "n"]),
    rows: cells.withPrintedDecimals(rows.flat()),
    notes: [
      "Each check is a share of the tasks it applies to; plans that cannot be read have no checks and count 0 in Result and PGR",
      ...reportedNotes(reported),
      ...cells.shortfall([run]),
    ],
  };
}

/**
 * Returns the groups of the paper's tables: overall, apps, APIs, levels, levels of apps and of APIs, relations and the six
 * graphs.
 */
function linesOf(run: RunRows): readonly Line[] {
  const of = (facet: string) => [...cells.facetOrder([run], facet)].map(String);
  const relations = of("relation");
  const one = (facet: string) => (value: string) => ({ name: value, where: { [facet]: value } });
  const spaces = ["APP", "API"];
  const levels = of("level");
  return [
    { name: "Overall", where: {} },
    ...spaces.map((space) => ({ name: space, where: { interface: space } })),
    ...levels.map(one("level")),
    ...spaces.flatMap((space) =>
      levels.map((level) => ({ name: `${space} ${level}`, where: { interface: space, level } })),
    ),
    ...relations.map(one("relation")),
    ...of("structure")
      .filter((value) => !relations.includes(value))
      .map(one("structure")),
  ];
}

/** Groups by relation, because rows of older runs have no other facet for the interface. */
const keptBy = keyByName(
  (where: Facets) =>
    ({ facets }: Row): boolean =>
      Object.entries(where).every(([name, value]) =>
        name === "interface" ? String(facets["relation"]).endsWith(String(value)) : facets[name] === value,
      ),
);

function isAbout({ where }: Reported, wanted: Facets): boolean {
  const names = Object.keys(wanted);
  return Object.keys(where).length === names.length && names.every((name) => where[name] === wanted[name]);
}
