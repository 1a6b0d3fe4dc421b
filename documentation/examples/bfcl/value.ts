/**
 * Values as Python's `json` reads them, which BFCL's checker compares: `5` and `5.0` are of different types there, and equal.
 * A whole number is a bigint here, a number with a point or an exponent is a number.
 */

export type Value = string | bigint | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** The names of Python's types that values have. */
export type TypeName = "str" | "int" | "float" | "bool" | "NoneType" | "list" | "dict";

/** Reads JSON. Throws `SyntaxError`. */
export function parsed(text: string): Value {
  const numbers = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
    if (typeof value !== "number" || context?.source === undefined) return value;
    return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
  };
  return JSON.parse(text, numbers) as Value;
}

/** Writes JSON that `parsed` reads back as the same value. */
export function written(value: Value): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
  if (isList(value)) return `[${value.map(written).join(", ")}]`;
  if (isRecord(value))
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${written(each)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

export function isRecord(value: Value | undefined): value is { readonly [key: string]: Value } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function typeOf(value: Value): TypeName {
  if (typeof value === "string") return "str";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float";
  if (typeof value === "boolean") return "bool";
  if (value === null) return "NoneType";
  return isList(value) ? "list" : "dict";
}

/** Python's `==`: numbers of both types and truth values are compared as numbers. */
export function equal(one: Value, other: Value): boolean {
  if (isList(one))
    return isList(other) && one.length === other.length && one.every((each, index) => equal(each, other[index]!));
  if (isRecord(one)) {
    const keys = Object.keys(one);
    return (
      isRecord(other) &&
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && equal(one[key]!, other[key]!))
    );
  }
  const [left, right] = [numeric(one), numeric(other)];
  return left !== undefined && right !== undefined ? left == right : one === other;
}

function numeric(value: Value): bigint | number | undefined {
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "bigint" || typeof value === "number" ? value : undefined;
}

/** Python's `value in list`. */
export function among(value: Value, list: readonly Value[]): boolean {
  return list.some((each) => equal(value, each));
}
