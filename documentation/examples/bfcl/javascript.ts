/** Literals of JavaScript, read as BFCL's `js_type_converter` reads them: by patterns, so that some are read oddly. */
import { longestLiteral, numberOrText, quoted } from "./literal.ts";
import type { Value } from "./value.ts";

/**
 * The value of a literal where `type` is expected, with items of type `items` where it is a list; the text itself where it is
 * no such literal. Undefined for types that are not converted there.
 */
export function fromJavaScript(text: string, type: string, items?: string): Value | undefined {
  if (text.length > longestLiteral) return text;
  switch (type) {
    case "String":
      return quoted(text, '"') || quoted(text, "'") ? text.slice(1, -1) : text;
    case "integer":
      return /^-?\d+\n?$/.test(text) ? BigInt(text.trim()) : text;
    case "float":
      return /^-?\d+(\.\d+)?\n?$/.test(text) ? Number(text) : text;
    case "Bigint":
      return /^-?\d+n\n?$/.test(text) ? BigInt(text.trim().slice(0, -1)) : text;
    case "Boolean":
      return text === "true" || (text === "false" ? false : text);
    case "dict":
      return recordOf(text.trim());
    case "array":
      return arrayOf(text.trim(), items);
    case "any":
      return text;
    default:
      return undefined;
  }
}

function arrayOf(code: string, items?: string): Value {
  const end = endOfNested(code);
  if (end !== undefined) return nestedLists(code.slice(0, end));
  const [matched, brackets, call] = /^(?:\[([^\n]*?)\]|new\s+Array\(([^\n]*?)\))/.exec(code) ?? [];
  if (matched === undefined) return code;
  const inside = (brackets ?? call ?? "").trim();
  if (inside === "") return [];
  const values = inside
    .split(",")
    .map((each) => each.trim())
    .map((each) => (items === undefined ? anyValue(each) : fromJavaScript(each, items)));
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : code;
}

/** The lists in a list of lists: what stands between each opening bracket and the next closing one, parted at commas. */
function nestedLists(code: string): Value {
  return [...code.matchAll(/\[([^\n]*?)\]/g)].map(([, inside], index) => {
    const text = inside!.trim();
    const own = index === 0 && text.startsWith("[") ? text.slice(1) : text;
    return own.split(",").map((each) => anyValue(each));
  });
}

/**
 * Where the list of lists ends that the text begins with, `[[1], [2]]` or `new Array([1], [2])`; undefined where there is
 * none. The pattern there takes a time that doubles with each bracket; here every place is tried once.
 */
function endOfNested(code: string): number | undefined {
  const [opening] = /^(?:\[\s*\[|new\s+Array\(\s*\[)/.exec(code) ?? [];
  if (opening === undefined) return undefined;
  const close = opening.startsWith("[") ? "]" : ")";
  const tried = new Set<number>();
  const inner = (from: number): number | undefined => {
    const line = code.indexOf("\n", from);
    for (let at = code.indexOf("]", from); at !== -1 && (line === -1 || at < line); at = code.indexOf("]", at + 1)) {
      if (tried.has(at)) continue;
      tried.add(at);
      const end = behind(afterSpaces(code, at + 1));
      if (end !== undefined) return end;
    }
    return undefined;
  };
  const behind = (at: number): number | undefined => {
    if (code[at] === ",") {
      const next = afterSpaces(code, at + 1);
      return code[next] === "[" ? inner(next + 1) : undefined;
    }
    return code[at] === close ? at + 1 : undefined;
  };
  return inner(opening.length);
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

/** `{ "a": 1, "b": [2] }`; a comma parts two keys where a colon stands before the next comma. */
function recordOf(code: string): Value {
  if (code === "{}") return {};
  const [, content] = /^\{([^\n]*?)\}/.exec(code) ?? [];
  if (content === undefined) return code;
  const pairs = [...content.matchAll(/([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)/g)];
  return Object.fromEntries(
    pairs.map(([, key, value]): [string, Value] => [withoutQuotes(key!.trim()), valueIn(value!.trim())]),
  );
}

function valueIn(text: string): Value {
  if (text.startsWith("[") && text.endsWith("]")) return arrayOf(text);
  if (text.startsWith("{") && text.endsWith("}")) return recordOf(text);
  return anyValue(withoutQuotes(text));
}

const withoutQuotes = (text: string) => text.replace(/^['"]+/, "").replace(/['"]+$/, "");

/** A value whose type is not known. */
function anyValue(written: string): Value {
  const text = written.trim();
  if (text === "true" || text === "false") return text === "true";
  if (quoted(text, '"') || quoted(text, "'")) return text.slice(1, -1);
  return numberOrText(text);
}
