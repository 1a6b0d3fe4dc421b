/** The sample's own test of an answer: it must contain the expected content. */
import { stripOf } from "../../../source/engine/python/text.ts";

/** Maximum length of an answer. */
const longestAnswer = 100_000;

/**
 * Normalizes a text to tokens with single spaces around: lower case, no commas in numbers, no sentence marks at the
 * ends of words.
 */
function tokens(text: string): string {
  const plain = text
    .slice(0, longestAnswer)
    .toLowerCase()
    .replace(/(?<=\d),(?=\d)/g, "");
  const words = plain.replace(/[^\p{L}\p{N}.:-]+/gu, " ").split(" ");
  return ` ${words
    .map((word) => stripOf(word, ".:-"))
    .filter((word) => word !== "")
    .join(" ")} `;
}

/** Reports which of the expected items an answer mentions, as whole words or numbers. */
export function mentions(answer: string, expected: readonly string[]): readonly boolean[] {
  const given = tokens(answer);
  return expected.map((one) => given.includes(tokens(one)));
}
