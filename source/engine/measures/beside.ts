/** What stands beside a run while it runs and after: its score so far, and what its results rest on, in words. */
import type { Benchmark } from "../benchmark.ts";
import type { Interval } from "../statistics/interval.ts";
import type { Measure } from "../suite.ts";
import { counted } from "../text/counted.ts";
import type { Row } from "../types.ts";
import { nextTurn } from "../work/event-loop.ts";
import { measureInterval, shownValue } from "./measure-cell.ts";
import { rowContents } from "./row-contents.ts";

/** The main measure of a suite over the `n` tasks that have it: the first one it has a number for, as in the overview. */
export type ScoreSoFar = Pick<Measure, "name" | "title" | "unit" | "better"> &
  Partial<Interval> & { readonly value: number; readonly n: number };

type Numbers = { readonly score?: ScoreSoFar; readonly beside: readonly string[] | undefined };
const nothing: Numbers = { beside: undefined };

type Of = Pick<Benchmark, "beside" | "measures">;

/** By the rows themselves: figures of the same rows ask for the same. */
const known = new WeakMap<readonly Row[], Pick<Numbers, "beside">>();

/** `Retriever's recall 37.10 % of 186 tasks`, `APIs offered 10`; undefined where none of them has a value. */
export function besideTexts({ beside = [] }: Pick<Of, "beside">, rows: readonly Row[]): Numbers["beside"] {
  const before = known.get(rows);
  if (before !== undefined) return before.beside;
  const { ended } = beside.length === 0 ? { ended: [] } : rowContents(rows);
  const all = beside.map(({ title, unit, of }) => {
    const { value, n } = of(ended);
    const share = unit === "percent" ? ` % of ${counted(n, "task")}` : "";
    return value === undefined ? [] : [`${title} ${shownValue(value, unit)}${share}`];
  });
  const found = all.flat();
  const texts = found.length === 0 ? undefined : found;
  known.set(rows, { beside: texts });
  return texts;
}

function scoreSoFar({ measures }: Pick<Of, "measures">, rows: readonly Row[]): ScoreSoFar | undefined {
  try {
    const { ended } = rowContents(rows);
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

function numbersOf(suite: Of, rows: readonly Row[]): Numbers {
  const beside = besideTexts(suite, rows);
  const score = scoreSoFar(suite, rows);
  return { beside, ...(score !== undefined && { score }) };
}

/** More rows are looked at a step at a time before a screen. */
const many = 1_000;

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
  readonly #changed: (() => void) | undefined;
  #scored = 0;
  #of: readonly Row[] | undefined;
  #numbers = nothing;

  /** Where `changed` is given, it is told of what many rows came to; until then stands what they did before. */
  constructor(changed?: () => void) {
    this.#changed = changed;
  }

  numbers(suite: Of, { hasRows, table }: Rows, isRunning: boolean): Numbers {
    if (!hasRows) return nothing;
    const { right, wrong, unscored } = table.sums();
    const scored = right + wrong + unscored;
    if (scored === 0) return nothing;
    if (isRunning && scored >= this.#scored && scored < this.#scored * 1.01) return this.#numbers;
    const rows = table.rows();
    if (rows === this.#of) return this.#numbers;
    this.#scored = scored;
    this.#of = rows;
    if (this.#changed === undefined || rows.length < many) this.#numbers = numbersOf(suite, rows);
    else void this.#work(suite, rows, this.#changed);
    return this.#numbers;
  }

  /** One step of it after the other, as long as no other rows are looked at. */
  async #work(suite: Of, rows: readonly Row[], changed: () => void): Promise<void> {
    for (const step of [rowContents, (of: readonly Row[]) => besideTexts(suite, of)]) {
      await nextTurn();
      if (rows !== this.#of) return;
      step(rows);
    }
    await nextTurn();
    if (rows !== this.#of) return;
    this.#numbers = numbersOf(suite, rows);
    changed();
  }
}
