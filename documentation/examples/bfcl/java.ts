/** Literals of Java, read as BFCL's `java_type_converter` reads them: by patterns, so that some are read oddly, and some not. */
import { longestLiteral, numberOrText, quoted } from "./literal.ts";
import type { Value } from "./value.ts";

/**
 * The value of a literal where `type` is expected, with items of type `items` where it is a list; the text itself where it is
 * no such literal. Undefined for types that are not converted there (`Set`, `Queue` and others).
 */
export function fromJava(text: string, type: string, items?: string): Value | undefined {
  if (text.length > longestLiteral) return text;
  switch (type) {
    case "byte":
    case "short":
    case "integer":
      return /^-?\d+\n?$/.test(text) ? BigInt(text.trim()) : text;
    case "long":
      return /^-?\d+[lL]\n?$/.test(text) ? BigInt(text.trim().slice(0, -1)) : text;
    case "float":
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?[fF]\n?$/.test(text) ? Number(text.trim().slice(0, -1)) : text;
    case "double":
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?\n?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || (text === "false" ? false : text);
    case "Array":
      return arrayOf(text, items);
    case "ArrayList":
      return arrayListOf(text, items);
    case "HashMap":
      return hashMapOf(text);
    case "char":
    case "String":
    case "any":
      return text;
    default:
      return undefined;
  }
}

/** `new int[]{1, 2}` */
function arrayOf(text: string, items: string | undefined): Value | undefined {
  const [, inside] = /new\s+[\p{L}\p{N}_]+\[\]\s*\{([^\n]*?)\}/u.exec(text) ?? [];
  if (inside === undefined) return text;
  return all(
    inside
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "")
      .map((each) => (items === undefined ? anyValue(each) : fromJava(each, items))),
  );
}

/** `new ArrayList<>(Arrays.asList(1, 2))`, or `new ArrayList<>() {{ add(1); add(2); }}` */
function arrayListOf(text: string, items: string | undefined): Value | undefined {
  const item = (written: string) => {
    const each = written.trim();
    // There the quotes are cut off whether they are any or not.
    if (items === "char" || items === "String") return [...each].slice(1, -1).join("");
    return items === undefined ? anyValue(each) : fromJava(each, items);
  };
  const [, listed] = /new\s+ArrayList<[\p{L}\p{N}_]*>\(Arrays\.asList\(([^\n]+?)\)\)/u.exec(text) ?? [];
  if (listed !== undefined) return all(listed.split(",").map(item));
  const block = /new\s+ArrayList<[\p{L}\p{N}_]*>\(\)\s*\{\{/u.exec(text);
  if (block !== null) {
    const from = block.index + block[0].length;
    // At least one character stands between the braces there.
    const to = text.indexOf("}}", from + 1);
    const adds = to === -1 ? [] : [...text.slice(from, to).matchAll(/add\(([^\n]+?)\)/g)];
    return all(adds.map(([, each]) => item(each!)));
  }
  return /new\s+ArrayList<[\p{L}\p{N}_]*>\(\)/u.test(text) ? [] : text;
}

/** `new HashMap<String, Integer>() {{ put("a", 1); }}`; what stands behind the first closing brace is left out. */
function hashMapOf(text: string): Value {
  const block = /new\s+HashMap<[^]*?>\s*\(\)\s*\{\s*\{?/.exec(text);
  const from = block === null ? -1 : block.index + block[0].length;
  const to = text.indexOf("}", from);
  if (from !== -1 && to !== -1) return Object.fromEntries(putsIn(text.slice(from, to)));
  return /new\s+HashMap<[^]*?>\s*\(\)/.test(text) ? {} : text;
}

/** Keys and values of `put("key", value)`: a key ends before the first `",` behind which a bracket closes in its line. */
function putsIn(text: string): [string, Value][] {
  const puts: [string, Value][] = [];
  const begin = 'put("';
  for (let start = text.indexOf(begin); start !== -1;) {
    const key = start + begin.length;
    const put = putFrom(text, key);
    if (put !== undefined) puts.push([text.slice(key, put.comma), anyValue(text.slice(put.value, put.end).trim())]);
    start = text.indexOf(begin, put === undefined ? key : put.end);
  }
  return puts;
}

function putFrom(text: string, key: number) {
  const line = lineEnd(text, key);
  for (let comma = text.indexOf('",', key); comma !== -1 && comma < line; comma = text.indexOf('",', comma + 1)) {
    let value = comma + 2;
    while (/\s/.test(text[value] ?? "")) value += 1;
    const end = text.indexOf(")", value);
    if (end === -1) return undefined;
    if (end < lineEnd(text, value)) return { comma, value, end };
  }
  return undefined;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** A value whose type is not known. */
function anyValue(text: string): Value {
  if (text === "true" || text === "false") return text === "true";
  if (quoted(text, '"')) return text.slice(1, -1);
  if (/^-?\d+[lL]\n?$/.test(text)) return BigInt(text.slice(0, -1));
  if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?[fF]\n?$/.test(text)) return Number(text.slice(0, -1));
  return numberOrText(text);
}

function all(values: readonly (Value | undefined)[]): Value | undefined {
  return values.every((value) => value !== undefined) ? values : undefined;
}
