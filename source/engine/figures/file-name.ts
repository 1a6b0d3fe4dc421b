/** Derives file names from names of things. */

/** Longer names exceed the limit of some file systems once a number and an extension are added. */
const longest = 80;

/** Keeps only letters, digits, `.`, `_` and `-`, so that no name leads out of its folder. */
export const fileName = (text: string): string => text.replace(/[^\p{L}\p{N}_.-]+/gu, "-").slice(0, longest);

/** Returns a function that adds a number to names already in use. */
export function distinctNames(): (text: string) => string {
  const taken = new Map<string, number>();
  return (text) => {
    const name = fileName(text);
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return before === 0 ? name : `${name}~${before + 1}`;
  };
}
