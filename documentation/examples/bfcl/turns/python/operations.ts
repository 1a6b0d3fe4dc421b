/** Python's operators and functions on values, with the texts of its errors (version 3.11). */
import { ratioToFloat, wholePart } from "./number.ts";
import { Dict, equal, fail, numeric, type Py, PySet, repr, Tuple, typeName } from "./value.ts";

/** Returns a value as a text to call one of its methods. */
export function str(value: Py, method: string): string {
  return typeof value === "string" ? value : noAttribute(value, method);
}

/** Returns a value as a dictionary to call one of its methods. */
export function dict(value: Py, method: string): Dict {
  return value instanceof Dict ? value : noAttribute(value, method);
}

/** Returns a value as a list to call one of its methods. */
export function list(value: Py, method: string): Py[] {
  return Array.isArray(value) ? value : noAttribute(value, method);
}

export function noAttribute(value: Py, name: string): never {
  return fail("AttributeError", `'${typeName(value)}' object has no attribute '${name}'`);
}

/** Returns what `for each in value` visits. */
export function iterate(value: Py): readonly Py[] {
  if (typeof value === "string") return [...value];
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  if (value instanceof Dict) return value.keys();
  if (value instanceof PySet) return value.items.keys();
  return fail("TypeError", `'${typeName(value)}' object is not iterable`);
}

/** Returns `item in container`. */
export function among(item: Py, container: Py): boolean {
  if (typeof container === "string")
    return typeof item === "string"
      ? container.includes(item)
      : fail("TypeError", `'in <string>' requires string as left operand, not ${typeName(item)}`);
  if (container instanceof Dict) return container.has(item);
  if (container instanceof PySet) return container.items.has(item);
  if (Array.isArray(container) || container instanceof Tuple)
    return iterate(container).some((each) => equal(each, item));
  return fail("TypeError", `argument of type '${typeName(container)}' is not iterable`);
}

/** Returns `container[key]`. */
export function getItem(container: Py, key: Py): Py {
  if (container instanceof Dict) return container.at(key);
  if (typeof container !== "string" && !Array.isArray(container) && !(container instanceof Tuple))
    return fail("TypeError", `'${typeName(container)}' object is not subscriptable`);
  const items = iterate(container);
  const what = typeof container === "string" ? "string" : typeName(container);
  const index = typeof key === "boolean" ? BigInt(key) : key;
  if (typeof index !== "bigint")
    return fail(
      "TypeError",
      typeof container === "string"
        ? `string indices must be integers, not '${typeName(key)}'`
        : `${what} indices must be integers or slices, not ${typeName(key)}`,
    );
  return (
    items.at(Number(index)) ??
    (Number(index) < items.length && -Number(index) <= items.length
      ? null
      : fail("IndexError", `${what} index out of range`))
  );
}

/** Returns `len(value)`. */
export function length(value: Py): number {
  if (typeof value === "string") return [...value].length;
  if (value !== null && typeof value === "object" && (Array.isArray(value) || isSized(value)))
    return iterate(value).length;
  return fail("TypeError", `object of type '${typeName(value)}' has no len()`);
}

const isSized = (value: object) => value instanceof Tuple || value instanceof Dict || value instanceof PySet;

/** Returns a number below, at or above 0, for texts by code points. */
export function textOrder(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  const at = left.findIndex((sign, index) => sign !== right[index]);
  if (at === -1) return left.length - right.length;
  return at >= right.length ? 1 : left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
}

type Comparison = "<" | "<=" | ">" | ">=";

/** Returns `one < other` and the like. */
export function compare(one: Py, sign: Comparison, other: Py): boolean {
  const [left, right] = [numeric(one), numeric(other)];
  if (left !== undefined && right !== undefined) {
    if (sign === "<") return left < right;
    if (sign === "<=") return left <= right;
    return sign === ">" ? left > right : left >= right;
  }
  if (typeof one === "string" && typeof other === "string") return holds(textOrder(one, other), sign);
  if ((Array.isArray(one) && Array.isArray(other)) || (one instanceof Tuple && other instanceof Tuple)) {
    const [first, second] = [iterate(one), iterate(other)];
    const at = first.findIndex((each, index) => index >= second.length || !equal(each, second[index]!));
    if (at === -1 || at >= second.length) return holds(first.length - second.length, sign);
    return compare(first[at]!, sign, second[at]!);
  }
  return fail("TypeError", `'${sign}' not supported between instances of '${typeName(one)}' and '${typeName(other)}'`);
}

function holds(order: number, sign: Comparison): boolean {
  if (sign === "<") return order < 0;
  if (sign === "<=") return order <= 0;
  return sign === ">" ? order > 0 : order >= 0;
}

function unsupported(sign: string, one: Py, other: Py): never {
  return fail("TypeError", `unsupported operand type(s) for ${sign}: '${typeName(one)}' and '${typeName(other)}'`);
}

/** Returns a whole number as a float. */
export function asFloat(value: bigint | number): number {
  if (typeof value === "number") return value;
  const float = ratioToFloat(value, 1n);
  return Number.isFinite(float) ? float : fail("OverflowError", "int too large to convert to float");
}

