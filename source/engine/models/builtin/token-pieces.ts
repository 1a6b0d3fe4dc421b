/** Splits text into pieces of about the size of tokens, so that built-in models stream as others do. */

const size = 4;

/** Pieces of at most about four characters, split before words where possible; joined they are the text. */
export function tokenPieces(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let index = 1; index < text.length; index++) {
    const isBreak = text.charCodeAt(index) === 32 || index - start >= size;
    // Never between the two halves of a surrogate pair.
    if (!isBreak || (text.charCodeAt(index) & 0xfc00) === 0xdc00) continue;
    pieces.push(text.slice(start, index));
    start = index;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}
