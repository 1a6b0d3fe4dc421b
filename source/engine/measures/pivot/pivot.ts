/** Tabulates measures by task facets and run settings, as the tables of papers do, together with the reported numbers. */
import type { RunRows } from "../../analysis.ts";
import { type Cell, copyOf, type TableColumn, withListed } from "../../figure.ts";
import { taskClasses, ranked } from "../ranked.ts";
import type { Measure, Reported } from "../../suite.ts";
import type { Row } from "../../types.ts";
import { isEffort } from "../effort.ts";
import { type Axis, axisNamed, type AxisValue, type ColumnGroup, type Place, type PivotLine } from "./axis.ts";
import { floorLines, withFloor } from "../floor.ts";
import { unwrappedMeasure } from "../unwrapped.ts";
import { intervalAtAnyLook } from "../unfinished.ts";
import * as cells from "../measure-cell.ts";
import { type GroupedBar, placeText, pivotBars } from "../grouped-bars.ts";
import { reportedLines, reportedNotes } from "../reported-lines.ts";
import { fieldValue } from "../run-field.ts";
import { groupOfOne, groupsAcross, type RunGroup } from "../run-groups.ts";
import { factOf } from "../../work/fact.ts";
import { filtered, grouped, joinedParts, keyByName } from "../../work/growing-list.ts";

export type PivotPlan = {
  /** Axes whose values form lines. Each run has its own lines, or each group of runs if settings form columns. */
  readonly rows: readonly string[];
  /** Axes whose values form columns, the outermost first. */
  readonly columns: readonly string[];
  /** Explicit columns, given as facet values in place of `columns`. */
  readonly groups?: readonly ColumnGroup[];
  readonly measures: readonly Measure[];
  /** Reported numbers, added as lines if they belong to one of the cells. */
  readonly reported: readonly Reported[];
  /** Adds 95 % intervals to measures that have them. */
  readonly intervals: boolean;
  /** Adds a line with the scores of the best trivial answers. */
  readonly floors?: boolean;
  /** Joins runs of one configuration on several splits into one line, even if the measures are the only columns. */
  readonly together?: boolean;
  /** Adds the plain mean of the columns as the last column. */
  readonly average?: boolean;
};

export type Pivot = {
  readonly table: { readonly columns: readonly TableColumn[]; readonly rows: readonly (readonly Cell[])[] };
  /** The bars of the first measure for each group of tasks, without averages. */
  readonly bars: readonly GroupedBar[];
  /** Why selected reported numbers are missing from the table. */
  readonly notes: readonly string[];
};

/** Matches reported numbers that have no value on the column axes. */
const averageOf = (columns: readonly ColumnGroup[]) => ({ titles: ["Average"], place: {}, meanOf: columns });

