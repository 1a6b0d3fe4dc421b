/** Numbers as Python writes them, digit by digit. */
import { fail, isDigit, isNamePart, type TextPosition } from "./cursor.ts";
import type { PythonValue } from "./value.ts";

/** Python refuses decimal integers of more digits. */
const mostDigits = 4300;

/** Reads an unsigned int or float at the cursor; `negative` applies the sign read before it. */
export function readPythonNumber(cursor: TextPosition, negative: boolean): PythonValue {
  const { text, at: from } = cursor;
  const base = text[from] === "0" ? baseOf(text[from + 1]) : undefined;
  if (base !== undefined) return readBased(cursor, base, negative);
  digits(cursor);
  let isFloat = false;
  if (text[cursor.at] === ".") {
    isFloat = true;
    cursor.at += 1;
    if (isDigit(text.charCodeAt(cursor.at))) digits(cursor);
  }
  const exponent = text[cursor.at];
  if (exponent === "e" || exponent === "E") {
    isFloat = true;
    cursor.at += 1;
    if (text[cursor.at] === "+" || text[cursor.at] === "-") cursor.at += 1;
    if (!isDigit(text.charCodeAt(cursor.at))) fail(cursor, "digits of an exponent");
    digits(cursor);
  }
  if (isNamePart(text.charCodeAt(cursor.at))) fail(cursor, "the end of a number");
  const written = text.slice(from, cursor.at).replaceAll("_", "");
  if (isFloat) return { kind: "float", value: negative ? -Number(written) : Number(written) };
  if (written.length > 1 && written[0] === "0" && !allZero(written)) fail(cursor, "an integer without leading zeros");
  return wholeNumber(cursor, written, negative);
}

/** Reads digits with single underscores between them. The fraction `.5` has no digits before the point. */
function digits(cursor: TextPosition): void {
  const { text } = cursor;
  while (isDigit(text.charCodeAt(cursor.at))) {
    cursor.at += 1;
    if (text[cursor.at] === "_") {
      cursor.at += 1;
      if (!isDigit(text.charCodeAt(cursor.at))) fail(cursor, "a digit after `_`");
    }
  }
}

function allZero(written: string): boolean {
  for (let index = 0; index < written.length; index++) if (written[index] !== "0") return false;
  return true;
}

/** Returns the integer of these decimal digits. Throws `NotALiteral` for more digits than Python accepts. */
export function wholeNumber(place: TextPosition, written: string, negative: boolean): number | bigint {
  if (written.length > mostDigits) fail(place, `at most ${mostDigits} digits`);
  const value = Number(written);
  if (Number.isSafeInteger(value)) return negative && value !== 0 ? -value : value;
  return negative ? -BigInt(written) : BigInt(written);
}

function baseOf(letter: string | undefined): { readonly digits: string; readonly prefix: string } | undefined {
  switch (letter) {
    case "x":
    case "X":
      return { digits: "0123456789abcdefABCDEF", prefix: "0x" };
    case "o":
    case "O":
      return { digits: "01234567", prefix: "0o" };
    case "b":
    case "B":
      return { digits: "01", prefix: "0b" };
    default:
      return undefined;
  }
}

function readBased(
  cursor: TextPosition,
  base: { readonly digits: string; readonly prefix: string },
  negative: boolean,
) {
  const { text } = cursor;
  cursor.at += 2;
  let written = "";
  for (;;) {
    if (text[cursor.at] === "_") cursor.at += 1;
    const from = cursor.at;
    while (cursor.at < text.length && base.digits.includes(text[cursor.at]!)) cursor.at += 1;
    if (cursor.at === from) fail(cursor, "a digit");
    written += text.slice(from, cursor.at);
    if (text[cursor.at] !== "_") break;
  }
  if (isNamePart(text.charCodeAt(cursor.at))) fail(cursor, "the end of a number");
  const value = BigInt(base.prefix + written);
  // Python cannot print an integer beyond this many digits, so it could not be compared with anything.
  if (written.length > mostDigits) fail(cursor, `at most ${mostDigits} digits`);
  const signed = negative ? -value : value;
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}
