/** Where a text is being read, and how reading fails. */

/**
 * What a text is written in. `python`: literals exactly as Python takes them. `mixed`: what is meant for Python but comes
 * from models, with JSON's `true`, `false` and `null` beside Python's constants, line ends inside quotes, and white space
 * of any kind between the parts.
 */
export type Notation = "python" | "mixed";

/** A place in a text. */
export type Place = { readonly text: string; at: number };

/** A place in a literal, inside `depth` brackets. */
export type Cursor = Place & { depth: number; readonly notation: Notation };

/** Deepest nesting read: CPython's tokenizer refuses more brackets ("too many nested parentheses"). */
export const deepest = 200;

/**
 * The text is not a literal. `reach` is one past the last character that had to be looked at to know it: any text with the
 * same first `reach` characters fails in the same way.
 */
export class NotALiteral extends SyntaxError {
  override readonly name = "NotALiteral";
  readonly reach: number;
  constructor(message: string, reach: number) {
    super(message);
    this.reach = reach;
  }
}

/** `ahead` is how many characters from the cursor on were looked at; two tell numbers and prefixed strings. */
export function fail(place: Place, expected: string, ahead = 2): never {
  // After a backslash it matters whether the text goes on.
  const looked = place.text[place.at] === "\\" ? ahead + 2 : ahead;
  throw new NotALiteral(`Expected ${expected} at character ${place.at}`, place.at + looked);
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** ASCII letters, digits, `_`, and everything beyond ASCII but white space: what may go on a name or number. */
export function isNamePart(code: number): boolean {
  if (code > 127) return !isUncommonBlank(code);
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/** White space Python does not take between the parts of a literal, such as the no-break space. */
export function isUncommonBlank(code: number): boolean {
  return code === 11 || (code > 127 && /\s/.test(String.fromCharCode(code)));
}

/** Line feed or carriage return: Python reads both as the end of a line. */
export function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
