/** Numbers shown beside a run during and after it: its score so far and the numbers on which its results depend. */
import type { UnfinishedRun } from "../analysis.ts";
import type { Benchmark } from "../benchmark.ts";
import type { Measure } from "../suite.ts";
import { counted } from "../text/counted.ts";
import type { Row } from "../types.ts";
import { shownValue } from "./measure-cell.ts";
import { evaluate } from "./measure.ts";
import { knowContents, rowContents } from "./row-contents.ts";
import { intervalAtAnyLook, type LookedInterval } from "./unfinished.ts";

/** The suite's first measure that has a value, as in the overview, computed on the `n` tasks that have the value. */
export type ScoreSoFar = Pick<Measure, "name" | "title" | "unit" | "better"> &
  Partial<LookedInterval> & { readonly value: number; readonly n: number };

export type NumbersBeside = { readonly score?: ScoreSoFar; readonly beside: readonly string[] | undefined };
const nothing: NumbersBeside = { beside: undefined };

type Of = Pick<Benchmark, "beside" | "findings" | "measures">;

/** Returns texts such as `Retriever's recall 37.10 % of 186 tasks` or `APIs offered 10`; undefined if no measure has a value. */
export function besideTexts({ beside = [], findings }: Pick<Of, "beside" | "findings">, rows: readonly Row[]) {
  if (beside.length === 0 && findings === undefined) return undefined;
  const { ended } = rowContents(rows);
  const measured = beside.flatMap((measure) => {
    const { title, unit } = measure;
    const { value, n } = evaluate(measure, ended);
    const share = unit === "percent" ? ` % of ${counted(n, "task")}` : "";
    return value === undefined ? [] : [`${title} ${shownValue(value, unit)}${share}`];
  });
  const texts = [...measured, ...(findings?.(ended) ?? [])];
  return texts.length === 0 ? undefined : texts;
}

function scoreSoFar(
  { measures }: Pick<Of, "measures">,
  rows: readonly Row[],
  unfinished: UnfinishedRun | undefined,
): ScoreSoFar | undefined {
  try {
    const { ended } = rowContents(rows);
    for (const measure of measures) {
      const { value, n } = evaluate(measure, ended);
      if (value === undefined) continue;
      const { name, title, unit, better } = measure;
      const run = { rows, ...(unfinished && { unfinished }) };
      return { name, title, unit, better, value, n, ...intervalAtAnyLook(measure, ended, [run]) };
    }
  } catch {
    // Figures report an error in a suite's measure; here the run continues without a score.
  }
  return undefined;
}

/** Reads all rows. `unfinished`: the order of an unfinished run. */
export function numbersBeside(suite: Of, rows: readonly Row[], unfinished?: UnfinishedRun): NumbersBeside {
  const beside = besideTexts(suite, rows);
  const score = scoreSoFar(suite, rows, unfinished);
  return { beside, ...(score !== undefined && { score }) };
}

/**
 * Computes the same numbers without blocking the screen; reads rows on disk at most once. Rejects with the signal's reason if it
 * is aborted.
 */
export async function numbersSlowly(
  signal: AbortSignal,
  ...of: Parameters<typeof numbersBeside>
): Promise<NumbersBeside> {
  await knowContents(of[1], signal);
  return numbersBeside(...of);
}

/** Reading more rows than this takes a noticeable time. */
const many = 1_000;

type Rows = {
  readonly hasRows: boolean;
  readonly table: {
    sums(): { readonly right: number; readonly wrong: number; readonly unscored: number };
    rows(): readonly Row[];
  };
};

/** With more scored tasks, most rows are on disk. */
const veryMany = 5_000;

/**
 * The numbers shown beside one run. While the run executes, they are updated when the number of scored tasks has grown by one
 * percent, or by ten percent in large runs.
 */
export class Beside {
  readonly #isPatient: boolean;
  #scored = 0;
  #of: readonly Row[] | undefined;
  #numbers = nothing;
  /** True if rows have changed since the numbers were computed. */
  lacking = false;

  /** If `isPatient`, only `take` recomputes numbers of many rows. */
  constructor(isPatient = false) {
    this.#isPatient = isPatient;
  }

  /** Accepts numbers that another thread computed. */
  take(numbers: NumbersBeside): void {
    this.#numbers = numbers;
    this.lacking = false;
  }

  /** `orderOf` determines the order of the run from its rows; undefined if the run is finished. */
  numbers(
    suite: Of,
    { hasRows, table }: Rows,
    isRunning: boolean,
    orderOf: (rows: readonly Row[]) => UnfinishedRun | undefined = () => undefined,
  ): NumbersBeside {
    if (!hasRows) return nothing;
    const { right, wrong, unscored } = table.sums();
    const scored = right + wrong + unscored;
    if (scored === 0) return nothing;
    const due = this.#scored * (this.#scored < veryMany ? 1.01 : 1.1);
    if (isRunning && scored >= this.#scored && scored < due) return this.#numbers;
    const rows = table.rows();
    if (rows === this.#of) return this.#numbers;
    this.#scored = scored;
    this.#of = rows;
    if (this.#isPatient && rows.length >= many) this.lacking = true;
    else this.take(numbersBeside(suite, rows, orderOf(rows)));
    return this.#numbers;
  }
}
