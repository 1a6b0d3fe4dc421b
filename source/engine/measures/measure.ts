/** What measures are made of: sums over rows. The two ordinary kinds are the mean of a metric of each task and a ratio of counters. */
import type { MeasureValue } from "../benchmark.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { atOnce, eachInTurn, type Pieces } from "../work/pieces.ts";

type Named = Pick<Measure, "name" | "title" | "mode"> & Partial<Pick<Measure, "note" | "unit" | "better" | "applies">>;
const percent = { unit: "percent", better: "higher" } as const;

/** Rows summed up one after the other: `add` takes a row, `end` says what all of them came to. */
export type Summing<Result> = { add(row: Row): void; end(): Result };

/** What is worked out of rows, such as a measure's `of`. */
type OfRows<Result> = (rows: readonly Row[]) => Result;

/** By what works it out at once: who puts something else in its place is asked instead. */
const ways = new WeakMap<OfRows<unknown>, OfRows<Pieces<unknown>>>();

/** Works it out at once, and in pieces where `workedOut` is asked for it. */
export function withPieces<Result>(pieces: OfRows<Pieces<Result>>): OfRows<Result> {
  const all: OfRows<Result> = (rows) => atOnce(pieces(rows));
  ways.set(all, pieces);
  return all;
}

/** The same of sums of rows: `begin` begins anew, with these. */
export function summedUp<Result>(begin: OfRows<Summing<Result>>): OfRows<Result> {
  return withPieces(function* (rows) {
    const sums = begin(rows);
    yield* eachInTurn(rows, (row) => sums.add(row));
    return sums.end();
  });
}

/** What it comes to, of so many rows that the screen would wait for them. */
export function* workedOut<Result>(all: OfRows<Result>, rows: readonly Row[]): Pieces<Result> {
  const pieces = ways.get(all) as OfRows<Pieces<Result>> | undefined;
  return pieces === undefined ? all(rows) : yield* pieces(rows);
}

/** Mean of `score.metrics[metric]` over the scored rows that have it. Rows without a score are left out, never counted as 0. */
export function meanMeasure(metric: string, named: Named): Measure {
  const each = (row: Row) => row.score?.metrics[metric];
  return { ...percent, ...named, ...meanOfEach(each) };
}

/** The plain mean of what `each` gives for a row, over the rows for which it gives a number. */
export function meanOfEach(each: NonNullable<Measure["each"]>): Required<Pick<Measure, "of" | "each">> {
  const of = summedUp(() => new Mean(each));
  means.set(of, each);
  return { each, of };
}

/** By a measure's `of`: the values of rows that it is the plain mean of. */
const means = new WeakMap<Measure["of"], Measure["each"]>();

/** Whether its value is the plain mean of `each`, so that values that were looked up stand for rows. Also of a copy of such a measure, as long as it keeps both. */
export function isPlainMean({ of, each }: Measure): boolean {
  return each !== undefined && means.get(of) === each;
}

class Mean implements Summing<MeasureValue> {
  readonly #each: (row: Row) => number | undefined;
  #sum = 0;
  #n = 0;

  constructor(each: (row: Row) => number | undefined) {
    this.#each = each;
  }

  add(row: Row): void {
    const value = this.#each(row);
    if (value === undefined) return;
    this.#sum += value;
    this.#n += 1;
  }

  end(): MeasureValue {
    return { value: this.#n === 0 ? undefined : this.#sum / this.#n, n: this.#n };
  }
}

/** Mean over the rows for which `each` gives a number. */
export function meanOf(rows: readonly Row[], each: (row: Row) => number | undefined): MeasureValue {
  const mean = new Mean(each);
  for (const row of rows) mean.add(row);
  return mean.end();
}

export function* meanInPieces(rows: readonly Row[], each: (row: Row) => number | undefined): Pieces<MeasureValue> {
  const mean = new Mean(each);
  yield* eachInTurn(rows, (row) => mean.add(row));
  return mean.end();
}

/** Summed numerators over summed denominators (a micro average); undefined where the denominator is 0. */
export function ratioMeasure(numerator: string, denominator: string, named: Named): Measure {
  return {
    ...percent,
    ...named,
    has: (row) => row.score?.metrics[denominator] !== undefined,
    of: summedUp(() => {
      let [above, n] = [0, 0];
      return {
        add({ score }) {
          if (score === undefined) return;
          above += score.metrics[numerator] ?? 0;
          n += score.metrics[denominator] ?? 0;
        },
        end: () => ({ value: n === 0 ? undefined : above / n, n }),
      };
    }),
  };
}

/** The measure of this name; `success` stands for the first of `official.success`, `paper.success` ... */
export function measureCalled<Of extends Pick<Measure, "name">>(
  called: string,
  measures: readonly Of[],
): Of | undefined {
  return measures.find(({ name }) => name === called) ?? measures.find(({ name }) => name.endsWith(`.${called}`));
}