export function pivot(runs: readonly RunRows[], plan: PivotPlan): Pivot {
  const axes = plan.rows.map((name) => axisNamed(runs, name));
  const across = plan.columns.map((name) => axisNamed(runs, name));
  const fields = across.filter(({ isFacet }) => !isFacet).map(({ name }) => name);
  const told = axes.filter(({ isFacet }) => !isFacet).map(({ name }) => name);
  const isPlain = across.length === 0 && plan.groups === undefined;
  // Printed rows are named by models, so rows beside them are, too.
  const isModelShared = plan.reported.length === 0 && new Set(runs.map(({ spec }) => spec.model)).size === 1;
  const groups =
    isPlain && plan.together !== true ? runs.map(groupOfOne) : groupsAcross(runs, fields, told, isModelShared);
  const found = plan.groups ?? columnGroups(runs, across, plan);
  const columns = plan.average === true && found.length > 1 ? [...found, averageOf(found)] : found;
  const own = groups.flatMap((group) => ownLines(group, axes, across, plan));
  const reported = reportedLines(plan.reported, { axes, across, groups: columns, measures: plan.measures });
  const lines = [...own, ...reported];
  const isNamed = needsName(lines, { axes, groups, isPlain });
  const isGrouped = lines.some(({ group }) => group !== undefined);
  const lead = (line: PivotLine) => leadOf(line, axes, { isGrouped, isNamed });
  const facetPlace = ({ place }: PivotLine) =>
    JSON.stringify(axes.filter(({ isFacet }) => isFacet).map(({ name }) => place[name] ?? null));
  const classes = taskClasses(
    lines.map((line) => ({ group: facetPlace(line), ...(line.rows !== undefined && { rows: line.rows }) })),
  );
  const shown = columns.flatMap((group) => plan.measures.map((measure) => ({ group, measure })));
  const titles = shown.map(({ group, measure }) => titleOf(group, measure, plan));
  const shares = columnsShared(titles);
  const made = cells.withPrintedDecimals(
    lines.map((line) => shown.map(({ group, measure }) => line.cell(group, measure))),
  );
  const body = ranked(
    lines.map((_, index) => ({ class: classes[index]!, cells: made[index]! })),
    shown.map(({ measure }) => measure),
  );
  const table: Pivot["table"] = {
    columns: [
      ...(isGrouped ? [{ title: "Group", align: "left" as const }] : []),
      ...(isNamed ? [{ title: "Run", align: "left" as const }] : []),
      ...axes.map(({ title }) => ({ title, align: "left" as const })),
      ...shares.map((at) => withParts(at.map((index) => titles[index]!))),
      { title: "n", align: "right" },
    ],
    rows: [
      ...lines.map((line, index) => [
        ...lead(line),
        ...shares.map((at) => sharedCell(at.map((column) => body[index]![column]!))),
        line.isReported ? cells.textCell("", { reported: true }) : lineCount(line, plan.measures),
      ]),
      ...(plan.floors === true ? pivotFloors(lines, made, axes, { isGrouped, isNamed, shares }) : []),
    ],
  };
  return {
    table,
    bars: pivotBars(lines, made, columns, { axes, across, isNamed, step: plan.measures.length }),
    notes: reportedNotes(plan.reported, reported, (facet) => cells.facetTitle(runs, facet)),
  };
}

/** Returns a line of floors for each group of tasks; floors do not depend on settings, so the columns of settings stay empty. */
function pivotFloors(
  lines: readonly PivotLine[],
  made: readonly (readonly Cell[])[],
  axes: readonly Axis[],
  {
    isGrouped,
    isNamed,
    shares,
  }: { readonly isGrouped: boolean; readonly isNamed: boolean; readonly shares: readonly (readonly number[])[] },
): readonly (readonly Cell[])[] {
  const placeOf = (line: PivotLine) =>
    JSON.stringify(axes.filter(({ isFacet }) => isFacet).map(({ name }) => line.place[name] ?? null));
  const floors = floorLines(
    lines.map((of, at) => ({ of, cells: made[at]! })),
    placeOf,
  );
  return floors.map(({ label, of, cells: values }) => {
    const texts = axes.map(({ name, isFacet }) => (isFacet ? placeText(of, name, true) : ""));
    const free = texts.indexOf("");
    const named = isNamed
      ? [label, ...texts]
      : free >= 0
        ? texts.with(free, label)
        : [`${label}: ${texts[0] ?? ""}`, ...texts.slice(1)];
    const all = [...(isGrouped ? [""] : []), ...named].map((text) => cells.textCell(text));
    return [...all, ...shares.map((at) => sharedCell(at.map((column) => values[column]!))), cells.textCell("")];
  });
}

/** Returns the number of tasks of each value of a line, as a range if the numbers differ, and lists the tasks of all values. */
function lineCount({ parts = [] }: PivotLine, measures: readonly Measure[]): Cell {
  const counts = parts
    .flatMap((rows) => measures.map((measure) => (isEffort(measure) ? rows.length : cells.coveredCount(measure, rows))))
    .filter((count) => count > 0);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const covered = () => joinedParts(parts.map((rows) => coveredRows(rows, measures)));
  if (counts.length === 0) return cells.countCell(covered());
  return cells.withTasks({ text: least === most ? `${most}` : `${least} to ${most}`, value: most }, covered);
}