/** Returns `one + other`; `sign` is the operator's in the text of an error. */
export function add(one: Py, other: Py, sign = "+"): Py {
  const [left, right] = [numeric(one), numeric(other)];
  if (left !== undefined && right !== undefined)
    return typeof left === "bigint" && typeof right === "bigint" ? left + right : asFloat(left) + asFloat(right);
  if (typeof one === "string" || Array.isArray(one) || one instanceof Tuple) {
    const kind = typeName(one);
    if (typeName(other) !== kind)
      return fail("TypeError", `can only concatenate ${kind} (not "${typeName(other)}") to ${kind}`);
    if (typeof one === "string") return one + String(other);
    const both = [...iterate(one), ...iterate(other)];
    return Array.isArray(one) ? both : new Tuple(both);
  }
  return unsupported(sign, one, other);
}

/** Returns `one - other`; `sign` is the operator's in the text of an error. */
export function subtract(one: Py, other: Py, sign = "-"): Py {
  const [left, right] = [numeric(one), numeric(other)];
  if (left === undefined || right === undefined) return unsupported(sign, one, other);
  return typeof left === "bigint" && typeof right === "bigint" ? left - right : asFloat(left) - asFloat(right);
}

/** Characters and items of the longest repetition that is made. */
const longestRepetition = 1_000_000;

/** Returns `one * other`. */
export function multiply(one: Py, other: Py): Py {
  const [left, right] = [numeric(one), numeric(other)];
  if (left !== undefined && right !== undefined)
    return typeof left === "bigint" && typeof right === "bigint" ? left * right : asFloat(left) * asFloat(right);
  const [sequence, times] = left === undefined ? [one, other] : [other, one];
  if (typeof sequence !== "string" && !Array.isArray(sequence) && !(sequence instanceof Tuple))
    return unsupported("*", one, other);
  const count = numeric(times);
  if (typeof count !== "bigint")
    return fail("TypeError", `can't multiply sequence by non-int of type '${typeName(times)}'`);
  const repeats = Math.max(0, Number(count));
  if (repeats * length(sequence) > longestRepetition) return fail("Exception", "");
  if (typeof sequence === "string") return sequence.repeat(repeats);
  const items = Array.from({ length: repeats }, () => iterate(sequence)).flat();
  return Array.isArray(sequence) ? items : new Tuple(items);
}

/** Returns `one / other`. */
export function divide(one: Py, other: Py): number {
  const [left, right] = [numeric(one), numeric(other)];
  if (left === undefined || right === undefined) return unsupported("/", one, other);
  if (typeof left === "bigint" && typeof right === "bigint") {
    if (right === 0n) return fail("ZeroDivisionError", "division by zero");
    const quotient = ratioToFloat(left, right);
    return Number.isFinite(quotient)
      ? quotient
      : fail("OverflowError", "integer division result too large for a float");
  }
  const [above, below] = [asFloat(left), asFloat(right)];
  return below === 0 ? fail("ZeroDivisionError", "float division by zero") : above / below;
}

/** Returns `float(value)`. */
export function float(value: Py): number {
  const number = numeric(value);
  if (number !== undefined) return asFloat(number);
  if (typeof value !== "string")
    return fail("TypeError", `float() argument must be a string or a real number, not '${typeName(value)}'`);
  const written = value.trim();
  const name = /^([+-]?)(inf|infinity|nan)$/i.exec(written);
  if (name !== null) return /nan/i.test(written) ? Number.NaN : name[1] === "-" ? -Infinity : Infinity;
  if (!/^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i.test(written))
    return fail("ValueError", `could not convert string to float: ${repr(value)}`);
  return Number(written.replaceAll("_", ""));
}

/** Returns `int(value)`. */
export function int(value: Py): bigint {
  const number = numeric(value);
  if (typeof number === "bigint") return number;
  if (typeof number === "number") return wholePart(number);
  if (typeof value !== "string")
    return fail(
      "TypeError",
      `int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`,
    );
  const written = value.trim();
  if (!/^[+-]?\d+(?:_\d+)*$/.test(written))
    return fail("ValueError", `invalid literal for int() with base 10: ${repr(value)}`);
  return BigInt(written.replace("+", "").replaceAll("_", ""));
}

/** Returns `sum(value)`. */
export function sum(value: Py): Py {
  let total: Py = 0n;
  for (const each of iterate(value)) {
    if (typeof each === "string" || numeric(each) === undefined) return unsupported("+", total, each);
    total = add(total, each);
  }
  return total;
}

/** Python's lines: more signs than a line feed end one. */
export function splitLines(value: string): string[] {
  // oxlint-disable-next-line no-control-regex -- separators of files, groups and records end lines in Python
  const lines = value.split(/\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Python's words: what stands between blanks. */
export function splitWords(value: string): string[] {
  // oxlint-disable-next-line no-control-regex -- they are blanks, too
  const words = value.split(/[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/);
  return words.filter((word) => word !== "");
}
