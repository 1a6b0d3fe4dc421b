/**
 * Lists that grow at their end, such as the rows of the tasks that a run has ended. A fact about such a list is continued with the
 * new items: each item is read once, however often the fact is asked for.
 */

import { factOf } from "./fact.ts";

/** How a fact is worked out from one item after another. The same fold must be the same object. */
export type Fold<Item, State> = {
  start(): State;
  /** Adds an item to the state, or to a copy of it, and returns it. */
  take(state: State, item: Item, at: number): State;
  /** Returns a state that further items do not change; absent if `take` changes no state. */
  readonly copy?: (state: State) => State;
};

/** The state of a fold after so many items. */
type Folded = { count: number; state: unknown };

type Origin = { readonly list: GrowingList<unknown>; readonly count: number };

/** The lists that arrays begin with. */
const originOf = factOf<readonly unknown[], Origin | undefined>(() => undefined);

export class GrowingList<Item> {
  readonly #items: Item[] = [];
  /** A fold that is no longer used takes its state with it. */
  readonly #folded = new WeakMap<object, Folded>();

  get length(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Returns an array of all items and of these further ones. Its facts continue those of the list. */
  with(further: readonly Item[]): readonly Item[] {
    const all = this.#items.concat(further);
    originOf.know(all, { list: this as GrowingList<unknown>, count: this.#items.length });
    return all;
  }

  all(): readonly Item[] {
    return this.#items;
  }

  /** Returns the state of a fold after all items, which later items may change. */
  fold<State>(fold: Fold<Item, State>): State {
    const known = this.#folded.get(fold) ?? { count: 0, state: fold.start() };
    for (; known.count < this.#items.length; known.count++)
      known.state = fold.take(known.state as State, this.#items[known.count]!, known.count);
    this.#folded.set(fold, known);
    return known.state as State;
  }
}

/** Returns the list that an array begins with; undefined if there is none, or if it has grown since. */
export function listOf<Item>(items: readonly Item[]): GrowingList<Item> | undefined {
  const { list, count } = originOf(items) ?? {};
  return list?.length === count ? (list as GrowingList<never> | undefined) : undefined;
}

/** Returns the state of a fold after all items of an array; those of a list that it begins with are read only if they are new. */
export function foldOver<Item, State>(fold: Fold<Item, State>, items: readonly Item[]): State {
  const list = listOf(items);
  const begun = list === undefined ? fold.start() : list.fold(fold);
  let state = list !== undefined && fold.copy !== undefined ? fold.copy(begun) : begun;
  for (let at = list?.length ?? 0; at < items.length; at++) state = fold.take(state, items[at]!, at);
  return state;
}

/** A list that grows, or the items that follow a list which must not grow with them. */
export class Branch<Item> {
  readonly #list: GrowingList<Item>;
  readonly #further: Item[] | undefined;

  constructor(list = new GrowingList<Item>(), further?: Item[]) {
    this.#list = list;
    this.#further = further;
  }

  add(item: Item): void {
    if (this.#further === undefined) this.#list.add(item);
    else this.#further.push(item);
  }

  /** Returns a branch whose further items the list does not get. */
  copy(): Branch<Item> {
    return new Branch(this.#list, []);
  }

  /** Only a copy's items begin with a list that grows. */
  items(): readonly Item[] {
    return this.#further === undefined ? this.#list.all() : this.#list.with(this.#further);
  }
}

type Groups<Key, Item> = Map<Key, Branch<Item>>;

function groupFold<Item, Key>(keyOf: (item: Item) => Key | undefined): Fold<Item, Groups<Key, Item>> {
  return {
    start: () => new Map(),
    take(groups, item) {
      const key = keyOf(item);
      if (key === undefined) return groups;
      const group = groups.get(key) ?? new Branch<Item>();
      group.add(item);
      return groups.set(key, group);
    },
    copy: (groups) => new Map([...groups].map(([key, group]) => [key, group.copy()])),
  };
}

/** Returns `make` as a function that gives the same key for equal names: `grouped` continues the facts of the same key only. */
export function keyByName<Name, Key extends (item: never) => unknown>(make: (name: Name) => Key): (name: Name) => Key {
  const known = new Map<string, Key>();
  return (name) => {
    const text = JSON.stringify(name);
    const key = known.get(text) ?? make(name);
    known.set(text, key);
    return key;
  };
}

/** The folds of functions that group items. */
const groupFolds = factOf((keyOf: (item: never) => unknown) => groupFold(keyOf));

/**
 * Groups items by a key, in order of first appearance; items without a key are in no group. Facts about a group are continued if
 * facts about the items are, and if the function is the same object.
 */
export function grouped<Item, Key>(
  keyOf: (item: Item) => Key | undefined,
  items: readonly Item[],
): ReadonlyMap<Key, readonly Item[]> {
  const groups = foldOver(groupFolds(keyOf) as unknown as Fold<Item, Groups<Key, Item>>, items);
  return new Map([...groups].map(([key, group]) => [key, group.items()]));
}
