/** Cells, groups and labels from which analyses build their figures. */
import { unwrappedMetric } from "../benchmark.ts";
import { unwrappedMeasure } from "./unwrapped.ts";
import type { RunRows } from "../analysis.ts";
import { type Cell, copyOf, rowsBehind, withListed, lostText } from "../figure.ts";
import { isUsedCodeFacet } from "./code-facets.ts";
import { type Coverage, coverageFold, restingOn } from "./coverage.ts";
import { evaluate, hasParts, rowValues } from "./measure.ts";
import { rowContents } from "./row-contents.ts";
import { clusteredMean } from "../statistics/clustered-mean.ts";
import type { Interval } from "../statistics/interval.ts";
import { intervalOf } from "../statistics/mean-interval.ts";
import type { Measure, Reported } from "../suite.ts";
import type { Row, TaskRef } from "../types.ts";
import { counted } from "../text/counted.ts";
import { factOf } from "../work/fact.ts";
import { type Fold, foldOver, grouped, joinedParts, keyByName, flatMapped, itemFields } from "../work/growing-list.ts";

export const refs = (rows: readonly Row[]): readonly TaskRef[] => rows.map(({ run, task }) => ({ run, task }));

export const textCell = (text: string, more: Omit<Cell, "text"> = {}): Cell => ({ text, ...more });

export function valueCell(value: number | undefined, unit: Measure["unit"], n: number): Cell {
  return { text: shownValue(value, unit), ...(value !== undefined && { value }), n };
}

/** Returns the cell of a column of intervals: both ends as text, in the unit of the measure; `-` without an interval. */
export function intervalCell(interval: Interval | undefined, unit: Measure["unit"]): Cell {
  if (interval === undefined) return { text: "-" };
  const { low, high } = interval;
  return { text: `[${shownValue(low, unit)}, ${shownValue(high, unit)}]`, low, high };
}

/**
 * Returns the cell with the tasks of these rows. The list is made on first access, because there may be hundreds of thousands of
 * tasks. Spreading the cell reads the list; `copyOf` does not.
 */
export function withTasks(cell: Cell, rows: readonly Row[] | (() => readonly Row[])): Cell {
  const behind = typeof rows === "function" ? rows : () => rows;
  const listed = withListed(cell, () => refs(behind()));
  return Object.defineProperty(listed, rowsBehind, { value: behind });
}

/** Formats a measure's value: percent has two decimals unless a paper prints others. */
export function shownValue(value: number | undefined, unit: Measure["unit"], digits = 2): string {
  if (value === undefined) return "-";
  if (unit === "percent") return (value * 100).toFixed(digits);
  if (unit === "price") return value.toFixed(4);
  return Number.isInteger(value) ? String(value) : value.toFixed(unit === "number" ? 3 : 1);
}

/** Computes the measure over these rows, with its denominator, ceiling, coverage and tasks. */
export function measureCell(measure: Measure, rows: readonly Row[]): Cell {
  const { value, n } = evaluate(measure, rows);
  const text = shownValue(value, measure.unit);
  const ceiling = value === undefined ? undefined : ceilingOf(measure, rows);
  const rough = measure.rough && { rough: true as const };
  const cell = {
    text,
    ...(value === undefined ? {} : { value }),
    n,
    ...(ceiling !== undefined && { ceiling }),
    ...rough,
  };
  return withTasks(restingOn(cell, measureCoverage(measure, rows)), rows);
}

/** Returns the score of perfect answers to these tasks; undefined if it is the maximum or unknown. */
function ceilingOf({ ceiling }: Measure, rows: readonly Row[]): number | undefined {
  const most = ceiling === undefined ? undefined : ceiling(rows);
  return most === 1 ? undefined : most;
}

/**
 * Returns the unweighted mean of a measure's cells, as papers print it, regardless of their coverage; `-` if a cell has no value.
 */
export function meanCell({ unit }: Measure, parts: readonly Cell[]): Cell {
  const values = parts.flatMap(({ value }) => value ?? []);
  const n = sumOf(parts, ({ n: own = 0 }) => own);
  const tasks = () => parts.flatMap((part) => part.tasks ?? []);
  if (values.length < parts.length) return withListed({ text: "-", n }, tasks);
  const value = sumOf(values, (each) => each) / values.length;
  const cell = { text: shownValue(value, unit), value, n };
  if (parts.every(({ rests }) => rests === undefined)) return withListed(cell, tasks);
  const rests = {
    scored: sumOf(parts, (part) => part.rests?.scored ?? part.tasks?.length ?? 0),
    unscored: sumOf(parts, ({ rests: own }) => own?.unscored ?? 0),
    failed: sumOf(parts, ({ rests: own }) => own?.failed ?? 0),
  };
  return withListed(restingOn(cell, rests), tasks);
}

