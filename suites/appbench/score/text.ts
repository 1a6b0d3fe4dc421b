/**
 * Text as the official Python scorers see it. Python and JavaScript disagree on white space (in Python, U+001C to
 * U+001F and U+0085 are white space, U+FEFF is not), so this suite uses neither `trim` nor a bare `\s`.
 */

/** Character class of Python's white space, for use inside a regular expression. */
export const blank = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
/** Character class of Python's word characters. */
export const word = "[\\p{L}\\p{N}_]";

/** Returns the match of a sticky expression at `index`, or undefined. */
export function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | undefined {
  expression.lastIndex = index;
  return expression.exec(text) ?? undefined;
}
