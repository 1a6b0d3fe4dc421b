/** Values as in the official program: ints distinct from floats, records with fields in order, dictionaries as maps. */
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { pythonStr } from "../../../source/engine/python/text.ts";
import { pythonText } from "../../../source/engine/text/json-text.ts";
import { isList as isPythonList, type PythonEntry, type PythonValue } from "../../../source/engine/python/value.ts";

/** A float; plain numbers are ints. `2` and `2.0` are different states. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export type Value = null | boolean | number | string | Float | readonly Value[] | Dictionary | Fields;
/** A dictionary whose keys are data. */
export type Dictionary = ReadonlyMap<string, Value>;
/** A record whose fields are known, or the arguments a model wrote. */
export type Fields = { readonly [field: string]: Value };

/**
 * A call that failed. `own` is true for a check of the tool itself, whose message is normative; any other failure is an error of
 * Python, whose message depends on its version.
 */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly own: boolean;

  constructor(message: string, own: boolean) {
    super(message);
    this.own = own;
  }
}

/** Throws the failure of a tool's own check. */
export function refuse(message: string): never {
  throw new ToolFailure(message, true);
}

/** Throws a failure that Python itself would raise. */
export function fail(message: string): never {
  throw new ToolFailure(message, false);
}

/** Parses JSON so that `2.0` stays a float. Throws a SyntaxError. */
export function parseValue(text: string): Value {
  // The reviver's third parameter is newer than the types.
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && /[.eE]/.test(context?.source ?? "") ? new Float(value) : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as Value;
}

/**
 * Parses JSON whose keys keep their order even if they look like numbers, as ids of items do; objects become dictionaries.
 * Throws a SyntaxError.
 */
export function parseDictionary(text: string): Value {
  return fromPython(parseJsonAsPython(text));
}

function fromPython(value: PythonValue): Value {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (isPythonList(value)) return value.map(fromPython);
  if (value.kind === "float") return new Float(value.value);
  if (value.kind === "dict")
    return new Map(Array.from(value.entries.values(), (entry) => [String(entry.key), fromPython(entry.value)]));
  throw new SyntaxError("Expected JSON");
}

function isDictionary(value: Value): value is Dictionary {
  return value instanceof Map;
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Returns whether a value is a record or a dictionary. */
export function isMapping(value: Value): value is Dictionary | Fields {
  return typeof value === "object" && value !== null && !isList(value) && !(value instanceof Float);
}

/** Returns key and value of each entry, in order. */
export function entriesOf(value: Dictionary | Fields): readonly (readonly [string, Value])[] {
  return value instanceof Map ? [...value] : Object.entries(value);
}

/** Returns the entry of a key; undefined if there is none. */
export function entryOf(value: Dictionary | Fields, key: string): Value | undefined {
  if (value instanceof Map) return value.get(key);
  return Object.hasOwn(value, key) ? (value as Fields)[key] : undefined;
}

/** Returns the number of a value. Fails for anything Python cannot calculate with. */
export function numberOf(value: Value): number {
  if (value instanceof Float) return value.value;
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  return fail(`unsupported operand: ${shown(value)}`);
}

/** Returns `first + second`, a float if either of them is. */
export function plus(first: Value, second: Value): number | Float {
  return sameKind(numberOf(first) + numberOf(second), first, second);
}

/** Returns `first - second`, a float if either of them is. */
export function minus(first: Value, second: Value): number | Float {
  return sameKind(numberOf(first) - numberOf(second), first, second);
}

/** Returns `first * second`, a float if either of them is. */
export function times(first: Value, second: Value): number | Float {
  return sameKind(numberOf(first) * numberOf(second), first, second);
}

function sameKind(result: number, first: Value, second: Value): number | Float {
  return first instanceof Float || second instanceof Float ? new Float(result) : result;
}

/** Returns Python's `round(value, 2)`: halves of the exact binary value go to the even digit. */
export function rounded(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 45) return value;
  const isTie = Math.abs((value * 8) % 2) === 1;
  if (!isTie) return Number(value.toFixed(2));
  const below = Math.floor(value * 100);
  return (below % 2 === 0 ? below : below + 1) / 100;
}