const sumOf = <Item>(items: readonly Item[], each: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + each(item), 0);

/** True if the row has a numeric score. */
export const isScored = ({ score }: Row): boolean => score?.value !== undefined;

export const measureCoverage = (measure: Measure, rows: readonly Row[]): Coverage =>
  foldOver(measureCoverageFold(measure), rows);

const measureCoverageFold = factOf((measure: Measure) =>
  coverageFold((row) => hasParts(measure, row), measure.applies),
);

/** Returns whether a row counts for the measure: it has a value, or has ended and should have a value. */
export function isCovered(measure: Measure, row: Row): boolean {
  return coveredCount(measure, [row]) > 0;
}

/** Returns the number of rows that count for the measure. */
export function coveredCount(measure: Measure, rows: readonly Row[]): number {
  const { scored, unscored, failed } = measureCoverage(measure, rows);
  return scored + unscored + failed;
}

/** Counts the rows and lists their tasks. */
export const countCell = (rows: readonly Row[]) => withTasks({ text: String(rows.length), value: rows.length }, rows);

/** Returns the cell of a reported number; `-` if the paper has none. */
export function reportedCell(reported: Reported | undefined, unit: Measure["unit"]): Cell {
  if (reported === undefined) return { text: "-", reported: true };
  const { value, source, caveat, digits } = reported;
  return {
    ...(value === undefined ? { text: lostText } : { text: shownValue(value, unit, digits), value }),
    reported: true,
    note: caveat === undefined ? source : `${source}; ${caveat}`,
  };
}

/**
 * Formats percentages of these runs with the decimals of the percentages printed in the same column; a column without any
 * takes the most decimals of the table's other columns.
 */
export function withPrintedDecimals(rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const byColumn = new Map<number, number>();
  for (const row of rows)
    for (const [column, { text, value, reported }] of row.entries()) {
      const digits = text.split(".")[1]?.length;
      if (reported === true && digits !== undefined && text === shownValue(value, "percent", digits))
        byColumn.set(column, Math.max(digits, byColumn.get(column) ?? digits));
    }
  if (byColumn.size === 0) return rows;
  const most = Math.max(...byColumn.values());
  const isPercent = ({ text, value, reported }: Cell) =>
    reported !== true && value !== undefined && text === shownValue(value, "percent");
  const shown = (cell: Cell, digits = most) => copyOf(cell, { text: shownValue(cell.value, "percent", digits) });
  return rows.map((row) => row.map((cell, column) => (isPercent(cell) ? shown(cell, byColumn.get(column)) : cell)));
}

/** Converts a printed percentage to a share without rounding noise: 83.2 becomes 0.832, not 0.8320000000000001. */
export const fractionOf = (percent: number): number => Number((percent / 100).toPrecision(12));

/**
 * Returns the cell of a reported number, as a share from 0 to 1 if it is in percent, with the printed decimals, if they are
 * known; `-` if no number was reported.
 */
export function printedCell(printed: unknown, unit: Measure["unit"] = "percent", digits?: number): Cell {
  if (printed === lostText) return { text: lostText, reported: true };
  if (typeof printed !== "number") return { text: "-", reported: true };
  const value = unit === "percent" ? fractionOf(printed) : printed;
  return { text: digits === undefined ? String(printed) : printed.toFixed(digits), value, reported: true };
}

/** Returns the 95 % interval of a measure that is a mean over tasks; undefined for other measures. */
export const measureInterval = ({ each }: Measure, rows: readonly Row[]): Interval | undefined =>
  each === undefined ? undefined : rowsInterval(rows, each);

/**
 * Computes the 95 % interval of the mean over the rows with a value, as `intervalOf` does. If a task has several rows (trials),
 * the standard error is clustered by task.
 */
export function rowsInterval(rows: readonly Row[], each: (row: Row) => number | undefined): Interval | undefined {
  const numbers = rowValues(each, rows);
  if (foldOver(namesFold, rows).isUnique) return intervalOf(numbers);
  const tasks = flatMapped(valuedTask(each), rows);
  const clusters = new Set(tasks.map(taskKey));
  if (clusters.size === tasks.length) return intervalOf(numbers);
  return clusteredMean(tasks.map((task, at) => ({ value: numbers[at]!, cluster: taskKey(task) })))?.interval;
}

/** The name and question of a task. */
export type NamedTask = Pick<Row, "task" | "question">;

const taskOf = ({ task, question }: Row): NamedTask => ({ task, question });
const valuedTask = factOf(
  (each: (row: Row) => number | undefined) => (row: Row) => (each(row) === undefined ? [] : taskOf(row)),
);

