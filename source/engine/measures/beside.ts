/** What stands beside a run while it runs and after: its score so far, and what its results rest on, in words. */
import type { Benchmark } from "../benchmark.ts";
import type { Interval } from "../statistics/interval.ts";
import type { Measure } from "../suite.ts";
import { counted } from "../text/counted.ts";
import type { Row } from "../types.ts";
import { endedRows, measureInterval, shownValue } from "./measure-cell.ts";

/** The main measure of a suite over the `n` tasks that have it: the first one it has a number for, as in the overview. */
export type ScoreSoFar = Pick<Measure, "name" | "title" | "unit" | "better"> &
  Partial<Interval> & { readonly value: number; readonly n: number };

type Numbers = { readonly score?: ScoreSoFar; readonly beside: readonly string[] | undefined };
const nothing: Numbers = { beside: undefined };

type Of = Pick<Benchmark, "beside" | "measures">;

/** By the rows themselves: the screen asks with every frame, and rows are made anew when they change. */
const knownTexts = new WeakMap<readonly Row[], Pick<Numbers, "beside">>();
const knownScores = new WeakMap<readonly Row[], Pick<Numbers, "score">>();

/** `Retriever's recall 37.10 % of 186 tasks`, `APIs offered 10`; undefined where none of them has a value. */
export function besideTexts({ beside = [] }: Pick<Of, "beside">, rows: readonly Row[]): Numbers["beside"] {
  const before = knownTexts.get(rows);
  if (before !== undefined) return before.beside;
  const ended = endedRows(rows);
  const all = beside.flatMap(({ title, unit, of }) => {
    const { value, n } = of(ended);
    const share = unit === "percent" ? ` % of ${counted(n, "task")}` : "";
    return value === undefined ? [] : [`${title} ${shownValue(value, unit)}${share}`];
  });
  const texts = all.length === 0 ? undefined : all;
  knownTexts.set(rows, { beside: texts });
  return texts;
}

function scoreSoFar({ measures }: Pick<Of, "measures">, rows: readonly Row[]): Pick<Numbers, "score"> {
  const before = knownScores.get(rows);
  if (before !== undefined) return before;
  const score = firstKnown(measures, endedRows(rows));
  const found = score === undefined ? {} : { score };
  knownScores.set(rows, found);
  return found;
}

function firstKnown(measures: readonly Measure[], ended: readonly Row[]): ScoreSoFar | undefined {
  try {
    for (const measure of measures) {
      const { value, n } = measure.of(ended);
      if (value === undefined) continue;
      const { name, title, unit, better } = measure;
      return { name, title, unit, better, value, n, ...measureInterval(measure, ended) };
    }
  } catch {
    // A mistake in a suite's measure is said where its figures stand; the run goes on without a score beside it.
  }
  return undefined;
}

/** What of a run's rows is asked for here. */
type Rows = {
  readonly hasRows: boolean;
  readonly table: {
    sums(): { readonly right: number; readonly wrong: number; readonly unscored: number };
    rows(): readonly Row[];
  };
};

/** Of a run: while it is running, all rows are looked at again once one in a hundred more has a score, not with each. */
export class Beside {
  #scored = 0;
  #numbers = nothing;

  numbers(suite: Of, { hasRows, table }: Rows, isRunning: boolean): Numbers {
    if (!hasRows) return nothing;
    const { right, wrong, unscored } = table.sums();
    const scored = right + wrong + unscored;
    if (scored === 0) return nothing;
    if (isRunning && scored >= this.#scored && scored < this.#scored * 1.01) return this.#numbers;
    this.#scored = scored;
    const rows = table.rows();
    this.#numbers = { beside: besideTexts(suite, rows), ...scoreSoFar(suite, rows) };
    return this.#numbers;
  }
}
