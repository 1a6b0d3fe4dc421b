/**
 * Reads Python literals: lists, dicts, tuples, sets, strings, ints, floats, True, False, None, `...`. No text is ever evaluated.
 * Time is linear in the text; nesting is bounded as in Python itself.
 */
import {
  type Cursor,
  deepest,
  fail,
  isDigit,
  isLineEnd,
  isNamePart,
  isUncommonBlank,
  NotALiteral,
  type Notation,
} from "./cursor.ts";
import { readPythonNumber } from "./number.ts";
import { readStrings, startsString } from "./string.ts";
import { ellipsis, hashText, type PythonEntry, type PythonValue } from "./value.ts";

/**
 * Returns the value of `text`, which must contain only one literal. Throws `NotALiteral` for any other text, including names of
 * builtins and more than 200 nested brackets.
 */
export function parsePython(text: string, notation: Notation = "python"): PythonValue {
  // Python refuses sources with NUL, and cannot encode lone surrogates.
  if (notation === "python" && (text.includes("\0") || !text.isWellFormed()))
    throw new NotALiteral("Expected no NUL and no lone surrogate", Infinity);
  const cursor: Cursor = { text, at: 0, depth: 0, notation };
  skipIndentation(cursor);
  const first = readValue(cursor);
  skipSpace(cursor);
  const value = text[cursor.at] === "," ? readBareTuple(cursor, first) : first;
  skipBlankLines(cursor);
  if (cursor.at < text.length) fail(cursor, "the end of the text");
  return value;
}

/** Skips blanks before the value, as Python's `eval` does; after a blank line, no blanks are allowed. */
function skipIndentation(cursor: Cursor): void {
  const { text } = cursor;
  while (text[cursor.at] === " " || text[cursor.at] === "\t") cursor.at += 1;
  const from = cursor.at;
  skipBlankLines(cursor);
  const before = text[cursor.at - 1];
  if (cursor.at > from && cursor.notation === "python" && (before === " " || before === "\t"))
    fail(cursor, "no indentation");
}

function skipBlankLines(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    skipSpace(cursor);
    if (!isLineEnd(text.charCodeAt(cursor.at))) return;
    cursor.at += 1;
  }
}

/** Skips blanks and comments; inside brackets also line breaks, which Python ignores there. */
function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  const inside = cursor.depth > 0 || cursor.notation === "mixed";
  for (; cursor.at < text.length; cursor.at++) {
    const code = text.charCodeAt(cursor.at);
    if (code === 32 || code === 9 || code === 12 || (inside && isLineEnd(code))) continue;
    if (code === 35) {
      while (cursor.at + 1 < text.length && !isLineEnd(text.charCodeAt(cursor.at + 1))) cursor.at += 1;
    } else if (code === 92 && isLineEnd(text.charCodeAt(cursor.at + 1)) && cursor.at + 2 < text.length) {
      cursor.at += text[cursor.at + 1] === "\r" && text[cursor.at + 2] === "\n" ? 2 : 1;
    } else if (cursor.notation === "python" || !isUncommonBlank(code)) return;
  }
}

function readBareTuple(cursor: Cursor, first: PythonValue): PythonValue {
  const items = [first];
  while (cursor.text[cursor.at] === ",") {
    cursor.at += 1;
    skipSpace(cursor);
    if (cursor.at >= cursor.text.length || isLineEnd(cursor.text.charCodeAt(cursor.at))) break;
    items.push(readValue(cursor));
    skipSpace(cursor);
  }
  return { kind: "tuple", items };
}

function readValue(cursor: Cursor): PythonValue {
  const { text } = cursor;
  const letter = text[cursor.at];
  switch (letter) {
    case "[":
      return open(cursor, () => readItems(cursor, "]", []));
    case "{":
      return open(cursor, () => readBraces(cursor));
    case "(":
      return open(cursor, () => readParentheses(cursor));
    case "-":
    case "+": {
      cursor.at += 1;
      skipSpace(cursor);
      if (!startsNumber(cursor)) fail(cursor, "a number after the sign");
      return readPythonNumber(cursor, letter === "-");
    }
    default:
      if (startsString(cursor)) return readStrings(cursor, skipSpace);
      if (startsNumber(cursor)) return readPythonNumber(cursor, false);
      return readConstant(cursor);
  }
}

