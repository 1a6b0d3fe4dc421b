/** The kinds of measures and their evaluation. */
import type { MeasureValue } from "../benchmark.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { type Fold, foldOver } from "../work/growing-list.ts";

type Mean = Extract<Measure, { readonly kind: "mean" }>;
type Ratio = Extract<Measure, { readonly kind: "ratio" }>;
type Described = Omit<Mean, "kind" | "each" | "unit" | "better"> & Partial<Pick<Mean, "unit" | "better">>;

const percent = { unit: "percent", better: "higher" } as const;

/** Averages `score.metrics[metric]` over the scored rows that have it. Unscored rows are omitted, never counted as 0. */
export function meanMeasure(metric: string, described: Described): Mean {
  return { ...percent, ...described, kind: "mean", each: (row) => row.score?.metrics[metric] };
}

/** Divides summed numerators by summed denominators (micro average); undefined if the denominator is 0. */
export function ratioMeasure(numerator: string, denominator: string, described: Described): Ratio {
  return { ...percent, ...described, kind: "ratio", numerator, denominator };
}

/** Returns the value of a measure over these rows, with its denominator. */
export function evaluate(measure: Measure, rows: readonly Row[]): MeasureValue {
  switch (measure.kind) {
    case "mean":
      return valueOf(foldOver(meanFold(measure.each), rows));
    case "ratio":
      return valueOf(foldOver(ratioFold(measure), rows));
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

/** Averages the rows for which `each` returns a number. */
export function meanOf(rows: readonly Row[], each: (row: Row) => number | undefined): MeasureValue {
  const parts = { above: 0, n: 0 };
  for (const row of rows) addValue(parts, each(row));
  return valueOf(parts);
}

/** A sum and its denominator. */
type Parts = { above: number; n: number };

const noParts = { start: (): Parts => ({ above: 0, n: 0 }), copy: (parts: Parts): Parts => ({ ...parts }) };

const valueOf = ({ above, n }: Parts): MeasureValue => ({ value: n === 0 ? undefined : above / n, n });

function addValue(parts: Parts, value: number | undefined): Parts {
  if (value === undefined) return parts;
  parts.above += value;
  parts.n += 1;
  return parts;
}

const meanFold = factOf((each: Mean["each"]): Fold<Row, Parts> => ({
  ...noParts,
  take: (parts, row) => addValue(parts, each(row)),
}));

const ratioFold = factOf(({ numerator, denominator }: Ratio): Fold<Row, Parts> => ({
  ...noParts,
  take(parts, { score }) {
    parts.above += score?.metrics[numerator] ?? 0;
    parts.n += score?.metrics[denominator] ?? 0;
    return parts;
  },
}));

/** Finds the measure of this name; `success` matches the first of `official.success`, `paper.success` and so on. */
export const measureCalled = <Of extends Pick<Measure, "name">>(called: string, measures: readonly Of[]) =>
  measures.find(({ name }) => name === called) ?? measures.find(({ name }) => name.endsWith(`.${called}`));
