/**
 * Constraints that plans satisfy: pass rates in the layout of TravelPlanner's Table 3, every constraint in that of
 * Table 4.
 */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, type Figure, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { floorRows, withFloor } from "../source/engine/measures/floor.ts";
import { lookedCell } from "../source/engine/measures/unfinished.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { groupedBars } from "../source/engine/measures/grouped-bars.ts";
import type { Measure, Reported } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { grouped } from "../source/engine/work/growing-list.ts";

const PREFIX = "constraint.";
const BASELINE = "baseline";
const PAPER = ["same mode", "all", "off"] as const;

export const constraints: Analysis = {
  name: "constraints",
  title: "Constraints",
  question: "Which constraints do the plans satisfy, and how many plans satisfy all of them?",
  choices: (runs) => ({
    by: levelFirst(cells.groupings(runs)),
    paper: PAPER,
    show: ["all", "rates", "constraints"],
    runs: ["apart", "together"],
    floor: ["off", "on"],
  }),
  missing: (runs) =>
    constraintsOf(runs).length === 0 ? "None of these suites checks its plans against constraints" : undefined,
  needsFloors: true,
  compute(runs, { by = "level", paper = "same mode", show = "all", runs: how = "apart", floor = "off" }) {
    const able = runs.filter((run) => constraintsOf([run]).length > 0);
    const tables = how === "together" ? [able] : able.map((run) => [run]);
    return [
      ...(show === "constraints" ? [] : rates(able, paper, floor === "on")),
      ...(show === "rates" ? [] : tables.map((of) => table(of, by, paper))),
    ];
  },
};

const isConstraint = ({ name }: Measure) => name.startsWith(PREFIX);

const constraintsOf = (runs: readonly RunRows[]): readonly Measure[] => cells.measuresOf(runs).filter(isConstraint);

const levelFirst = (facets: readonly string[]): readonly string[] =>
  facets.includes("level") ? ["level", ...facets.filter((name) => name !== "level")] : facets;

/**
 * Builds a table with a row for each run, a column for each rate, and the paper's rows for the same split below. Also draws the
 * rates as bars.
 */
function rates(runs: readonly RunRows[], paper: string, showsFloors: boolean): readonly Figure[] {
  const measures = cells.measuresOf(runs).filter((measure) => !isConstraint(measure) && measure.unit === "percent");
  const lines = runs.map((run): Cell[] => {
    const ended = cells.endedRows(run.rows);
    const shown = measures.map((measure) => withFloor(cells.measureCell(measure, ended), measure, ended, [run]));
    return [cells.textCell(run.label), ...shown, cells.countCell(ended)];
  });
  const names = new Set(measures.map(({ name }) => name));
  const reported = reportedFor(runs, paper, "own").filter(
    ({ measure, where }) => names.has(measure) && Object.keys(where).every((facet) => facet === "split"),
  );
  const groups = Map.groupBy(reported, ({ row, where }) => `${row}\n${where["split"] ?? ""}`);
  const below = [...groups.values()].map((values): Cell[] => {
    const { row, where, source } = values[0]!;
    const of = new Map(values.map((value) => [value.measure, value]));
    return [
      cells.textCell(row, { reported: true, note: source }),
      ...measures.map(({ name, unit }) => cells.reportedCell(of.get(name), unit)),
      cells.textCell(String(where["split"] ?? ""), { reported: true }),
    ];
  });
  const notes = notesOf(runs, measures);
  const bars = measures.flatMap(({ title }, at) =>
    [...lines, ...below].map((line) => ({ group: title, label: line[0]!.text, cell: line[at + 1]! })),
  );
  return [
    {
      kind: "table",
      title: "Pass rates",
      columns: tableColumns(["Run"], [...measures.map(({ title }) => title), "n / split"]),
      rows: cells.withPrintedDecimals([...lines, ...below, ...(showsFloors ? floorRows(lines) : [])]),
      notes,
    },
    ...groupedBars({ title: "Pass rates", by: "", unit: "percent", notes }, bars),
  ];
}

/**
 * Builds a table with a row for each constraint and for the final pass rate. It has a column for each group of each run, and
 * the reported columns on the right.
 */
