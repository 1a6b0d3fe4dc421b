/**
 * Lists that grow at their end, such as the rows of the tasks that a run has ended. Facts about arrays that consist of such lists
 * are continued with the new items: each item is read once, however often the facts are asked for.
 */

import { factOf } from "./fact.ts";

/** How a list is begun and continued with one item after another. The same steps must be the same object. */
type Steps<Item, State> = {
  start(of: GrowingList<Item>): State;
  /** Adds an item to the state, or to a copy of it, and returns it. */
  take(state: State, item: Item, of: GrowingList<Item>): State;
};

/** How a fact is worked out from items. The same fold must be the same object. */
export type Fold<Item, State> = {
  start(): State;
  /** Adds an item to the state, or to a copy of it, and returns it. */
  take(state: State, item: Item): State;
  /**
   * Returns the state after the items of all these states in order, and changes none of them. Absent if `take` changes no state and
   * must see all items in order: only the first list is then continued.
   */
  readonly join?: (states: readonly State[]) => State;
};

/** The state of a list after so many items. */
type Continued = { count: number; state: unknown };

/** An array, or a list that grows. */
export type ListPart<Item> = readonly Item[] | GrowingList<Item>;

/** The parts of an array that contains lists, with their lengths. */
const madeOf = Symbol("made of");
type Made = { [madeOf]?: readonly { readonly part: ListPart<unknown>; readonly count: number }[] };

export class GrowingList<Item> {
  /** The list from which this list was derived, or the list itself. */
  readonly root: object;
  readonly #items: Item[] = [];
  /** Steps that are no longer used take their state with them. */
  readonly #continued = new WeakMap<object, Continued>();

  constructor(of?: GrowingList<never>) {
    this.root = of?.root ?? this;
  }

