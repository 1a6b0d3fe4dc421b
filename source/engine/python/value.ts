/** The values of Python literals, distinguished as in Python: `5` and `5.0`, lists and tuples. */

/** Small ints are numbers, larger ints are bigints with all their digits. Lists are arrays. */
export type PythonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly PythonValue[]
  | PythonFloat
  | PythonTuple
  | PythonSet
  | PythonDict
  | PythonEllipsis
  | PythonText;

export type PythonFloat = { readonly kind: "float"; readonly value: number };
export type PythonTuple = { readonly kind: "tuple"; readonly items: readonly PythonValue[] };
/** Items in written order; Python does not define the order of a set. */
export type PythonSet = { readonly kind: "set"; readonly items: readonly PythonValue[] };
export type PythonDict = { readonly kind: "dict"; readonly entries: ReadonlyMap<string, PythonEntry> };
export type PythonEntry = { readonly key: PythonValue; value: PythonValue };
export type PythonEllipsis = { readonly kind: "ellipsis" };
/**
 * A string in which two lone surrogates are adjacent. Python keeps the escapes `\ud83d\ude00` as two code points; a JavaScript
 * string would join them to one, so these strings are stored as their code points.
 */
export type PythonText = { readonly kind: "text"; readonly codes: readonly number[] };

export const ellipsis: PythonEllipsis = { kind: "ellipsis" };

/** Distinct from every value: `null` is Python's None. */
type Kinded = PythonFloat | PythonTuple | PythonSet | PythonDict | PythonEllipsis | PythonText;

export const kindOf = (value: PythonValue): Kinded["kind"] | undefined =>
  typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;

export const isList = (value: PythonValue | undefined): value is readonly PythonValue[] => Array.isArray(value);

export const isDict = (value: PythonValue | undefined): value is PythonDict =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "dict";

/** Returns the value under a string key of a dict; undefined if there is none. */
export const entryOf = (dict: PythonDict, key: string): PythonValue | undefined =>
  dict.entries.get(key.startsWith("\0") ? `\0s${key}` : key)?.value;

/**
 * Returns the key of a dict or set entry in a Map, the same for keys that are equal in Python (`1`, `1.0`, `True`). Strings are
 * used unchanged, all other keys are prefixed with NUL. Undefined for unhashable values: lists, dicts, sets.
 */
export function hashText(value: PythonValue): string | undefined {
  if (typeof value === "string") return value.startsWith("\0") ? `\0s${value}` : value;
  if (value === null) return "\0None";
  if (typeof value === "boolean") return value ? "\0n1" : "\0n0";
  if (typeof value === "number" || typeof value === "bigint") return `\0n${value}`;
  if (!("kind" in value)) return undefined;
  switch (value.kind) {
    case "float":
      return Number.isInteger(value.value) ? `\0n${BigInt(value.value)}` : `\0f${value.value}`;
    case "text":
      return `\0c${value.codes.join(",")}`;
    case "ellipsis":
      return "\0...";
    case "tuple":
      return hashTuple(value.items);
    case "set":
    case "dict":
      return undefined;
    default:
      return value satisfies never;
  }
}

function hashTuple(items: readonly PythonValue[]): string | undefined {
  let text = "\0t";
  for (const item of items) {
    const part = hashText(item);
    if (part === undefined) return undefined;
    text += `${part.length}:${part}`;
  }
  return text;
}

/** Returns a string, or code points if a string would join two lone surrogates. */
export function textFromCodes(codes: readonly number[]): string | PythonText {
  for (let index = 1; index < codes.length; index++) {
    if (isHigh(codes[index - 1]!) && isLow(codes[index]!)) return { kind: "text", codes };
  }
  let text = "";
  for (const code of codes) text += String.fromCodePoint(code);
  return text;
}

/** Returns Python's concatenation of two strings, which never joins lone surrogates. */
export function joinTexts(first: string | PythonText, second: string | PythonText): string | PythonText {
  if (typeof first === "string" && typeof second === "string") {
    const meets = isHigh(first.charCodeAt(first.length - 1)) && isLow(second.charCodeAt(0));
    if (!meets) return first + second;
  }
  return { kind: "text", codes: [...codesOf(first), ...codesOf(second)] };
}

/** Returns code points of a Python string. */
export function codesOf(text: string | PythonText): readonly number[] {
  if (typeof text !== "string") return text.codes;
  const codes: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index)!;
    if (code > 0xffff) index += 1;
    codes.push(code);
  }
  return codes;
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
