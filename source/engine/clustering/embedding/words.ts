/** Splits descriptions and API names into words, for the lexical embedding and the lexical toolkit descriptions. */

const stopWords = new Set(
  `a an and any api are as at based be by can data endpoint for from get gets given has have if in into is it its of on
  or our provide provides request response retrieve return returns that the their them then there these this to tool
  use used user users using via was were which will with you your`.split(/\s+/),
);
const letterOrDigit = /[\p{L}\p{N}]/u;
/** Maximum characters of a word; longer words are truncated because they are data, not language. */
const longestWord = 40;

/**
 * Returns words in lower case and singular, in order, without stop words. Splits at everything that is neither letter nor
 * digit, and inside camelCase. Reads the text once, character by character.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let before = "";
  const end = () => {
    const found = singular(word.toLowerCase());
    if (found.length > 1 && !stopWords.has(found)) words.push(found);
    word = "";
  };
  for (const character of text) {
    const isWord = letterOrDigit.test(character);
    const isHump = isUpper(character) && before !== "" && !isUpper(before);
    if (!isWord || isHump) end();
    if (isWord && word.length < longestWord) word += character;
    before = isWord ? character : "";
  }
  end();
  return words;
}

const isUpper = (character: string): boolean => character !== character.toLowerCase();

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !word.endsWith("us") && !word.endsWith("is")) {
    return word.slice(0, -1);
  }
  return word;
}
