/** JSON as Python's `json` module reads it: `1` is not `1.0`, and NaN and Infinity are numbers. */
import { deepest, fail, isDigit, type Place } from "./cursor.ts";
import { wholeNumber } from "./number.ts";
import { hashText, type PythonEntry, type PythonValue } from "./value.ts";

/**
 * `json.loads(text)` in linear time. Throws `NotALiteral` (a SyntaxError) where the text is not JSON, nests deeper than 200
 * brackets or has an integer of more than 4,300 digits. JSON.parse would not do: it forgets how numbers were written.
 */
export function parseJsonAsPython(text: string): PythonValue {
  const place = { text, at: 0 };
  skipBlanks(place);
  const value = readValue(place, 0);
  skipBlanks(place);
  return place.at === text.length ? value : fail(place, "the end");
}

const words: readonly (readonly [string, PythonValue])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", { kind: "float", value: Number.NaN }],
  ["Infinity", { kind: "float", value: Infinity }],
  ["-Infinity", { kind: "float", value: -Infinity }],
];

function readValue(place: Place, depth: number): PythonValue {
  const { text } = place;
  const letter = text[place.at];
  if (letter === '"') return readString(place);
  if (letter === "{" || letter === "[") {
    if (depth >= deepest) fail(place, `at most ${deepest} nested brackets`);
    place.at += 1;
    skipBlanks(place);
    return letter === "{" ? readObject(place, depth + 1) : readList(place, depth + 1);
  }
  if (isDigit(text.charCodeAt(place.at))) return readNumber(place);
  for (const [word, value] of words) {
    if (!text.startsWith(word, place.at)) continue;
    place.at += word.length;
    return value;
  }
  return readNumber(place);
}

function readList(place: Place, depth: number): PythonValue {
  const items: PythonValue[] = [];
  if (takes(place, "]")) return items;
  for (;;) {
    items.push(readValue(place, depth));
    if (ends(place, "]")) return items;
  }
}

function readObject(place: Place, depth: number): PythonValue {
  const entries = new Map<string, PythonEntry>();
  if (takes(place, "}")) return { kind: "dict", entries };
  for (;;) {
    if (place.text[place.at] !== '"') fail(place, "a key in double quotes");
    const key = readString(place);
    skipBlanks(place);
    if (!takes(place, ":")) fail(place, "`:` after a key");
    skipBlanks(place);
    const value = readValue(place, depth);
    // As in Python, a repeated key keeps its place and takes the last value.
    entries.set(hashText(key)!, { key, value });
    if (ends(place, "}")) return { kind: "dict", entries };
  }
}

/** True when `close` was taken, false when a comma was, after which another value has to follow. */
function ends(place: Place, close: string): boolean {
  skipBlanks(place);
  if (takes(place, close)) return true;
  if (!takes(place, ",")) fail(place, `\`,\` or \`${close}\``);
  skipBlanks(place);
  return false;
}

function takes(place: Place, letter: string): boolean {
  if (place.text[place.at] !== letter) return false;
  place.at += 1;
  return true;
}

function skipBlanks(place: Place): void {
  const { text } = place;
  for (; place.at < text.length; place.at++) {
    const code = text.charCodeAt(place.at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
  }
}

function readString(place: Place): string {
  const { text } = place;
  const from = place.at;
  let plain = true;
  for (place.at += 1; place.at < text.length; place.at++) {
    const code = text.charCodeAt(place.at);
    if (code === 34) {
      place.at += 1;
      return plain ? text.slice(from + 1, place.at - 1) : unescape(text.slice(from, place.at), place);
    }
    if (code < 32) break;
    if (code !== 92) continue;
    plain = false;
    place.at += 1;
  }
  return fail(place, "the end of a string");
}

function unescape(quoted: string, place: Place): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return fail(place, "JSON's escapes in the string before");
  }
}

function readNumber(place: Place): PythonValue {
  const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
  number.lastIndex = place.at;
  const found = number.exec(place.text);
  if (found === null) return fail(place, "a value");
  const [written, fraction, exponent] = found;
  if (fraction !== undefined || exponent !== undefined) {
    place.at = number.lastIndex;
    return { kind: "float", value: Number(written) };
  }
  const negative = written.startsWith("-");
  const value = wholeNumber(place, negative ? written.slice(1) : written, negative);
  place.at = number.lastIndex;
  return value;
}
