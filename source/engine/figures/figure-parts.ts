/** A figure's text as it is made, part by part: files of hundreds of thousands of rows are written while the screen lives on. */
import type { Pieces } from "../work/pieces.ts";

/** No part takes more than a few milliseconds. Empty ones are of work that has no text. */
export type Parts<Result = void> = Generator<string, Result, void>;

/** So many rows or points make a part. */
export const atATime = 200;

/** What the work comes to, as parts without text. */
export function* textless<Result>(work: Pieces<Result>): Parts<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    yield "";
  }
}

/** A text for each of the items, which ends its own line. */
export function* textsOf<Item>(items: Iterable<Item>, each: (item: Item, at: number) => string): Parts {
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
