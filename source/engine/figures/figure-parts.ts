/** Text produced in parts, so that writing hundreds of thousands of rows does not block the screen. */

/** Texts in sequence, each made on demand. */
export type Parts = Iterable<string>;

/** Rows or points per part. */
export const atATime = 200;

/** Returns all parts in order. */
export const partsOf = (...parts: readonly (string | Parts)[]): Parts =>
  parts.values().flatMap((part) => (typeof part === "string" ? [part] : part));

/** Yields a text for each item, which ends its own line. */
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
