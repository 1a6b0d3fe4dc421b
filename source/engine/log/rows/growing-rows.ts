/** The rows of a run whose tasks end one after another, as lists that grow: facts about them are continued with the new rows. */
import type { Row } from "../../types.ts";
import { GrowingList, joinedParts, type ListPart } from "../../work/growing-list.ts";

/** Rows of a list without a gap, from this index. */
type Stretch = { readonly from: number; readonly list: GrowingList<Row> };

/**
 * Number of consecutive rows of ended tasks behind a task that has not ended from which they are a list of their own; fewer rows
 * are read again by each figure.
 */
const longEnough = 500;

export class GrowingRows {
  /** The first list begins with the first row. */
  #stretches: Stretch[] = [];

  /** Must be called if the row at this index has changed. */
  changed(at: number): void {
    if (this.#stretches.some(({ from, list }) => at >= from && at < from + list.length)) this.#stretches = [];
  }

  /** Returns the first `count` of these rows, of which only rows of tasks that have not ended change without a call of `changed`. */
  of(rows: readonly Row[], count = rows.length): readonly Row[] {
    const last = this.#stretches.at(-1);
    if (last !== undefined && last.from + last.list.length > count) this.#stretches = [];
    const parts: ListPart<Row>[] = [];
    let at = 0;
    for (let index = 0; at < count || index === 0; index++) {
      const from = this.#stretches[index]?.from ?? (index === 0 ? 0 : stretchFrom(rows, at, count));
      if (from > at) parts.push(rows.slice(at, from));
      at = from;
      if (index > 0 && from === count) break;
      const { list } = (this.#stretches[index] ??= { from, list: new GrowingList() });
      const to = this.#stretches[index + 1]?.from ?? count;
      for (at += list.length; at < to && rows[at]!.state !== "running"; at++) list.push(rows[at]!);
      parts.push(list);
    }
    return joinedParts(parts);
  }
}

/** Returns where the first long stretch of rows of ended tasks begins; `count` if there is none. */
function stretchFrom(rows: readonly Row[], begin: number, count: number): number {
  let from = begin;
  for (let at = begin; at < count && at - from < longEnough; at++) if (rows[at]!.state === "running") from = at + 1;
  return count - from < longEnough ? count : from;
}
