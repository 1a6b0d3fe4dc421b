/** Finds text in a document of blocks, including folded text, regardless of case and line breaks. */
import { printable } from "../../engine/text/printable.ts";
import type { Pieces } from "../../engine/work/pieces.ts";
import type { Block } from "./block.ts";

/** A line that contains the text. */
export type Found = {
  readonly block: string;
  readonly line: number;
  /** The block to expand first if the line is folded away. */
  readonly opens?: string;
};

type Place = Found & {
  readonly text: string;
  /** The number of the shown line; for a folded line, the number of its block. */ readonly at: number;
};

/** Lines searched in about a millisecond or two. */
const atATime = 2000;

/**
 * Returns the next line with this text after line `here` (`by` 1) or before it (-1), starting again at the other end; undefined
 * if there is none.
 */
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

/** Returns the line that contains the text: this line, or the previous line if the text continues over its end. */
function holding(previous: Place | undefined, place: Place, wanted: string): Place | undefined {
  const own = place.text.toLowerCase();
  if (own.includes(wanted)) return place;
  const before = previous?.block === place.block ? previous.text.toLowerCase() : undefined;
  if (before === undefined || before.includes(wanted)) return undefined;
  const joined = [`${before}${own}`, `${before} ${own.trimStart()}`];
  return joined.some((both) => both.includes(wanted)) ? previous : undefined;
}

/** Returns the lines of a block that starts at line `at`; folded lines replace the line that stands for them. */
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
