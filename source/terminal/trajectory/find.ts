/** Finding text in a document of blocks, in its folded texts too. Case does not count, nor where lines are broken. */
import { printable } from "../../engine/text/printable.ts";
import type { Pieces } from "../../engine/work/pieces.ts";
import type { Block } from "./block.ts";

/** A line that holds what was looked for. */
export type Found = {
  readonly block: string;
  readonly line: number;
  /** The block to expand first, where the line is folded away. */
  readonly opens?: string;
};

type Place = Found & {
  readonly text: string;
  /** Number of the line shown, which for a folded line is its block's. */ readonly at: number;
};

/** So many lines are looked through in a millisecond or two. */
const atATime = 2000;

/** The next line with this text after line `here` (`by` 1) or before it (-1), wrapping around; undefined where there is none. */
export function* nextFound(blocks: Iterable<Block>, here: number, text: string, by: 1 | -1): Pieces<Found | undefined> {
  const wanted = printable(text).toLowerCase();
  let before: Place | undefined;
  let first: Place | undefined;
  let last: Place | undefined;
  let previous: Place | undefined;
  let looked = 0;
  let from = 0;
  for (const block of blocks) {
    for (const place of placesIn(block, from)) {
      looked += 1;
      if (looked % atATime === 0) yield;
      const found = holding(previous, place, wanted);
      previous = place;
      if (found === undefined) continue;
      const isAfter = found.at > here || (found.at === here && found.opens !== undefined);
      if (by === 1 && isAfter) return found;
      first ??= found;
      last = found;
      if (found.at < here) before = found;
    }
    from += block.count;
  }
  return by === 1 ? first : (before ?? last);
}

/** The line that holds the text: this one, or the one before it where the text goes on over its end. */
function holding(previous: Place | undefined, place: Place, wanted: string): Place | undefined {
  const own = place.text.toLowerCase();
  if (own.includes(wanted)) return place;
  const before = previous?.block === place.block ? previous.text.toLowerCase() : undefined;
  if (before === undefined || before.includes(wanted)) return undefined;
  const joined = [`${before}${own}`, `${before} ${own.trimStart()}`];
  return joined.some((both) => both.includes(wanted)) ? previous : undefined;
}

/** The lines of a block that begins at line `at`, those of its folded text in its place. */
function placesIn({ id, count, line, folded }: Block, at: number): Iterable<Place> {
  if (folded !== undefined)
    return folded.lines.values().map((text, index) => ({ block: folded.id, line: index, opens: id, text, at }));
  const textOf = (index: number) =>
    line(index)
      .map((span) => span.text)
      .join("");
  return Array.from({ length: count }, (_, index) => index)
    .values()
    .map((index) => ({ block: id, line: index, text: textOf(index), at: at + index }));
}
