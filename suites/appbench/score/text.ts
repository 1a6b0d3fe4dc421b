/**
 * Text as the official Python scorers see it. Python and JavaScript disagree on what a blank is (Python: the separators
 * U+001C to U+001F and U+0085 are, U+FEFF is not), so nothing here uses `trim` or a bare `\s`.
 */

/** Character class of Python's blanks, for use inside a regular expression. */
export const blank = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
/** Character class of Python's word characters. */
export const word = "[\\p{L}\\p{N}_]";

/** Without any of `characters` (each one UTF-16 unit) at both ends. */
export function stripOf(text: string, characters: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && characters.includes(text[from]!)) from += 1;
  while (to > from && characters.includes(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}

/** The match of a sticky expression at `index`, or undefined. */
export function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | undefined {
  expression.lastIndex = index;
  return expression.exec(text) ?? undefined;
}
