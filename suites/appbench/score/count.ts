/** Counts and ratios, with upstream's treatment of 0. */

export type Counters<Name extends string> = Record<Name, number>;

/** Returns a counter of 0 for each name. */
export const zeros = <Name extends string>(names: readonly Name[]): Counters<Name> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Counters<Name>;

/** Sums the counters per name. */
export function sumOf<Name extends string>(
  names: readonly Name[],
  items: readonly Readonly<Counters<Name>>[],
): Counters<Name> {
  const sums = zeros(names);
  for (const item of items) for (const name of names) sums[name] += item[name];
  return sums;
}

/** Returns `top / bottom`, or `empty` if `bottom` is 0. */
export const ratio = (top: number, bottom: number, empty = 0): number => (bottom === 0 ? empty : top / bottom);

/** Returns the harmonic mean of precision and recall; 0 if both are 0. */
export const f1 = (precision: number, recall: number): number => ratio(2 * precision * recall, precision + recall);

/** Reports whether two lists contain the same names equally often, in any order. */
export const sameMultiset = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && commonCount(left, right) === left.length;

/** Returns the size of the multiset intersection. */
export function commonCount(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const name of left) counts.set(name, (counts.get(name) ?? 0) + 1);
  let common = 0;
  for (const name of right) {
    const count = counts.get(name) ?? 0;
    if (count === 0) continue;
    counts.set(name, count - 1);
    common += 1;
  }
  return common;
}

export const lowerCased = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
