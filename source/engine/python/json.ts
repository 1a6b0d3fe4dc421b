/** JSON as Python's `json` module reads it: `1` is not `1.0`, and NaN and Infinity are numbers. */
import { deepest, fail, isDigit, type TextPosition } from "./cursor.ts";
import { wholeNumber } from "./number.ts";
import { hashText, type PythonEntry, type PythonValue } from "./value.ts";

/**
 * Does `json.loads(text)` in linear time. Throws `NotALiteral` (a SyntaxError) if the text is not JSON, nests deeper than 200
 * brackets or has an integer of more than 4,300 digits. JSON.parse would discard how numbers were written.
 */
export function parseJsonAsPython(text: string): PythonValue {
  const position = { text, at: 0 };
  skipBlanks(position);
  const value = readValue(position, 0);
  skipBlanks(position);
  return position.at === text.length ? value : fail(position, "the end of the text");
}

const words: readonly (readonly [string, PythonValue])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", { kind: "float", value: Number.NaN }],
  ["Infinity", { kind: "float", value: Infinity }],
  ["-Infinity", { kind: "float", value: -Infinity }],
];

function readValue(position: TextPosition, depth: number): PythonValue {
  const { text } = position;
  const letter = text[position.at];
  if (letter === '"') return readString(position);
  if (letter === "{" || letter === "[") {
    if (depth >= deepest) fail(position, `at most ${deepest} nested brackets`);
    position.at += 1;
    skipBlanks(position);
    return letter === "{" ? readObject(position, depth + 1) : readList(position, depth + 1);
  }
  if (isDigit(text.charCodeAt(position.at))) return readPythonNumber(position);
  for (const [word, value] of words) {
    if (!text.startsWith(word, position.at)) continue;
    position.at += word.length;
    return value;
  }
  return readPythonNumber(position);
}

function readList(position: TextPosition, depth: number): PythonValue {
  const items: PythonValue[] = [];
  if (takes(position, "]")) return items;
  for (;;) {
    items.push(readValue(position, depth));
    if (ends(position, "]")) return items;
  }
}

function readObject(position: TextPosition, depth: number): PythonValue {
  const entries = new Map<string, PythonEntry>();
  if (takes(position, "}")) return { kind: "dict", entries };
  for (;;) {
    if (position.text[position.at] !== '"') fail(position, "a key in double quotes");
    const key = readString(position);
    skipBlanks(position);
    if (!takes(position, ":")) fail(position, "`:` after a key");
    skipBlanks(position);
    const value = readValue(position, depth);
    // In Python, a repeated key keeps its place and takes the last value.
    entries.set(hashText(key)!, { key, value });
    if (ends(position, "}")) return { kind: "dict", entries };
  }
}

/** Returns true after `close`, false after a comma, which must be followed by another value. */
function ends(position: TextPosition, close: string): boolean {
  skipBlanks(position);
  if (takes(position, close)) return true;
  if (!takes(position, ",")) fail(position, `\`,\` or \`${close}\``);
  skipBlanks(position);
  return false;
}

function takes(position: TextPosition, letter: string): boolean {
  if (position.text[position.at] !== letter) return false;
  position.at += 1;
  return true;
}

function skipBlanks(position: TextPosition): void {
  const { text } = position;
  for (; position.at < text.length; position.at++) {
    const code = text.charCodeAt(position.at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
  }
}

function readString(position: TextPosition): string {
  const { text } = position;
  const from = position.at;
  let plain = true;
  for (position.at += 1; position.at < text.length; position.at++) {
    const code = text.charCodeAt(position.at);
    if (code === 34) {
      position.at += 1;
      return plain ? text.slice(from + 1, position.at - 1) : unescape(text.slice(from, position.at), position);
    }
    if (code < 32) break;
    if (code !== 92) continue;
    plain = false;
    position.at += 1;
  }
  return fail(position, "the end of a string");
}

function unescape(quoted: string, position: TextPosition): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return fail(position, "only JSON escapes in the string before this place");
  }
}

function readPythonNumber(position: TextPosition): PythonValue {
  const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
  number.lastIndex = position.at;
  const found = number.exec(position.text);
  if (found === null) return fail(position, "a value");
  const [written, fraction, exponent] = found;
  if (fraction !== undefined || exponent !== undefined) {
    position.at = number.lastIndex;
    return { kind: "float", value: Number(written) };
  }
  const negative = written.startsWith("-");
  const value = wholeNumber(position, negative ? written.slice(1) : written, negative);
  position.at = number.lastIndex;
  return value;
}
