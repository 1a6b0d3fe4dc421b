/** Names of files for things that have names of their own. */

/** Longer names do not fit every file system once a number and an ending are added. */
const longest = 80;

/** Letters, digits, `.`, `_` and `-` only, so that no name leaves its folder. */
export function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.-]+/gu, "-").slice(0, longest);
}

/** File names, with a number behind one that something else has already. */
export function distinctNames(): (text: string) => string {
  const taken = new Map<string, number>();
  return (text) => {
    const name = fileName(text);
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return before === 0 ? name : `${name}~${before + 1}`;
  };
}
