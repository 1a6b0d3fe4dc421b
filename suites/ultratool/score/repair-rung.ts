/** What the repair ladders are made of: a rung, and edits just before the last character. */

/** One rung: what it does, in words for a figure, and the text to try. A rung whose mark is absent gives undefined. */
export type Repair = { readonly name: string; readonly text: string | undefined };

/** The rungs of one text, each with what makes it when it is reached. */
export type Rungs = readonly (readonly [name: string, make: () => string | undefined])[];

/** Puts `added` just before the last character. */
export function insert(text: string, added: string): string {
  return text.slice(0, -1) + added + text.slice(-1);
}

/** Removes `count` characters before the last one. Characters are code points, as in Python. */
export function drop(text: string, count: number): string {
  let to = text.length - 1;
  for (let dropped = 0; dropped < count && to > 0; dropped++) to -= isPair(text, to) ? 2 : 1;
  return text.slice(0, Math.max(0, to)) + text.slice(-1);
}

function isPair(text: string, to: number): boolean {
  return to >= 2 && (text.codePointAt(to - 2) ?? 0) > 0xffff;
}
