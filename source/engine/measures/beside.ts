/** The numbers that stand beside a run's results, in words. */
import type { Benchmark } from "../benchmark.ts";
import { counted } from "../text/counted.ts";
import type { Row } from "../types.ts";
import { endedRows, shownValue } from "./measure-cell.ts";

type Texts = readonly string[] | undefined;

/** By the rows themselves: the screen asks with every frame, and rows are made anew when they change. */
const known = new WeakMap<readonly Row[], { readonly texts: Texts }>();

/** `Retriever's recall 37.10 % of 186 tasks`, `APIs offered 10`; undefined where none of them has a value. */
export function besideTexts({ beside = [] }: Pick<Benchmark, "beside">, rows: readonly Row[]): Texts {
  const before = known.get(rows);
  if (before !== undefined) return before.texts;
  const ended = endedRows(rows);
  const all = beside.flatMap(({ title, unit, of }) => {
    const { value, n } = of(ended);
    const share = unit === "percent" ? ` % of ${counted(n, "task")}` : "";
    return value === undefined ? [] : [`${title} ${shownValue(value, unit)}${share}`];
  });
  const texts = all.length === 0 ? undefined : all;
  known.set(rows, { texts });
  return texts;
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
  #texts: Texts;

  texts(suite: Pick<Benchmark, "beside">, { hasRows, table }: Rows, isRunning: boolean): Texts {
    if (suite.beside === undefined || !hasRows) return undefined;
    const { right, wrong, unscored } = table.sums();
    const scored = right + wrong + unscored;
    if (isRunning && scored >= this.#scored && scored < this.#scored * 1.01) return this.#texts;
    this.#scored = scored;
    this.#texts = besideTexts(suite, table.rows());
    return this.#texts;
  }
}