function open<Value>(cursor: Cursor, inside: () => Value): Value {
  if (cursor.depth >= deepest) fail(cursor, `at most ${deepest} nested brackets`);
  cursor.at += 1;
  cursor.depth += 1;
  skipSpace(cursor);
  const value = inside();
  cursor.depth -= 1;
  return value;
}

/** Parses values and commas up to and including `close`. The cursor is on the first value or on `close`. */
function readItems(cursor: Cursor, close: string, items: PythonValue[]): PythonValue[] {
  const { text } = cursor;
  while (text[cursor.at] !== close) {
    items.push(readValue(cursor));
    readComma(cursor, close);
  }
  cursor.at += 1;
  return items;
}

function readComma(cursor: Cursor, close: string): void {
  const { text } = cursor;
  skipSpace(cursor);
  if (text[cursor.at] === ",") {
    cursor.at += 1;
    skipSpace(cursor);
  } else if (text[cursor.at] !== close) fail(cursor, `\`,\` or \`${close}\``);
}

function readParentheses(cursor: Cursor): PythonValue {
  if (cursor.text[cursor.at] === ")") {
    cursor.at += 1;
    return { kind: "tuple", items: [] };
  }
  const first = readValue(cursor);
  skipSpace(cursor);
  if (cursor.text[cursor.at] === ")") {
    cursor.at += 1;
    return first;
  }
  readComma(cursor, ")");
  return { kind: "tuple", items: readItems(cursor, ")", [first]) };
}

function readBraces(cursor: Cursor): PythonValue {
  const { text } = cursor;
  const entries = new Map<string, PythonEntry>();
  let isSet: boolean | undefined;
  while (text[cursor.at] !== "}") {
    const key = readValue(cursor);
    const name = hashText(key) ?? fail(cursor, "a key that can be hashed");
    skipSpace(cursor);
    const colon = text[cursor.at] === ":";
    if (isSet === colon) fail(cursor, isSet ? "no `:` in a set" : "`:` after a key");
    isSet = !colon;
    let value: PythonValue = null;
    if (colon) {
      cursor.at += 1;
      skipSpace(cursor);
      value = readValue(cursor);
    }
    // In Python, a repeated key keeps its place and first spelling and takes the last value.
    const known = entries.get(name);
    if (known === undefined) entries.set(name, { key, value });
    else known.value = value;
    readComma(cursor, "}");
  }
  cursor.at += 1;
  if (isSet !== true) return { kind: "dict", entries };
  return { kind: "set", items: Array.from(entries.values(), (entry) => entry.key) };
}

function startsNumber(cursor: Cursor): boolean {
  const { text, at } = cursor;
  return isDigit(text.charCodeAt(at)) || (text[at] === "." && isDigit(text.charCodeAt(at + 1)));
}

const own = [
  ["True", true],
  ["False", false],
  ["None", null],
] as const;
const constants = {
  python: own,
  mixed: [...own, ["true", true], ["false", false], ["null", null]],
} as const;

function readConstant(cursor: Cursor): PythonValue {
  const { text } = cursor;
  if (text.startsWith("...", cursor.at)) {
    cursor.at += 3;
    return ellipsis;
  }
  for (const [name, value] of constants[cursor.notation]) {
    if (!text.startsWith(name, cursor.at) || isNamePart(text.charCodeAt(cursor.at + name.length))) continue;
    cursor.at += name.length;
    return value;
  }
  return fail(cursor, "a value", /[TFNtfn.]/.test(text[cursor.at] ?? "") ? 7 : 2);
}