  get length(): number {
    return this.#items.length;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Returns an array of all items and of these further ones. */
  with(further: readonly Item[]): readonly Item[] {
    return joinedParts<Item>([this, further]);
  }

  all(): readonly Item[] {
    return this.#items;
  }

  /** Returns the state after all items, which later items may change. */
  fold<State>(steps: Steps<Item, State>): State {
    const known = this.#continued.get(steps) ?? { count: 0, state: steps.start(this) };
    for (; known.count < this.#items.length; known.count++)
      known.state = steps.take(known.state as State, this.#items[known.count]!, this);
    this.#continued.set(steps, known);
    return known.state as State;
  }
}

/** Returns the parts of an array; the array itself if it contains no list, or if one of its lists has grown since. */
export function listParts<Item>(items: readonly Item[]): readonly ListPart<Item>[] {
  const made = (items as Made)[madeOf];
  const isCurrent = made?.every(({ part, count }) => part.length === count) === true;
  return isCurrent ? made.map(({ part }) => part as ListPart<Item>) : [items];
}

/** Returns an array of all items of these parts, whose facts continue those of the lists; a single array stays as it is. */
export function joinedParts<Item>(parts: readonly ListPart<Item>[]): readonly Item[] {
  const [first] = parts;
  if (parts.length === 1 && !(first instanceof GrowingList)) return first!;
  // `concat` is faster than pushing hundreds of thousands of items one by one.
  const all = ([] as Item[]).concat(...parts.map((part) => (part instanceof GrowingList ? part.all() : part)));
  const flat = parts.flatMap((part) => (part instanceof GrowingList ? part : part.length === 0 ? [] : listParts(part)));
  if (flat.some((part) => part instanceof GrowingList))
    Object.defineProperty(all, madeOf, { value: flat.map((part) => ({ part, count: part.length })) });
  return all;
}

/** Returns the state of a fold after all items of an array; those of its lists are read only if they are new. */
export function foldOver<Item, State>(fold: Fold<Item, State>, items: readonly Item[]): State {
  const { join } = fold;
  const stateOf = (of: readonly Item[], from = fold.start()) =>
    of.reduce((state, item) => fold.take(state, item), from);
  const parts = listParts(items);
  const [first] = parts;
  if (join === undefined)
    return first instanceof GrowingList ? stateOf(items.slice(first.length), first.fold(fold)) : stateOf(items);
  if (first === items) return stateOf(items);
  return join(parts.map((part) => (part instanceof GrowingList ? part.fold(fold) : stateOf(part))));
}

/** Adds counts by their names. */
export const addedCounts = <Counts extends Readonly<Record<string, number>>>(all: readonly Counts[]): Counts => {
  const names = Object.keys(all[0]!);
  const sumOf = (name: string) => all.reduce((sum, counts) => sum + counts[name]!, 0);
  return Object.fromEntries(names.map((name) => [name, sumOf(name)])) as Counts;
};

/** Collects what a function finds in each item in another list. */
const foundSteps = factOf((each: (item: never) => unknown): Steps<never, GrowingList<unknown>> => ({
  start: (of) => new GrowingList(of),
  take(found, item) {
    addAll(found, each(item));
    return found;
  },
}));

/**
 * Returns what a function finds in each item, as `flatMap` does. Facts about the result are continued as those of the items are, if
 * the function is the same object each time.
 */
export function flatMapped<Item, Found>(
  each: (item: Item) => Found | readonly Found[],
  items: readonly Item[],
): readonly Found[] {
  const steps = foundSteps(each) as unknown as Steps<Item, GrowingList<Found>>;
  const foundIn = (part: readonly Item[]) => {
    const found: Found[] = [];
    for (const item of part) addAll(found, each(item));
    return found;
  };
  return joinedParts(listParts(items).map((part) => (part instanceof GrowingList ? part.fold(steps) : foundIn(part))));
}

/** Returns fields of each item, as `flatMapped` does; the items themselves if they are in no list. */
export const itemFields = <Fields, Item extends Fields>(
  each: (item: Item) => Fields,
  items: readonly Item[],
): readonly Fields[] => (listParts(items)[0] === items ? items : flatMapped(each, items));

function addAll<Found>(found: { push(item: Found): unknown }, own: Found | readonly Found[]): void {
  if (!Array.isArray(own)) found.push(own as Found);
  else for (const one of own as readonly Found[]) found.push(one);
}

const none: readonly never[] = [];

/** Functions that return the items which others keep. */
const keptOf = factOf((keeps: (item: never) => boolean) => (item: never) => (keeps(item) ? item : none));

/** Returns the items that a function keeps, as `flatMapped` does. */
export const filtered = <Item>(keeps: (item: Item) => boolean, items: readonly Item[]): readonly Item[] =>
  flatMapped<Item, Item>(keptOf(keeps) as unknown as (item: Item) => Item | readonly Item[], items);

/** Collects the items of each group in another list. */
const groupSteps = factOf((keyOf: (item: never) => unknown): Steps<never, Map<unknown, GrowingList<never>>> => ({
  start: () => new Map(),
  take(groups, item, of) {
    const key = keyOf(item);
    if (key === undefined) return groups;
    const group = groups.get(key) ?? new GrowingList<never>(of);
    group.push(item);
    return groups.set(key, group);
  },
}));

/** Groups items by a key, in order of first appearance; items without a key are in no group. Facts are continued as by `flatMapped`. */
export function grouped<Item, Key>(
  keyOf: (item: Item) => Key | undefined,
  items: readonly Item[],
): ReadonlyMap<Key, readonly Item[]> {
  const steps = groupSteps(keyOf) as unknown as Steps<Item, Map<Key, GrowingList<Item>>>;
  const groups = new Map<Key | undefined, ListPart<Item>[]>();
  for (const part of listParts(items)) {
    const own = part instanceof GrowingList ? part.fold(steps) : Map.groupBy(part, keyOf);
    for (const [key, group] of own) groups.set(key, [...(groups.get(key) ?? []), group]);
  }
  groups.delete(undefined);
  return new Map([...groups].map(([key, parts]) => [key as Key, joinedParts(parts)]));
}

/** Returns `make` as a function that gives the same key for equal names: facts are continued by the same key only. */
export function keyByName<Name, Key extends (item: never) => unknown>(make: (name: Name) => Key): (name: Name) => Key {
  const known = new Map<string, Key>();
  return (name) => {
    const text = JSON.stringify(name);
    const key = known.get(text) ?? make(name);
    known.set(text, key);
    return key;
  };
}
