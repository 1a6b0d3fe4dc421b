/** Edit distance between texts, in code points. */

/** Returns, for each code point of the pattern, one bit per position at which it occurs. */
function occurrences(pattern: readonly number[], blocks: number): Map<number, Int32Array> {
  const found = new Map<number, Int32Array>();
  for (const [index, code] of pattern.entries()) {
    let bits = found.get(code);
    if (bits === undefined) found.set(code, (bits = new Int32Array(blocks)));
    bits[index >>> 5]! |= 1 << (index & 31);
  }
  return found;
}

/**
 * Levenshtein distance of two sequences of code points. Bit-parallel (Myers 1999, in blocks of 32): the time is length of the text x
 * ceil(length of the pattern / 32), so that a hostile answer of millions of characters takes little time with a short reference,
 * which must be the pattern: memory is proportional to the pattern's length times its number of different code points.
 */
export function editDistance(pattern: readonly number[], text: readonly number[]): number {
  const blocks = Math.ceil(pattern.length / 32);
  const found = occurrences(pattern, blocks);
  const none = new Int32Array(blocks);
  // Vertical differences of the matrix column: +1 and -1.
  const rises = new Int32Array(blocks).fill(-1);
  const falls = new Int32Array(blocks);
  const last = 1 << ((pattern.length - 1) & 31);
  let distance = pattern.length;
  for (const code of text) {
    const bits = found.get(code) ?? none;
    let carry = 1;
    for (let block = 0; block < blocks; block++) {
      const rise = rises[block]!;
      const fall = falls[block]!;
      let equal = bits[block]!;
      const vertical = equal | fall;
      if (carry < 0) equal |= 1;
      const horizontal = (((equal & rise) + rise) ^ rise) | equal;
      let up = fall | ~(horizontal | rise);
      let down = rise & horizontal;
      const edge = block === blocks - 1 ? last : 1 << 31;
      const next = (up & edge) !== 0 ? 1 : (down & edge) !== 0 ? -1 : 0;
      up = (up << 1) | (carry > 0 ? 1 : 0);
      down = (down << 1) | (carry < 0 ? 1 : 0);
      rises[block] = down | ~(vertical | up);
      falls[block] = up & vertical;
      carry = next;
    }
    distance += carry;
  }
  return distance;
}
