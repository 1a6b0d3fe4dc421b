/** Returns the name most similar to a mistyped name; undefined if none is within two changes, or a third of its letters. */
export function similarName(typed: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.min(2, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - typed.length) >= least) continue;
    const changes = changesBetween(typed.toLowerCase(), name.toLowerCase());
    if (changes < least) [best, least] = [name, changes];
  }
  return best;
}

/** Counts letters inserted, deleted, replaced or exchanged with their neighbour (optimal string alignment). */
function changesBetween(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swap = row > 1 && column > 1 && swapped ? before[column - 2]! + 1 : Infinity;
      next.push(Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + same, swap));
    }
    [before, last] = [last, next];
  }
  return last[other.length]!;
}