/** Returns the rows that count for any of the measures; measures of effort, such as tokens, have all rows. */
function coveredRows(rows: readonly Row[], measures: readonly Measure[]): readonly Row[] {
  if (measures.some(isEffort)) return rows;
  const [first] = measures;
  return first === undefined ? [] : filtered(coveredBy(first, measures), rows);
}

/** Returns the same function for the same measures: whether a row counts for any of them. */
function coveredBy(first: Measure, measures: readonly Measure[]): Covering["keeps"] {
  const known = coverings(first);
  const isSame = ({ of }: Covering) => of.length === measures.length && of.every((each, at) => each === measures[at]);
  const keeps = (row: Row) => measures.some((measure) => cells.isCovered(measure, row));
  const found = known.find(isSame) ?? { of: measures, keeps };
  if (!known.includes(found)) known.push(found);
  return found.keeps;
}
type Covering = { readonly of: readonly Measure[]; readonly keeps: (row: Row) => boolean };
/** By the first of the measures. */
const coverings = factOf<Measure, Covering[]>(() => []);

/** Returns the cells that identify a line: its group and name, if lines have them, and its values on the axes. */
function leadOf(
  line: PivotLine,
  axes: readonly Axis[],
  { isGrouped, isNamed }: { readonly isGrouped: boolean; readonly isNamed: boolean },
): readonly Cell[] {
  const { isReported, note } = line;
  const more = { ...(isReported && { reported: true }), ...(note !== undefined && { note }) };
  const values = axes.map(({ name, isFacet }) => {
    const cell = cells.textCell(placeText(line, name, isFacet), more);
    return isReported ? cell : cells.withTasks(cell, line.rows ?? []);
  });
  return [
    ...(isGrouped ? [cells.textCell(line.group ?? "", isReported ? more : {})] : []),
    ...(isNamed ? [cells.textCell(line.label, isReported ? more : {})] : []),
    ...values,
  ];
}

/** Returns the title of a column; empty for a single measure, because the figure title names it. */
function titleOf({ titles }: ColumnGroup, { title, column }: Measure, { measures, reported }: PivotPlan): TableColumn {
  const align = "right" as const;
  if (titles.length === 0 && column !== undefined && reported.length > 0) {
    const { under, title: printed, part } = column;
    return { title: printed, align, under, ...(part !== undefined && { parts: [part] }) };
  }
  if (titles.length === 0) return { title, align };
  if (measures.length > 1) return { title, align, under: titles };
  return { title: titles.at(-1)!, align, ...(titles.length > 1 && { under: titles.slice(0, -1) }) };
}

/** Returns the places of neighbours that are parts of one column. */
function columnsShared(columns: readonly TableColumn[]): readonly (readonly number[])[] {
  const shares: number[][] = [];
  const name = ({ under = [], title }: TableColumn) => JSON.stringify([...under, title]);
  for (const [at, column] of columns.entries()) {
    const last = shares.at(-1)?.[0];
    const isNext = last !== undefined && column.parts !== undefined && columns[last]!.parts !== undefined;
    if (isNext && name(columns[last]!) === name(column)) shares.at(-1)!.push(at);
    else shares.push([at]);
  }
  return shares;
}

const withParts = ([first, ...more]: readonly TableColumn[]): TableColumn => ({
  ...first!,
  ...(more.length > 0 && { parts: [first!, ...more].flatMap(({ parts = [] }) => parts) }),
});

/** Joins the cells of a shared column, which opens the tasks of all of them. Ranks come from the separate columns. */
function sharedCell(own: readonly Cell[]): Cell {
  const [first] = own;
  if (own.length === 1) return first!;
  const parts = own.map(({ text, value, n, low, high }) => ({
    text,
    ...(value !== undefined && { value }),
    ...(n !== undefined && { n }),
    ...(low !== undefined && { low, high: high! }),
  }));
  const isEmpty = own.every(({ text }) => text === first!.text);
  const { reported, rests } = first!;
  const text = isEmpty && first!.value === undefined ? first!.text : own.map((cell) => cell.text).join("/");
  const cell = { text, parts, ...(reported && { reported }), ...(rests !== undefined && { rests }) };
  return reported === true ? cell : withListed(cell, () => first!.tasks ?? []);
}

