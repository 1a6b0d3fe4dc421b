/**
 * White space as Python sees it. JavaScript disagrees (Python: the separators U+001C to U+001F and U+0085 are white space,
 * U+FEFF is not), so where official programs are followed neither `trim` nor a bare `\s` will do.
 */

const blanks = new Set(
  [9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].concat(
    Array.from({ length: 11 }, (_, index) => index + 0x2000),
  ),
);

/** Whether the UTF-16 unit at `at` is white space to Python; false past the end. */
export function isBlankAt(text: string, at: number): boolean {
  return blanks.has(text.charCodeAt(at));
}

/** `str.strip()`: without white space at both ends; linear in the length. */
export function strip(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlankAt(text, from)) from += 1;
  while (to > from && isBlankAt(text, to - 1)) to -= 1;
  return text.slice(from, to);
}
