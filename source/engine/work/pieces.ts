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
  signal: AbortSignal,
  progress: (at: string) => void,
): Promise<Result> {
  await nextTurn();
  signal.throwIfAborted();
  const yieldIfDue = eventLoopYielder(signal);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (value !== undefined) progress(value);
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

/** So many at a time take about a millisecond. */
const slice = 2000;

/** What `each` makes of one slice of the items after another, `from` being where it begins. */
export function* inSlices<Item, Result>(
  items: readonly Item[],
  each: (slice: readonly Item[], from: number) => readonly Result[],
): Pieces<readonly Result[]> {
  if (items.length <= slice) return each(items, 0);
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
    if (from > 0) yield;
    const to = Math.min(items.length, from + slice);
    for (let at = from; at < to; at++) look(items[at]!, at);
  }
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
  for (const item of items) results.push(yield* each(item));
  return results;
}

/** Whether all of the items are as `is` says; stops at the first that is not. */
export function* everyOne<Item>(items: readonly Item[], is: (item: Item, at: number) => boolean): Pieces<boolean> {
  for (let from = 0; from < items.length; from += slice) {
    if (from > 0) yield;
    const to = Math.min(items.length, from + slice);
    for (let at = from; at < to; at++) if (!is(items[at]!, at)) return false;
  }
  return true;
}