/** Returns the columns for which the runs' rows or reported numbers have values, in the order of the axes. */
function columnGroups(runs: readonly RunRows[], across: readonly Axis[], { reported, measures }: PivotPlan) {
  if (across.length === 0) return [{ titles: [], place: {} }];
  const names = new Set(measures.map(({ name }) => name));
  const found = new Map<string, readonly AxisValue[]>();
  const add = (values: readonly (AxisValue | undefined)[]) => {
    const known = values.filter((value) => value !== undefined);
    if (known.length === across.length) found.set(JSON.stringify(known.map(String)), known);
  };
  for (const each of reported) if (names.has(each.measure)) add(across.map((axis) => axis.ofReported(each)));
  // Own values come last, because a paper may use words for values that are numbers here.
  const key = valuesKey(across.flatMap(({ name, isFacet }) => (isFacet ? name : [])));
  for (const run of runs)
    for (const [row] of grouped(key, cells.endedRows(run.rows)).values()) add(across.map((axis) => axis.of(run, row!)));
  return [...found.values()]
    .toSorted((a, b) => across.reduce((order, axis, at) => order || axis.compare(a[at]!, b[at]!), 0))
    .map((values) => ({
      titles: values.map((value, at) => (across[at]!.isFacet ? String(value) : fieldTitleOf(across[at]!, value))),
      place: Object.fromEntries(values.map((value, at) => [across[at]!.name, value])),
    }));
}

/** Returns the name of the axis if its value is a number, because `3` is unclear without the name, unlike `flat`. */
function fieldTitleOf({ name }: Axis, value: AxisValue): string {
  const isBare = typeof value === "number" || value === "on" || value === "off" || !Number.isNaN(Number(value));
  return isBare ? `${name} ${value}` : value;
}

/** The rows of one run in a line, at least one. */
type Part = { readonly run: RunRows; readonly rows: readonly Row[] };

/** Returns the rows of all parts; the array of a single part, whose facts may be known. */
const rowsIn = (parts: readonly Part[]): readonly Row[] => joinedParts(parts.map(({ rows }) => rows));

/** The values of a row on these facets as text; undefined if the row lacks one. */
const valuesKey = keyByName((facets: readonly string[]) => (row: Row): string | undefined => {
  const values = facets.map((facet) => row.facets[facet]);
  return values.includes(undefined) ? undefined : JSON.stringify(values);
});

/** Like `valuesKey`, for values of which only the texts are compared. */
const textsKey = keyByName(
  (facets: readonly string[]) => (row: Row) => JSON.stringify(facets.map((facet) => String(row.facets[facet]))),
);

function lineOf(
  of: readonly Part[],
  named: Pick<PivotLine, "label" | "place">,
  {
    known,
    across,
    intervals,
  }: { readonly known: readonly Axis[]; readonly across: readonly Axis[]; readonly intervals: boolean },
): PivotLine {
  let last: Inside | undefined;
  const fields = across.filter(({ isFacet }) => !isFacet);
  const columnOf = ({ run, rows }: Part) => JSON.stringify(fields.map((axis) => axis.of(run, rows[0]!) ?? null));
  return {
    ...named,
    isReported: false,
    rows: rowsIn(of),
    parts: [...Map.groupBy(of, columnOf).values()].map(rowsIn),
    cell(group, measure) {
      if (group.meanOf !== undefined)
        return cells.meanCell(
          measure,
          group.meanOf.map((each) => this.cell(each, measure)),
        );
      // Consecutive measures of a group share the data derived from its rows.
      if (last?.group !== group) {
        const inside = insideOf(of, group.place, known);
        const runs = inside.map(({ run }) => run);
        last = {
          group,
          rows: rowsIn(inside),
          runs,
          suites: [...new Set(runs.map(({ suite }) => suite))],
        };
      }
      const { rows, runs, suites } = last;
      const isOffered = suites.some(({ measures }) => measures.some(({ name }) => name === measure.name));
      const isOfAll = isEffort(measure) || measure === unwrappedMeasure;
      if (!isOffered && !isOfAll) return cells.textCell("-");
      const cell = cells.measureCell(measure, rows);
      const ends = intervals && !isEffort(measure) ? intervalAtAnyLook(measure, rows, runs) : undefined;
      return withFloor(ends === undefined ? cell : copyOf(cell, ends), measure, rows, runs);
    },
  };
}

