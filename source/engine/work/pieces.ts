/** Long work that can be left and taken up again: in one go where nobody waits, or with pauses in which the screen lives on. */
import { eventLoopYielder, nextTurn } from "./event-loop.ts";

/** Works for a few milliseconds between what it yields: what it is at, in words, where there is something new to say. */
export type Pieces<Result> = Generator<string | undefined, Result, void>;

export function atOnce<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/**
 * Begins once what waits has been handled. Tells `progress` what the work is at. Rejects with the signal's reason when it is
 * aborted, which the work is thrown as well, so that it puts away what it began, and with what the work throws.
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

/** From so many rows on, a screen that works on them works in pieces. */
export const many = 1_000;

/** So many at a time take about a millisecond, */
const slice = 1000;
/** and after no more than so many there is no need of a pause. */
const few = 100;

/** What `each` makes of one slice of the items after another, `from` being where it begins. */
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
  // At once: pushing hundreds of thousands one by one takes longer than what is made of them.
  return ([] as Result[]).concat(...results);
}

/** Looks at the items one after the other; `at` is the place of each. */
export function* eachInTurn<Item>(items: readonly Item[], look: (item: Item, at: number) => void): Pieces<void> {
  for (let from = 0; from < items.length; from += slice) {
    const to = Math.min(items.length, from + slice);
    for (let at = from; at < to; at++) look(items[at]!, at);
    if (to - from > few) yield;
  }
}

/** Whether any of the items is as `is` says; stops at the first that is. */
export function* anyOne<Item>(items: readonly Item[], is: (item: Item) => boolean): Pieces<boolean> {
  return !(yield* everyOne(items, (item) => !is(item)));
}

/** The items that are as `is` says. */
export function kept<Item>(items: readonly Item[], is: (item: Item) => boolean): Pieces<readonly Item[]> {
  return inSlices(items, (slice) => slice.filter(is));
}

/** The items in order, equal ones as they come. */
export function* sorted<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Pieces<readonly Item[]> {
  let parts: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += slice) {
    parts.push(items.slice(from, from + slice).sort(compare));
    yield;
  }
  for (; parts.length > 1;) {
    const merged: (readonly Item[])[] = [];
    for (let at = 0; at < parts.length; at += 2)
      merged.push(yield* mergedParts(parts[at]!, parts[at + 1] ?? [], compare));
    parts = merged;
  }
  return parts[0] ?? [];
}

function* mergedParts<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Pieces<readonly Item[]> {
  const all: Item[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    all.push(compare(one[left]!, other[right]!) <= 0 ? one[left++]! : other[right++]!);
    if (all.length % slice === 0) yield;
  }
  return all.concat(one.slice(left), other.slice(right));
}

/** Items by what `key` says of them, in the order it first does. */
export function* grouped<Item, Key>(
  items: readonly Item[],
  key: (item: Item) => Key,
): Pieces<ReadonlyMap<Key, readonly Item[]>> {
  const groups = new Map<Key, Item[]>();
  yield* eachInTurn(items, (item) => {
    const name = key(item);
    const others = groups.get(name);
    if (others === undefined) groups.set(name, [item]);
    else others.push(item);
  });
  return groups;
}

/** What each of a few items comes to, that take their milliseconds. */
export function* oneByOne<Item, Result>(
  items: Iterable<Item>,
  each: (item: Item) => Result,
): Pieces<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(each(item));
    yield;
  }
  return results;
}

/** The same for items that have parts of their own. */
export function* partByPart<Item, Result>(
  items: Iterable<Item>,
  each: (item: Item) => Pieces<Result>,
): Pieces<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(yield* each(item));
    yield;
  }
  return results;
}

/** Whether all of the items are as `is` says; stops at the first that is not. */
export function* everyOne<Item>(items: readonly Item[], is: (item: Item, at: number) => boolean): Pieces<boolean> {
  for (let from = 0; from < items.length; from += slice) {
    const to = Math.min(items.length, from + slice);
    for (let at = from; at < to; at++) if (!is(items[at]!, at)) return false;
    if (items.length - from > few) yield;
  }
  return true;
}