function table(runs: readonly RunRows[], by: string, paper: string): TableFigure {
  const first = runs[0]!;
  const measures = [...constraintsOf(runs), ...first.suite.measures.filter(({ name }) => name === "final")];
  const several = runs.length > 1;
  const perRun = runs.map((run) => {
    const ended = cells.endedRows(run.rows);
    const groups =
      by === cells.ungrouped ? [["all", ended] as const] : cells.byFacet(ended, by, cells.facetOrder(runs, by));
    return [...groups].map(([value, rows]) => ({
      ...(several ? { under: [run.label] } : {}),
      title: String(value),
      rows,
      run,
    }));
  });
  const own = perRun.flat();
  const beside = reportedColumns(runs, { measures, by, paper });
  const lines = measures.map((measure): Cell[] => [
    cells.textCell(groupOf(first, measure)),
    cells.textCell(measure.title),
    ...own.map(({ rows, run }) => constraintCell(measure, rows, run)),
    ...beside.map(({ values }) => cells.reportedCell(values.get(measure.name), measure.unit)),
  ]);
  const columns = [...own, ...beside].map(({ under, title }) => ({
    title,
    align: "right" as const,
    ...(under === undefined ? {} : { under }),
  }));
  return {
    kind: "table",
    title: `Constraints${cells.groupedBy(runs, by)}${several ? "" : `: ${first.label}`}`,
    columns: [...tableColumns(["Group", "Constraint"], []), ...columns],
    rows: cells.withPrintedDecimals(lines),
    notes: [
      "Enter on a value opens the plans that break the constraint",
      ...new Set(beside.map(({ about }) => `Reported values: ${about}`)),
      ...notesOf(runs, measures),
    ],
  };
}

/** Returns the share of plans that satisfy the constraint, with the failing plans behind it. */
function constraintCell(measure: Measure, rows: readonly Row[], run: RunRows): Cell {
  const broken = (measure.each && grouped(measure.each, rows).get(0)) ?? [];
  const cell = lookedCell(measure, rows, [run]);
  return broken.length === 0 ? cell : cells.withTasks(cell, broken);
}

function groupOf({ suite }: RunRows, { name }: Measure): string {
  const group = suite.errorKinds.find((kind) => kind.name === name.slice(PREFIX.length))?.group ?? "";
  return group.split(" ")[0]!;
}

type ReportedColumn = {
  readonly title: string;
  readonly under: readonly string[];
  readonly about: string;
  readonly values: ReadonlyMap<string, Reported>;
};

/** Titles reported columns by their row if there are several runs or rows, otherwise `paper`. */
function reportedColumns(
  runs: readonly RunRows[],
  { measures, by, paper }: { readonly measures: readonly Measure[]; readonly by: string; readonly paper: string },
): readonly ReportedColumn[] {
  const names = new Set(measures.map(({ name }) => name));
  const fitting = reportedFor(runs, paper, "any").filter(
    ({ measure, where }) => names.has(measure) && where[by] !== undefined,
  );
  const several = new Set(fitting.map(({ row }) => row)).size > 1;
  const groups = Map.groupBy(fitting, ({ row, where }) => `${row}\n${where[by]}`);
  return [...groups.values()].map((values) => {
    const { source, row, where } = values[0]!;
    const split = where["split"] === undefined ? "" : `, ${where["split"]} split`;
    return {
      under: [runs.length > 1 || several ? row : "paper"],
      title: String(where[by]),
      about: `${source}${several ? "" : `, ${row}`}${split}`,
      values: new Map(values.map((each) => [each.measure, each])),
    };
  });
}

/**
 * Selects reported numbers for the modes (or all modes) and splits of these runs. If the paper does not report a split, selects
 * the validation split.
 */
function reportedFor(runs: readonly RunRows[], paper: string, splits: "own" | "any"): readonly Reported[] {
  if (paper === "off") return [];
  const found = runs.flatMap((run) => {
    const there = new Set(run.reported.values.map(({ where }) => where["split"]));
    const known = rowContents(run.rows).facets.get("split") ?? new Map<string | number, number>();
    const named = known.values().reduce((sum, count) => sum + count, 0);
    const ofRows = named < run.rows.length ? [...known.keys(), undefined] : [...known.keys()];
    const own = new Set(ofRows.map((split) => (split !== undefined && there.has(split) ? split : "validation")));
    const mode = modeOf(run);
    return run.reported.values.filter(({ where, setting }) => {
      const sameSplit = splits === "any" || where["split"] === undefined || own.has(where["split"]);
      const other = setting?.["mode"];
      const sameMode = mode === undefined || other === undefined || other === mode || other === BASELINE;
      return sameSplit && (sameMode || paper === "all");
    });
  });
  return [...new Set(found)];
}

/** Returns the mode of a run: its own option, otherwise the suite's default. Strategies that use no model are baselines. */
function modeOf({ spec, suite }: RunRows): string | number | undefined {
  const strategy = suite.strategies.find(({ name }) => name === spec.strategy);
  if (strategy?.roles.length === 0) return BASELINE;
  return spec.options["mode"] ?? suite.options.find(({ name }) => name === "mode")?.default;
}

function notesOf(runs: readonly RunRows[], measures: readonly Measure[]): readonly string[] {
  const notes = measures.flatMap(({ note }) => (note === undefined ? [] : [note]));
  return [...new Set(notes), ...cells.shortfall(runs)];
}