function insideOf(of: readonly Part[], place: Place, known: readonly Axis[]): readonly Part[] {
  const wanted = Object.entries(place).map(([name, value]) => [name, String(value)] as const);
  const fields = known.filter(({ isFacet }) => !isFacet);
  return of.flatMap(({ run, rows }): Part | readonly [] => {
    const settingOf = (name: string) => fields.find((axis) => axis.name === name)?.of(run, rows[0]!);
    const [facets, settings] = [[] as string[], [] as string[]];
    for (const [name] of wanted) (settingOf(name) === undefined ? facets : settings).push(name);
    const textOf = new Map(wanted);
    if (settings.some((name) => String(settingOf(name)) !== textOf.get(name))) return [];
    if (facets.length === 0) return { run, rows };
    const own = grouped(textsKey(facets), rows).get(JSON.stringify(facets.map((name) => textOf.get(name))));
    return own === undefined ? [] : { run, rows: own };
  });
}

/** Rows of a line that belong to a group of columns, and their runs and suites. */
type Inside = {
  readonly group: ColumnGroup;
  readonly rows: readonly Row[];
  readonly runs: readonly RunRows[];
  readonly suites: readonly RunRows["suite"][];
};

/** Returns one line per combination of axis values, plus a total if there is exactly one facet. */
function ownLines({ label, runs }: RunGroup, axes: readonly Axis[], across: readonly Axis[], { intervals }: PivotPlan) {
  const known = [...axes, ...across];
  const all = runs.flatMap((run) => {
    const rows = cells.endedRows(run.rows);
    return rows.length === 0 ? [] : { run, rows };
  });
  const facets = axes.filter(({ isFacet }) => isFacet);
  const fields = axes.flatMap(({ name, isFacet }) => {
    const value = isFacet ? undefined : fieldValue(runs[0]!, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const line = (of: readonly Part[], place: Place) =>
    lineOf(of, { label, place: { ...Object.fromEntries(fields), ...place } }, { known, across, intervals });
  if (facets.length === 0) return [line(all, {})];
  const byPlace = new Map<string, Part[]>();
  for (const { run, rows } of all)
    for (const [key, own] of grouped(valuesKey(facets.map(({ name }) => name)), rows))
      byPlace.set(key, [...(byPlace.get(key) ?? []), { run, rows: own }]);
  const placeOf = ([{ run, rows }]: readonly [Part, ...Part[]]): Place =>
    Object.fromEntries(facets.map((axis) => [axis.name, axis.of(run, rows[0]!)!]));
  const placed = [...byPlace.values()].map((of) => ({ of, place: placeOf(of as [Part]) }));
  const inOrder = placed.toSorted(({ place: a }, { place: b }) =>
    facets.reduce((order, { name, compare }) => order || compare(a[name]!, b[name]!), 0),
  );
  const groups = inOrder.map(({ of, place }) => line(of, place));
  return facets.length === 1 && groups.length > 1 ? [...groups, line(all, {})] : groups;
}

/** Returns whether lines need the name of a run, because their axis values do not distinguish them. */
function needsName(
  lines: readonly PivotLine[],
  { axes, groups, isPlain }: { axes: readonly Axis[]; groups: readonly RunGroup[]; isPlain: boolean },
): boolean {
  const isOfRuns = axes.some(({ isFacet }) => !isFacet) || (!isPlain && axes.length > 0 && groups.length === 1);
  if (!isOfRuns) return true;
  if (lines.some(({ isReported }) => isReported) && !axes.some(({ name }) => name === "model")) return true;
  const places = lines.map(({ place }) => JSON.stringify(axes.map(({ name }) => place[name] ?? null)));
  return new Set(places).size < lines.length;
}
