/** The kinds of measures and their evaluation. */
import type { MeasureValue } from "../benchmark.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { type Fold, foldOver, keyByName, flatMapped, listParts } from "../work/growing-list.ts";

type Mean = Extract<Measure, { readonly kind: "mean" }>;
type Ratio = Extract<Measure, { readonly kind: "ratio" }>;
type Described = Omit<Mean, "kind" | "each" | "unit" | "better"> & Partial<Pick<Mean, "unit" | "better">>;

const percent = { unit: "percent", better: "higher" } as const;

/** Averages `score.metrics[metric]` over the scored rows that have it. Unscored rows are omitted, never counted as 0. */
export function meanMeasure(metric: string, described: Described): Mean {
  return { ...percent, ...described, kind: "mean", each: metricOf(metric) };
}

/** Divides summed numerators by summed denominators (micro average); undefined if the denominator is 0. */
export function ratioMeasure(numerator: string, denominator: string, described: Described): Ratio {
  return { ...percent, ...described, kind: "ratio", numerator, denominator };
}

/** Returns the value of a measure over these rows, with its denominator. */
export function evaluate(measure: Measure, rows: readonly Row[]): MeasureValue {
  switch (measure.kind) {
    case "mean":
      return meanOf(rows, measure.each);
    case "ratio":
      return quotientOf(sumOf(metricOf(measure.numerator), rows), sumOf(metricOf(measure.denominator), rows));
    default:
      return measure.of(rows);
  }
}

/** True if the row has the metrics from which the measure is computed. */
export function hasParts(measure: Measure, row: Row): boolean {
  if (measure.kind === "ratio") return row.score?.metrics[measure.denominator] !== undefined;
  if (measure.kind !== "mean" && measure.has !== undefined) return measure.has(row);
  return (measure.each === undefined ? row.score?.value : measure.each(row)) !== undefined;
}

/** A measure with a value for each task, which intervals and paired tests require. */
export type TaskMeasure = Measure & { each(row: Row): number | undefined };

export const hasTaskValues = (measure: Measure): measure is TaskMeasure => measure.each !== undefined;

/** Averages the rows for which `each` returns a number; the values of known rows are continued as those of `rowValues` are. */
export function meanOf(rows: readonly Row[], each: Each): MeasureValue {
  if (listParts(rows)[0] !== rows) return quotientOf(sumOf(each, rows), rowValues(each, rows).length);
  let [above, n] = [0, 0];
  for (const row of rows) {
    const value = each(row);
    if (value !== undefined) [above, n] = [above + value, n + 1];
  }
  return quotientOf(above, n);
}

const quotientOf = (above: number, n: number): MeasureValue => ({ value: n === 0 ? undefined : above / n, n });

type Each = (row: Row) => number | undefined;

/** Returns the values of the rows that have one; those of known rows are continued if the function is the same object. */
export const rowValues = (each: Each, rows: readonly Row[]): readonly number[] => flatMapped(valueOf(each), rows);

const valueOf = factOf((each: Each) => (row: Row) => each(row) ?? none);
const none: readonly number[] = [];

/** Returns the same function for the same name: the metric of a row. */
export const metricOf = keyByName(
  (metric: string): Each =>
    ({ score }) =>
      score?.metrics[metric],
);

const sumOf = (each: Each, rows: readonly Row[]): number => foldOver(sumFold, rowValues(each, rows));

/** Sums in order, because the sum of rounded parts may differ. */
const sumFold: Fold<number, number> = { start: () => 0, take: (sum, value) => sum + value };

/** Finds the measure of this name; `success` matches the first of `official.success`, `paper.success` and so on. */
export const measureCalled = <Of extends Pick<Measure, "name">>(called: string, measures: readonly Of[]) =>
  measures.find(({ name }) => name === called) ?? measures.find(({ name }) => name.endsWith(`.${called}`));
