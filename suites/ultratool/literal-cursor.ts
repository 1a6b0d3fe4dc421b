/** Where a literal is being read, and how reading fails. */

/** `written` says whose constants and escapes count: Python's or JSON's. */
export type Cursor = { readonly text: string; at: number; depth: number; readonly written: "python" | "json" };

/**
 * The text is not a literal. `reach` is one past the last character that had to be looked at to know it: any text with the
 * same first `reach` characters fails in the same way.
 */
export class NotALiteral extends Error {
  override readonly name = "NotALiteral";
  readonly reach: number;
  constructor(message: string, reach: number) {
    super(message);
    this.reach = reach;
  }
}

/** `ahead` is how many characters from the cursor on were looked at; two tell numbers and prefixed strings. */
export function fail(cursor: Cursor, expected: string, ahead = 2): never {
  // After a backslash it matters whether the text goes on.
  const looked = cursor.text[cursor.at] === "\\" ? ahead + 2 : ahead;
  throw new NotALiteral(`Expected ${expected} at character ${cursor.at}`, cursor.at + looked);
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** ASCII letters, digits, `_`, and everything beyond ASCII: what may go on a name or number. */
export function isNamePart(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code > 127;
}

/** Line feed or carriage return: Python reads both as the end of a line. */
export function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
