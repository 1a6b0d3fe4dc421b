import { expect, it } from "vitest";
import { tokensOf } from "../../../source/engine/text/tokens.ts";

it.for([
  ["", 0],
  ["abcd", 1],
  ["abcde", 2],
  // The last character before those that count alone, the first and the last of them.
  ["\u2e7f", 1],
  ["\u2e80\u2e80", 2],
  ["\uffef\uffef", 2],
  ["\ufff0\ufff0", 1],
  ["計画を立てる", 6],
  ["plan 計画", 4],
  ["\ud7ff\ue000", 2],
  // Emoji are two units each and do not count alone.
  ["\u{1f600}\u{1f600}", 1],
  ["\u{1f600}計", 2],
] as const)(
  "text is counted as a token for four letters or one Chinese, Japanese or Korean character: %j",
  ([text, count]) => {
    expect(tokensOf(text)).toBe(count);
  },
);
