/** The numbers that stand beside a run's results, in words. */
import type { Benchmark } from "../benchmark.ts";
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
    const share = unit === "percent" ? ` % of ${n} tasks` : "";
    return value === undefined ? [] : [`${title} ${shownValue(value, unit)}${share}`];
  });
  const texts = all.length === 0 ? undefined : all;
  known.set(rows, { texts });
  return texts;
}
