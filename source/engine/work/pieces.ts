/** Long work that can be interrupted: done at once without a screen, or with pauses that keep the screen responsive. */
import { eventLoopYielder, nextTurn } from "./event-loop.ts";

/** Yields every few milliseconds, with a progress message if it changed. */
export type Pieces<Result> = Generator<string | undefined, Result, void>;

export function atOnce<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/**
 * Does work in parts, starting once pending events have been handled. `progress` receives descriptions of the work. Rejects with
 * the work's errors, and with the signal's reason if it is aborted; the reason is also thrown into the work so that it cleans up.
 */
export async function withPauses<Result>(
  work: Pieces<Result>,
  { signal, progress }: { readonly signal?: AbortSignal; readonly progress?: (at: string) => void } = {},
): Promise<Result> {
  await nextTurn();
  signal?.throwIfAborted();
  const yieldIfDue = eventLoopYielder(signal);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (value !== undefined) progress?.(value);
    try {
      await yieldIfDue();
    } catch (ended) {
      work.throw(ended);
      throw ended;
    }
  }
}

/** Number of rows from which on a screen works in pieces. */
export const many = 1_000;

/** This many items take about a millisecond. */
const slice = 1000;
/** So few need no pause. */
const few = 100;

/** Yields between the results of `each` for one slice of the items after another; `from` is the slice's start. */
export function* inSlices<Item, Result>(
  items: readonly Item[],
  each: (slice: readonly Item[], from: number) => readonly Result[],
): Pieces<readonly Result[]> {
  if (items.length <= few) return each(items, 0);
  const results: (readonly Result[])[] = [];
  for (let from = 0; from < items.length; from += slice) {
    results.push(each(items.slice(from, from + slice), from));
    yield;
  }
  // Joined at once, because pushing hundreds of thousands one by one takes longer than making them.
  return ([] as Result[]).concat(...results);
}

/** Visits the items one after the other; `at` is the index of each item. */
export function* eachInTurn<Item>(items: readonly Item[], look: (item: Item, at: number) => void): Pieces<void> {
  for (let from = 0; from < items.length; from += slice) {
    const to = Math.min(items.length, from + slice);
    for (let at = from; at < to; at++) look(items[at]!, at);
    if (to - from > few) yield;
  }
}

/** Sorts the items; the order of equal items stays. */
export function* sorted<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number) {
  let parts: readonly (readonly Item[])[] = yield* inSlices(items, (part) => [part.toSorted(compare)]);
  for (; parts.length > 1;) {
    const merged: (readonly Item[])[] = [];
    for (let at = 0; at < parts.length; at += 2) {
      const [one, other] = [parts[at]!, parts[at + 1] ?? []];
      const all: Item[] = [];
      let [left, right] = [0, 0];
      while (left < one.length && right < other.length) {
        all.push(compare(one[left]!, other[right]!) <= 0 ? one[left++]! : other[right++]!);
        if (all.length % slice === 0) yield;
      }
      merged.push(all.concat(one.slice(left), other.slice(right)));
    }
    parts = merged;
  }
  return parts[0] ?? [];
}
