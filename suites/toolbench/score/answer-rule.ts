/** The sample's own test of an answer: it must mention what the task expects. */

/** Longest answer read. */
const longestAnswer = 100_000;

/** A text as tokens with single spaces around: lower case, commas out of numbers, sentence marks off the ends of words. */
function tokens(text: string): string {
  const plain = text
    .slice(0, longestAnswer)
    .toLowerCase()
    .replace(/(?<=\d),(?=\d)/g, "");
  const words = plain.replace(/[^\p{L}\p{N}.:-]+/gu, " ").split(" ");
  return ` ${words
    .map((word) => trimmed(word))
    .filter((word) => word !== "")
    .join(" ")} `;
}

function trimmed(word: string): string {
  let from = 0;
  let to = word.length;
  while (from < to && ".:-".includes(word[from]!)) from += 1;
  while (to > from && ".:-".includes(word[to - 1]!)) to -= 1;
  return word.slice(from, to);
}

/** Which of the expected things an answer mentions, as whole words or numbers. */
export function mentions(answer: string, expected: readonly string[]): readonly boolean[] {
  const given = tokens(answer);
  return expected.map((one) => given.includes(tokens(one)));
}
