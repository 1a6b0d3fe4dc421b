/** String literals of Python with their escapes. */
import { type Cursor, fail, isLineEnd, NotALiteral } from "./cursor.ts";
import { joinTexts, type PythonText, textFromCodes } from "./value.ts";

/** Reads one or more adjacent literals, which Python joins. The cursor is on a quote or on a prefix before a quote. */
export function readStrings(cursor: Cursor, skipSpace: (cursor: Cursor) => void): string | PythonText {
  let text = readString(cursor);
  for (;;) {
    const before = cursor.at;
    skipSpace(cursor);
    if (!startsString(cursor)) {
      cursor.at = before;
      return text;
    }
    text = joinTexts(text, readString(cursor));
  }
}

/**
 * Returns true at the start of a string literal: a quote, or `r` or `u` before a quote. Bytes and formatted strings are not read.
 */
export function startsString(cursor: Cursor): boolean {
  const { text, at } = cursor;
  if (isQuote(text[at])) return true;
  return isQuote(text[at + 1]) && (isRaw(text[at]) || text[at] === "u" || text[at] === "U");
}

const isQuote = (letter: string | undefined): boolean => letter === '"' || letter === "'";

const isRaw = (letter: string | undefined): boolean => letter === "r" || letter === "R";

function readString(cursor: Cursor): string | PythonText {
  const { text } = cursor;
  const raw = isRaw(text[cursor.at]);
  if (!isQuote(text[cursor.at])) cursor.at += 1;
  const quote = text[cursor.at]!;
  const triple = text[cursor.at + 1] === quote && text[cursor.at + 2] === quote;
  const end = triple ? quote.repeat(3) : quote;
  cursor.at += end.length;
  const from = cursor.at;
  const plain = skipToEnd(cursor, end);
  const body = text.slice(from, cursor.at);
  cursor.at += end.length;
  if (plain || raw) return triple ? withLineFeeds(body) : body;
  return unescape(cursor, body);
}

/** Moves to the closing quotes; returns true if there is no escape before them. */
function skipToEnd(cursor: Cursor, end: string): boolean {
  const { text } = cursor;
  const quote = end.charCodeAt(0);
  const oneLine = end.length === 1 && cursor.notation === "python";
  let plain = true;
  for (; cursor.at < text.length; cursor.at++) {
    const code = text.charCodeAt(cursor.at);
    if (code === quote && (end.length === 1 || text.startsWith(end, cursor.at))) return plain;
    if (code === 92) {
      plain = false;
      cursor.at += 1;
      if (text[cursor.at] === "\r" && text[cursor.at + 1] === "\n") cursor.at += 1;
    } else if (oneLine && isLineEnd(code)) fail(cursor, "the end of a string on the same line");
  }
  throw new NotALiteral("Expected the end of a string, found the end of the text", Infinity);
}

/** Python reads `\r\n` and `\r` in a source as `\n`. */
const withLineFeeds = (body: string): string =>
  body.includes("\r") ? body.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : body;

const simple = new Map([
  ["\\", 92],
  ["'", 39],
  ['"', 34],
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);

function unescape(cursor: Cursor, written: string): string | PythonText {
  const body = withLineFeeds(written);
  let text = "";
  let codes: number[] | undefined;
  let plainFrom = 0;
  for (let at = body.indexOf("\\"); at !== -1; at = body.indexOf("\\", plainFrom)) {
    const escape = readEscape(cursor, body, at);
    const before = body.slice(plainFrom, at);
    plainFrom = at + escape.length;
    // Surrogates written as escapes must not be joined, so from the first of them on code points are collected.
    if (codes === undefined && escape.code !== undefined && escape.code >= 0xd800 && escape.code <= 0xdfff)
      codes = Array.from(text, (letter) => letter.codePointAt(0)!);
    if (codes === undefined) {
      text += before + (escape.code === undefined ? escape.text : String.fromCodePoint(escape.code));
      continue;
    }
    for (const letter of before) codes.push(letter.codePointAt(0)!);
    if (escape.code !== undefined) codes.push(escape.code);
    else for (const letter of escape.text) codes.push(letter.codePointAt(0)!);
  }
  if (codes === undefined) return text + body.slice(plainFrom);
  for (const letter of body.slice(plainFrom)) codes.push(letter.codePointAt(0)!);
  return textFromCodes(codes);
}

type Escape = { readonly code: number | undefined; readonly text: string; readonly length: number };

/** Reads the escape at `at`. Unknown escapes keep their backslash; `\N{...}` requires Unicode's list of names and is rejected. */
function readEscape(cursor: Cursor, body: string, at: number): Escape {
  const letter = body[at + 1]!;
  const code = simple.get(letter);
  if (code !== undefined) return { code, text: "", length: 2 };
  switch (letter) {
    case "\n":
      return { code: undefined, text: "", length: 2 };
    case "x":
      return hexEscape(cursor, body, at, 2);
    case "u":
      return hexEscape(cursor, body, at, 4);
    case "U":
      return hexEscape(cursor, body, at, 8);
    case "N":
      return fail(cursor, "an escape other than `\\N`");
    default:
      break;
  }
  if (letter >= "0" && letter <= "7") {
    let length = 1;
    while (length < 3 && body[at + 1 + length]! >= "0" && body[at + 1 + length]! <= "7") length += 1;
    return { code: Number.parseInt(body.slice(at + 1, at + 1 + length), 8), text: "", length: 1 + length };
  }
  const kept = String.fromCodePoint(body.codePointAt(at + 1)!);
  return { code: undefined, text: `\\${kept}`, length: 1 + kept.length };
}

function hexEscape(cursor: Cursor, body: string, at: number, count: number): Escape {
  const written = body.slice(at + 2, at + 2 + count);
  if (written.length < count || !/^[0-9a-fA-F]+$/.test(written)) fail(cursor, `${count} hexadecimal digits`);
  const code = Number.parseInt(written, 16);
  if (code > 0x10ffff) fail(cursor, "a code point up to 10ffff");
  return { code, text: "", length: 2 + count };
}
