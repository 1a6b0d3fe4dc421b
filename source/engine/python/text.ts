/** Python's `str` and `repr` of a value. */
import type { Json } from "../types.ts";
import { deepest } from "./cursor.ts";
import { parseJsonAsPython } from "./json.ts";
import { type PythonText, type PythonValue, codesOf, isList } from "./value.ts";

/** Returns `str(value)`: strings unchanged, any other value as `repr`. */
export const pythonStr = (value: PythonValue): string | PythonText => (isText(value) ? value : pythonRepr(value));

/** Returns `str(json.loads(text))`, in which 1.0 stays 1.0. Throws `NotALiteral` (a SyntaxError) if `text` is not JSON. */
export function pythonStrOfJsonText(text: string): string {
  const value = parseJsonAsPython(text);
  return typeof value === "string" ? value : pythonRepr(value);
}

/**
 * Returns `repr()` of a value from JSON.parse: whole numbers print without a point, because JSON.parse does not distinguish 1.0
 * from 1. Nesting deeper than 200 prints as `...`.
 */
export function pythonReprOfJson(value: Json, depth = 0): string {
  if (depth > deepest) return "...";
  if (typeof value === "number" && !Number.isInteger(value)) return reprFloat(value);
  if (typeof value !== "object" || value === null) return pythonRepr(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => pythonReprOfJson(item, depth + 1)).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${reprText(key)}: ${pythonReprOfJson(item, depth + 1)}`);
  return `{${entries.join(", ")}}`;
}

function isText(value: PythonValue): value is string | PythonText {
  return (
    typeof value === "string" ||
    (typeof value === "object" && value !== null && "kind" in value && value.kind === "text")
  );
}

/** Returns `repr(value)`. Nesting is bounded by the reader, so plain recursion is safe. Sets print in written order. */
export function pythonRepr(value: PythonValue): string {
  if (isText(value)) return reprText(value);
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (isList(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  switch (value.kind) {
    case "float":
      return reprFloat(value.value);
    case "tuple":
      return value.items.length === 1
        ? `(${pythonRepr(value.items[0]!)},)`
        : `(${value.items.map(pythonRepr).join(", ")})`;
    case "set":
      return `{${value.items.map(pythonRepr).join(", ")}}`;
    case "dict": {
      const entries = Array.from(
        value.entries.values(),
        (entry) => `${pythonRepr(entry.key)}: ${pythonRepr(entry.value)}`,
      );
      return `{${entries.join(", ")}}`;
    }
    case "ellipsis":
      return "Ellipsis";
  }
}

/** Returns the shortest text that reads back as the same float, with an exponent below 1e-4 and from 1e16 on. */
function reprFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (value === Infinity) return "inf";
  if (value === -Infinity) return "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const [digits = "0", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  // Between these bounds JavaScript writes the same shortest digits without an exponent.
  if (exponent >= -4 && exponent < 16) return Number.isInteger(value) ? `${value}.0` : String(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** Matches everything except printable characters and the space, according to the Unicode version of this runtime. */
const unprintable = /[\p{C}\p{Z}]/u;
const plain = /^[ -&(-[\]-~]*$/;

function reprText(value: string | PythonText): string {
  if (typeof value === "string" && plain.test(value)) return `'${value}'`;
  const codes = codesOf(value);
  const quote = codes.includes(39) && !codes.includes(34) ? '"' : "'";
  let text = quote;
  for (const code of codes) text += reprCode(code, quote);
  return text + quote;
}

function reprCode(code: number, quote: string): string {
  const letter = String.fromCodePoint(code);
  if (letter === quote || letter === "\\") return `\\${letter}`;
  if (letter === "\n") return "\\n";
  if (letter === "\r") return "\\r";
  if (letter === "\t") return "\\t";
  if (letter === " " || !unprintable.test(letter)) return letter;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

const blanks = new Set(
  [9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].concat(
    Array.from({ length: 11 }, (_, index) => index + 0x2000),
  ),
);

/** Returns whether the UTF-16 unit at `at` is white space to Python; false past the end. */
export const isBlankAt = (text: string, at: number): boolean => blanks.has(text.charCodeAt(at));

/** Returns `str.strip()`: the text without white space at both ends; linear in the length. */
export function strip(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlankAt(text, from)) from += 1;
  while (to > from && isBlankAt(text, to - 1)) to -= 1;
  return text.slice(from, to);
}

/** Returns `str.strip(characters)`: the text without any of `characters`, each of them one UTF-16 unit, at both ends. */
export function stripOf(text: string, characters: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && characters.includes(text[from]!)) from += 1;
  while (to > from && characters.includes(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}
