/**
 * Python's `str()` of a JSON value. StableToolBench keys its response cache by the text of the argument object, and its
 * judges read steps in the same form. JSON.parse forgets whether a number was written 1 or 1.0, which Python prints
 * differently, so that keys are built from the source text.
 */
import type { Json } from "../../source/engine/types.ts";

/** Deepest nesting read; deeper text is refused, as Python's own recursion limit would. */
const deepest = 200;

/**
 * `str(json.loads(source))`: a bare text stands without quotes, and Python's own NaN and Infinity are read. Throws
 * SyntaxError where the text is not JSON or nests deeper than 200.
 */
export function pythonTextOfSource(source: string): string {
  const written = parseWithSource(source);
  return typeof written === "string" ? written : write(written, 0);
}

/** Numbers Python reads and writes although JSON has none such. */
const constants: ReadonlyMap<string, string> = new Map([
  ["NaN", "nan"],
  ["Infinity", "inf"],
  ["-Infinity", "-inf"],
]);

/** A number with the text it had in its source. */
type Written = null | boolean | string | WrittenNumber | readonly Written[] | ReadonlyMap<string, Written>;
class WrittenNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

function parseWithSource(source: string): Written {
  // JSON.parse with a reviver that sees the source text is not in every supported Node, and its reviver cannot tell keys
  // such as __proto__ from others; this reader is small and has neither problem.
  let at = 0;
  const fail = (): never => {
    throw new SyntaxError(`Expected JSON at character ${at}, got \`${source.slice(at, at + 20)}\``);
  };
  const skip = () => {
    while (at < source.length && " \t\n\r".includes(source[at]!)) at += 1;
  };
  const take = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };
  const readString = (): string => {
    const from = at;
    at += 1;
    while (at < source.length && source[at] !== '"') at += source[at] === "\\" ? 2 : 1;
    if (at >= source.length) return fail();
    at += 1;
    return JSON.parse(source.slice(from, at)) as string;
  };
  const readNumber = (): WrittenNumber => {
    const from = at;
    while (at < source.length && "+-0123456789.eE".includes(source[at]!)) at += 1;
    const text = source.slice(from, at);
    JSON.parse(text);
    return new WrittenNumber(text);
  };
  const readList = (depth: number): Written[] => {
    const items: Written[] = [];
    skip();
    if (take("]")) return items;
    for (;;) {
      items.push(readValue(depth + 1));
      skip();
      if (take("]")) return items;
      if (!take(",")) return fail();
    }
  };
  const readObject = (depth: number): Map<string, Written> => {
    const entries = new Map<string, Written>();
    skip();
    if (take("}")) return entries;
    for (;;) {
      skip();
      if (source[at] !== '"') return fail();
      const key = readString();
      skip();
      if (!take(":")) return fail();
      entries.set(key, readValue(depth + 1));
      skip();
      if (take("}")) return entries;
      if (!take(",")) return fail();
    }
  };
  const readValue = (depth: number): Written => {
    if (depth > deepest) return fail();
    skip();
    if (take("{")) return readObject(depth);
    if (take("[")) return readList(depth);
    if (source[at] === '"') return readString();
    if (take("null")) return null;
    if (take("true")) return true;
    if (take("false")) return false;
    for (const name of constants.keys()) if (take(name)) return new WrittenNumber(name);
    if ("-0123456789".includes(source[at] ?? "x")) return readNumber();
    return fail();
  };
  const value = readValue(0);
  skip();
  return at === source.length ? value : fail();
}

function write(value: Written, depth: number): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return pythonString(value);
  if (value instanceof WrittenNumber) return pythonNumber(value.source);
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]) => `${pythonString(key)}: ${write(item, depth + 1)}`);
    return `{${entries.join(", ")}}`;
  }
  return `[${(value as readonly Written[]).map((item) => write(item, depth + 1)).join(", ")}]`;
}

/** `str()` of a value already parsed; whole numbers print without a point. Nesting beyond 200 prints as `...`. */
export function pythonText(value: Json, depth = 0): string {
  if (depth > deepest) return "...";
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return pythonString(value);
  if (typeof value === "number") return pythonNumber(String(value));
  if (Array.isArray(value)) return `[${value.map((item: Json) => pythonText(item, depth + 1)).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${pythonString(key)}: ${pythonText(item, depth + 1)}`);
  return `{${entries.join(", ")}}`;
}

/** `repr()` of a number written in JSON: integers digit by digit, others as the shortest float. */
function pythonNumber(source: string): string {
  const constant = constants.get(source);
  if (constant !== undefined) return constant;
  if (!/[.eE]/.test(source)) return BigInt(source).toString() === "0" ? "0" : BigInt(source).toString();
  const value = Number(source);
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return withExponent(value);
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** Python writes at least two digits of exponent and no `.0` in the mantissa. */
function withExponent(value: number): string {
  const [mantissa, exponent] = value.toExponential().split("e") as [string, string];
  const digits = exponent.slice(1);
  return `${mantissa}e${exponent[0]}${digits.length < 2 ? `0${digits}` : digits}`;
}

/** `repr()` of a string: single quotes unless only single quotes occur inside; unprintable characters escaped. */
export function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) {
    if (character === quote || character === "\\") out += `\\${character}`;
    else if (character === "\n") out += "\\n";
    else if (character === "\r") out += "\\r";
    else if (character === "\t") out += "\\t";
    else if (character !== " " && /[\p{C}\p{Z}]/u.test(character)) out += escape(character.codePointAt(0)!);
    else out += character;
  }
  return out + quote;
}

function escape(code: number): string {
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}