/** Returns a float with two decimals, as `:.2f` writes it. */
export function twoDecimals(value: number): string {
  return rounded(value).toFixed(2);
}

/** Returns whether two values are equal in Python: `1`, `1.0` and `True` are. */
export function equal(first: Value, second: Value): boolean {
  if (isNumeric(first) && isNumeric(second)) return numberOf(first) === numberOf(second);
  if (isList(first) && isList(second))
    return first.length === second.length && first.every((value, index) => equal(value, second[index]!));
  if (isMapping(first) && isMapping(second)) {
    const entries = entriesOf(first);
    if (entries.length !== entriesOf(second).length) return false;
    return entries.every(([key, value]) => {
      const other = entryOf(second, key);
      return other !== undefined && equal(value, other);
    });
  }
  return first === second;
}

const isNumeric = (value: Value) => typeof value === "number" || typeof value === "boolean" || value instanceof Float;

/** Returns a copy that shares no record, list or dictionary. */
export function copied<Original extends Value>(value: Original): Original {
  return copy(value) as Original;
}

function copy(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Float) return value;
  if (isList(value)) return value.map(copy);
  if (isDictionary(value)) return new Map(Array.from(value, ([key, each]) => [key, copy(each)]));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each)]));
}

/** Returns `str(value)`, as an f-string writes it. */
export function shown(value: Value): string {
  const text = pythonStr(asPython(value));
  return typeof text === "string" ? text : String.fromCodePoint(...text.codes);
}

function asPython(value: Value): PythonValue {
  if (value instanceof Float) return { kind: "float", value: value.value };
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(asPython);
  const entries = entriesOf(value).map(([key, each]): [string, PythonEntry] => [key, { key, value: asPython(each) }]);
  return { kind: "dict", entries: new Map(entries) };
}

/** Returns the text that Python's `json.dumps` writes, ASCII only; `sorted` orders keys by code point. */
export function pythonJson(value: Value, sorted = false): string {
  if (typeof value === "string") return asciiText(value);
  if (value instanceof Float) return floatText(value.value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isList(value)) return `[${value.map((each) => pythonJson(each, sorted)).join(", ")}]`;
  const entries = sorted ? sortedEntries(value) : entriesOf(value);
  return `{${entries.map(([key, each]) => `${asciiText(key)}: ${pythonJson(each, sorted)}`).join(", ")}}`;
}

/** A text that JSON writes unchanged, as most keys and values are. */
const plain = /^[ !#-[\]-~]*$/;

const asciiText = (text: string) => (plain.test(text) ? `"${text}"` : pythonText(text));

function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  return shown(new Float(value));
}

/** Returns canonical JSON: keys by code point, no blanks, Unicode unchanged, numbers as JavaScript writes them. */
export function canonicalJson(value: Value): string {
  if (typeof value === "string") return jsonText(value);
  if (value instanceof Float) return JSON.stringify(value.value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  return `{${sortedEntries(value)
    .map(([key, each]) => `${jsonText(key)}:${canonicalJson(each)}`)
    .join(",")}}`;
}

const jsonText = (text: string) => (plain.test(text) ? `"${text}"` : JSON.stringify(text));

function sortedEntries(value: Dictionary | Fields): readonly (readonly [string, Value])[] {
  return entriesOf(value).toSorted(([first], [second]) => byCodePoint(first, second));
}

/** Orders texts by code point, as Python does. */
export function byCodePoint(first: string, second: string): number {
  const length = Math.min(first.length, second.length);
  for (let at = 0; at < length; at++) {
    if (first.charCodeAt(at) !== second.charCodeAt(at)) return first.codePointAt(at)! - second.codePointAt(at)!;
  }
  return first.length - second.length;
}
