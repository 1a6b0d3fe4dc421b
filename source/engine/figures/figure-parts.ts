/** A figure's text as it is made, part by part: files of hundreds of thousands of rows are written while the screen lives on. */

/** Texts one after the other, each made when it is asked for. */
export type Parts = Iterable<string>;

/** So many rows or points make a part. */
export const atATime = 200;

/** All of them, in order. */
export function* partsOf(...parts: readonly (string | Parts)[]): Generator<string> {
  for (const part of parts)
    if (typeof part === "string") yield part;
    else yield* part;
}

/** A text for each of the items, which ends its own line. */
export function* textsOf<Item>(items: Iterable<Item>, each: (item: Item, at: number) => string): Generator<string> {
  let [text, at] = ["", 0];
  for (const item of items) {
    text += each(item, at);
    at += 1;
    if (at % atATime !== 0) continue;
    yield text;
    text = "";
  }
  yield text;
}