/** Returns the tasks of rows. */
export const namedTasks = (rows: readonly Row[]): readonly NamedTask[] => itemFields(taskOf, rows);

/** Names of tasks, and whether each row is of another task: usually each task has one row, so comparing names is enough. */
const namesFold: Fold<Row, { readonly names: Set<string>; readonly isUnique: boolean }> = {
  start: () => ({ names: new Set(), isUnique: true }),
  take: ({ names, isUnique }, { task }) => ({ isUnique: isUnique && !names.has(task), names: names.add(task) }),
  join(all) {
    const areApart = ({ names }: { names: Set<string> }, at: number) =>
      all.slice(0, at).every((other) => names.isDisjointFrom(other.names));
    return { names: new Set(), isUnique: all.every(({ isUnique }) => isUnique) && all.every(areApart) };
  },
};

/** Identifies the task across trials. The question is included, because splits may reuse task names. */
export const taskKey = ({ task, question }: NamedTask): string => `${task}\n${question}`;

/** Returns the scored and failed rows of a run, which form denominators. */
export const endedRows = (rows: readonly Row[]): readonly Row[] => rowContents(rows).ended;

/** Returns the ended rows of all these runs. */
export const endedRowsOf = (runs: readonly Pick<RunRows, "rows">[]): readonly Row[] =>
  joinedParts(runs.map(({ rows }) => endedRows(rows)));

const facetOf = keyByName(
  (facet: string) =>
    ({ facets }: Row) =>
      facets[facet],
);

/** Groups rows by facet value, sorted in the suite's order of values, otherwise by number, otherwise by first appearance. */
export function byFacet(rows: readonly Row[], facet: string, order: readonly (string | number)[] = []) {
  const groups = grouped(facetOf(facet), rows);
  const compare = inOrder(order);
  return new Map([...groups].sort(([a], [b]) => compare(a, b)));
}

/** Returns the rows with this value of a facet. */
export const withFacet = (rows: readonly Row[], facet: string, value: string | number): readonly Row[] =>
  grouped(facetOf(facet), rows).get(value) ?? [];

/** Compares by position in `order`; other values come last, sorted by number or text. */
export function inOrder(order: readonly (string | number)[]): (a: string | number, b: string | number) => number {
  const rank = (value: string | number) => {
    const index = order.indexOf(value);
    return index < 0 ? Number.MAX_SAFE_INTEGER : index;
  };
  return (a, b) =>
    rank(a) - rank(b) ||
    (typeof a === "number" && typeof b === "number"
      ? a - b
      : String(a).localeCompare(String(b), "en", { numeric: true }));
}

/** Returns the facets that the rows of these runs have, in the order of their suites, then the facets of the codebook. */
export function usableFacets(runs: readonly RunRows[]): readonly string[] {
  const names = [...new Set(runs.flatMap(({ suite }) => suite.facets.map(({ name }) => name)))];
  const varied = names.filter((name) => runs.some(({ rows }) => rowContents(rows).facets.has(name)));
  const found = runs.flatMap(({ rows }) => [...rowContents(rows).facets]);
  const codes = new Set(found.flatMap(([name, values]) => (isUsedCodeFacet(name, values) ? name : [])));
  return [...(varied.length > 0 ? varied : names), ...codes];
}

/** Returns the facets that can group tasks, and `nothing` for the total alone. */
export const groupings = (runs: readonly RunRows[]): readonly string[] => [...usableFacets(runs), ungrouped];

/** The grouping that shows the total alone. */
export const ungrouped = "nothing";

/** Returns ` by level` for titles; empty if tasks are not grouped. */
export const groupedBy = (runs: readonly RunRows[], by: string): string =>
  by === ungrouped ? "" : ` by ${facetTitle(runs, by).toLowerCase()}`;

export const facetOrder = (runs: readonly RunRows[], facet: string): readonly (string | number)[] =>
  runs.flatMap(({ suite }) => suite.facets.find(({ name }) => name === facet)?.order ?? []);

export function facetTitle(runs: readonly RunRows[], facet: string): string {
  if (facet === ungrouped) return "Tasks";
  return runs.flatMap(({ suite }) => suite.facets).find(({ name }) => name === facet)?.title ?? facet;
}

/** Returns the measures of all suites of these runs, each name once. */
export function measuresOf(runs: readonly RunRows[]): readonly Measure[] {
  const byName = new Map<string, Measure>();
  for (const { suite } of runs)
    for (const measure of suite.measures) if (!byName.has(measure.name)) byName.set(measure.name, measure);
  if (runs.some(({ rows }) => rowContents(rows).metrics.has(unwrappedMetric)))
    byName.set(unwrappedMeasure.name, unwrappedMeasure);
  return [...byName.values()];
}

