/** What measures are made of: sums over rows. The two ordinary kinds are the mean of a metric of each task and a ratio of counters. */
import type { MeasureValue } from "../benchmark.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";

type Named = Pick<Measure, "name" | "title" | "mode"> & Partial<Pick<Measure, "note" | "unit" | "better" | "applies">>;
const percent = { unit: "percent", better: "higher" } as const;

/** Mean of `score.metrics[metric]` over the scored rows that have it. Rows without a score are left out, never counted as 0. */
export function meanMeasure(metric: string, named: Named): Measure {
  const each = (row: Row) => row.score?.metrics[metric];
  return { ...percent, ...named, ...meanOfEach(each) };
}

/** The plain mean of what `each` gives for a row, over the rows for which it gives a number. */
export function meanOfEach(each: NonNullable<Measure["each"]>): Required<Pick<Measure, "of" | "each">> {
  const of = (rows: readonly Row[]) => meanOf(rows, each);
  means.set(of, each);
  return { each, of };
}

/** By a measure's `of`: the values of rows that it is the plain mean of. */
const means = new WeakMap<Measure["of"], Measure["each"]>();

/** Whether its value is the plain mean of `each`, so that values that were looked up stand for rows. Also of a copy of such a measure, as long as it keeps both. */
export function isPlainMean({ of, each }: Measure): boolean {
  return each !== undefined && means.get(of) === each;
}

/** Mean over the rows for which `each` gives a number. */
export function meanOf(rows: readonly Row[], each: (row: Row) => number | undefined): MeasureValue {
  let [sum, n] = [0, 0];
  for (const row of rows) {
    const value = each(row);
    if (value === undefined) continue;
    sum += value;
    n += 1;
  }
  return { value: n === 0 ? undefined : sum / n, n };
}

/** Summed numerators over summed denominators (a micro average); undefined where the denominator is 0. */
export function ratioMeasure(numerator: string, denominator: string, named: Named): Measure {
  return {
    ...percent,
    ...named,
    has: (row) => row.score?.metrics[denominator] !== undefined,
    of(rows) {
      let [above, n] = [0, 0];
      for (const { score } of rows) {
        if (score === undefined) continue;
        above += score.metrics[numerator] ?? 0;
        n += score.metrics[denominator] ?? 0;
      }
      return { value: n === 0 ? undefined : above / n, n };
    },
  };
}

/** The measure of this name; `success` stands for the first of `official.success`, `paper.success` ... */
export function measureCalled<Of extends Pick<Measure, "name">>(
  called: string,
  measures: readonly Of[],
): Of | undefined {
  return measures.find(({ name }) => name === called) ?? measures.find(({ name }) => name.endsWith(`.${called}`));
}
