/** The position of a parser in a text, and its error. */

/**
 * The syntax of a text. `python`: literals exactly as Python accepts them. `mixed`: Python written by models, with JSON's
 * `true`, `false` and `null` in addition to Python's constants, line breaks inside quotes, and any white space between the
 * parts.
 */
export type Notation = "python" | "mixed";

/** A position in a text. */
export type TextPosition = { readonly text: string; at: number };

/** A position in a literal, with the number of open brackets as `depth`. */
export type Cursor = TextPosition & { depth: number; readonly notation: Notation };

/** Deepest nesting parsed: CPython's tokenizer refuses more brackets ("too many nested parentheses"). */
export const deepest = 200;

/**
 * Thrown for a text that is not a literal. `reach` is the index after the last character examined: any text with the same first
 * `reach` characters fails in the same way.
 */
export class NotALiteral extends SyntaxError {
  override readonly name = "NotALiteral";
  readonly reach: number;
  constructor(message: string, reach: number) {
    // Readers try one form of a text after the other. The stack trace of each failure, which nothing reads, took most of the time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.reach = reach;
  }
}

/**
 * Throws `NotALiteral`. `ahead` is the number of examined characters from the cursor on; two identify numbers and prefixed
 * strings.
 */
export function fail(position: TextPosition, expected: string, ahead = 2): never {
  // After a backslash it matters whether the text continues.
  const looked = position.text[position.at] === "\\" ? ahead + 2 : ahead;
  throw new NotALiteral(`Expected ${expected} at character ${position.at}`, position.at + looked);
}

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Returns whether a character continues a name or number: ASCII letters, digits, `_`, and all characters beyond ASCII except
 * white space.
 */
export function isNamePart(code: number): boolean {
  if (code > 127) return !isUncommonBlank(code);
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/** Returns true for white space that Python does not accept between the parts of a literal, such as the no-break space. */
export const isUncommonBlank = (code: number) => code === 11 || (code > 127 && /\s/.test(String.fromCharCode(code)));

/** Returns true for a line feed or carriage return, which Python treats both as the end of a line. */
export const isLineEnd = (code: number): boolean => code === 10 || code === 13;