/** Returns the measure of this name of any suite of these runs, or of every suite. */
export const measureNamed = (runs: readonly RunRows[], name: string): Measure =>
  [...runs.flatMap(({ suite }) => suite.measures), unwrappedMeasure].find((measure) => measure.name === name)!;

/** True if any run has a number for the measure. A suite of many abilities has measures that a run of one ability lacks. */
export function isKnown(measure: Measure, runs: readonly RunRows[]): boolean {
  for (const { suite, rows } of runs) {
    if (!suite.measures.some(({ name }) => name === measure.name)) continue;
    if (hasValue(measure, endedRows(rows))) return true;
  }
  return false;
}

/** Returns the first measure with a number in any run; the first of all measures if none has a number. */
export function firstKnown(measures: readonly Measure[], runs: readonly RunRows[]): Measure {
  for (const measure of measures) {
    if (isKnown(measure, runs)) return measure;
  }
  return measures[0]!;
}

/** Like `isKnown`, for a measure that need not belong to the suites of the runs. */
export function isValued(measure: Measure, runs: readonly RunRows[]): boolean {
  for (const { rows } of runs) if (hasValue(measure, endedRows(rows))) return true;
  return false;
}

/** A sample of rows that usually suffices to find a number. */
const few = 20;

/**
 * Returns whether any row has a value. Reads all rows only if the first few have no number; a mean over tasks is known as soon as
 * one task has a value.
 */
function hasValue(measure: Measure, rows: readonly Row[]): boolean {
  const { each } = measure;
  if (each !== undefined)
    return rows.slice(0, few).some((row) => each(row) !== undefined) || rowValues(each, rows).length > 0;
  if (evaluate(measure, rows.slice(0, few)).value !== undefined) return true;
  return rows.length > few && evaluate(measure, rows).value !== undefined;
}

/** Returns each note of these measures once, with the names of the measures that share it. */
export function measureNotes(measures: readonly Measure[]): readonly string[] {
  const byNote = Map.groupBy(
    measures.filter(({ note }) => note !== undefined),
    ({ note }) => note!,
  );
  return [...byNote].map(([note, sharing]) => `${sharing.map(({ title }) => title).join(", ")}: ${note}`);
}

/**
 * Returns the notes that every figure of these runs has: tasks not run, not scored or scored early, and pooled trials. `counting`
 * explains how a figure counts tasks without a score.
 */
export function shortfall(
  runs: readonly RunRows[],
  counting: { readonly failed?: string; readonly stopped?: string; readonly unscored?: string } = {},
): readonly string[] {
  const counts = runs.map(({ label, rows, isAtRest = false }) => {
    const { counts, runs: trials } = rowContents(rows);
    const { stopped, open } = counts;
    // In a run at rest, open tasks were stopped too, for example because the program ended.
    const begun = isAtRest ? { stopped: stopped + open, open: 0 } : {};
    return { label, trials: trials.size, ...counts, ...begun };
  });
  const pooled = counts.flatMap(({ label, trials }) =>
    trials > 1 ? [`${label}: ${trials} trials pooled; intervals are clustered by task`] : [],
  );
  const left = counts.flatMap(({ label, failed, stopped, open, unscored, full }) => {
    const parts = [
      { count: failed, what: "failed", counted: counting.failed },
      { count: stopped, what: "stopped", counted: counting.stopped },
      { count: open, what: "still running", counted: undefined },
      { count: unscored, what: "could not be scored", counted: counting.unscored },
    ].filter(({ count }) => count > 0);
    const left = [...Map.groupBy(parts, ({ counted }) => counted)].map(([counted, of]) => {
      const named = of.map(({ count, what }) => `${count} ${what}`).join(", ");
      return `${label}: ${named}; ${counted ?? "these tasks have no score and are left out"}`;
    });
    const scored = `${label}: ${counted(full, "task")} ended because a prompt exceeded the model's context, and ${full === 1 ? "is" : "are"} scored on the steps before this prompt`;
    return full === 0 ? left : [...left, scored];
  });
  return [...pooled, ...left];
}

/** Returns the notes of error figures that state how many errors a person corrected. */
export function overruled(runs: readonly RunRows[]): readonly string[] {
  return runs.flatMap(({ label, rows }) => {
    const { all, changed, overridden } = rowContents(rows).mistakes;
    const none = overridden - changed;
    if (overridden === 0) return [];
    const taken = none === 0 ? "" : `, ${none} of them to \`no mistake\``;
    return [`${label}: labels corrected by a person: ${overridden} of ${all + none} errors${taken}`];
  });
}
