/**
 * Python's values, as BFCL's systems hold and compare them: whole numbers are bigints, other numbers are numbers, lists are arrays
 * that several places may share, dictionaries keep the order and the types of their keys.
 */

export type Py = null | boolean | bigint | number | string | Py[] | Tuple | Dict | PySet | PyObject;

/** An error of Python's. `message` is what `str(error)` gives. */
export class PyError extends Error {
  override readonly name = "PyError";
  readonly kind: PyErrorKind;

  constructor(kind: PyErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export type PyErrorKind =
  | "AttributeError"
  | "IndexError"
  | "InvalidOperation"
  | "KeyError"
  | "NameError"
  | "OverflowError"
  | "RecursionError"
  | "SyntaxError"
  | "TypeError"
  | "ValueError"
  | "ZeroDivisionError"
  | "Exception";

export function fail(kind: PyErrorKind, message: string): never {
  throw new PyError(kind, message);
}

export class Tuple {
  readonly items: readonly Py[];

  constructor(items: readonly Py[]) {
    this.items = items;
  }
}

/** An object of a class that no literal makes: a directory, a decimal number. */
export abstract class PyObject {
  abstract readonly typeName: string;
  abstract repr(): string;

  equals(other: Py): boolean {
    return this === other;
  }
}

class Ellipsis extends PyObject {
  readonly typeName = "ellipsis";

  repr(): string {
    return "Ellipsis";
  }
}

/** What `...` is. */
export const ellipsis = new Ellipsis();

export class Dict {
  readonly #entries = new Map<string, [Py, Py]>();

  constructor(entries: Iterable<readonly [Py, Py]> = []) {
    for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: Py): boolean {
    return this.#entries.has(keyOf(key));
  }

  get(key: Py): Py | undefined {
    return this.#entries.get(keyOf(key))?.[1];
  }

  /** Returns `dict[key]`. */
  at(key: Py): Py {
    return this.get(key) ?? (this.has(key) ? null : fail("KeyError", repr(key)));
  }

  set(key: Py, value: Py): void {
    const known = this.#entries.get(keyOf(key));
    if (known === undefined) this.#entries.set(keyOf(key), [key, value]);
    else known[1] = value;
  }

  delete(key: Py): void {
    this.#entries.delete(keyOf(key));
  }

  keys(): Py[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }

  values(): Py[] {
    return Array.from(this.#entries.values(), ([, value]) => value);
  }

  entries(): (readonly [Py, Py])[] {
    return [...this.#entries.values()];
  }

  copy(): Dict {
    return new Dict(this.entries());
  }
}

/** A set. Its order is that of insertion; Python's is another one in each process. */
export class PySet {
  readonly items: Dict;

  constructor(items: Iterable<Py> = []) {
    this.items = new Dict(Array.from(items, (item) => [item, null] as const));
  }
}

/** Returns a text that equal keys share. */
function keyOf(key: Py): string {
  if (typeof key === "string") return `s${key}`;
  if (key === null) return "None";
  if (typeof key === "boolean") return key ? "n1" : "n0";
  if (typeof key === "bigint") return `n${key}`;
  if (typeof key === "number") return Number.isInteger(key) ? `n${BigInt(key)}` : `n${key}`;
  if (key instanceof Tuple) return `t${JSON.stringify(key.items.map(keyOf))}`;
  return fail("TypeError", `unhashable type: '${typeName(key)}'`);
}

export function typeName(value: Py): string {
  if (value === null) return "NoneType";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float";
  if (typeof value === "string") return "str";
  if (Array.isArray(value)) return "list";
  if (value instanceof Tuple) return "tuple";
  if (value instanceof Dict) return "dict";
  return value instanceof PySet ? "set" : value.typeName;
}

export function truth(value: Py): boolean {
  if (value === null || value === "") return false;
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint") return value !== 0n;
  if (typeof value === "number") return value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Tuple) return value.items.length > 0;
  if (value instanceof Dict) return value.size > 0;
  return value instanceof PySet ? value.items.size > 0 : true;
}

/** Returns the number that arithmetic sees; undefined if the value is none. */
export function numeric(value: Py): bigint | number | undefined {
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "bigint" || typeof value === "number" ? value : undefined;
}

/** Returns `one == other`. */
export function equal(one: Py, other: Py): boolean {
  const [left, right] = [numeric(one), numeric(other)];
  if (left !== undefined || right !== undefined) return left !== undefined && right !== undefined && left == right;
  if (one instanceof PyObject) return one.equals(other);
  if (Array.isArray(one)) return Array.isArray(other) && sameItems(one, other);
  if (one instanceof Tuple) return other instanceof Tuple && sameItems(one.items, other.items);
  if (one instanceof Dict) return other instanceof Dict && sameEntries(one, other);
  if (one instanceof PySet) return other instanceof PySet && sameEntries(one.items, other.items);
  return one === other;
}

const sameItems = (one: readonly Py[], other: readonly Py[]) =>
  one.length === other.length && one.every((each, index) => equal(each, other[index]!));

function sameEntries(one: Dict, other: Dict): boolean {
  return (
    one.size === other.size && one.entries().every(([key, value]) => other.has(key) && equal(value, other.at(key)))
  );
}

/** Returns `str(value)`. */
export function text(value: Py): string {
  return typeof value === "string" ? value : repr(value);
}

/** Returns `repr(value)`. */
export function repr(value: Py): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return wholeText(value);
  if (typeof value === "number") return floatText(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  if (value instanceof Tuple) return `(${value.items.map(repr).join(", ")}${value.items.length === 1 ? "," : ""})`;
  if (value instanceof Dict)
    return `{${value
      .entries()
      .map(([key, each]) => `${repr(key)}: ${repr(each)}`)
      .join(", ")}}`;
  if (value instanceof PySet) return value.items.size === 0 ? "set()" : `{${value.items.keys().map(repr).join(", ")}}`;
  return value.repr();
}

/** Digits that Python writes of a whole number, and the bits that have at least as many. */
const mostDigits = 4300;
const mostBits = 14_290;

function wholeText(value: bigint): string {
  const digits = value > -(1n << BigInt(mostBits)) && value < 1n << BigInt(mostBits) ? String(value) : "";
  if (digits === "" || digits.replace("-", "").length > mostDigits)
    fail(
      "ValueError",
      `Exceeds the limit (${mostDigits} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
    );
  return digits;
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16)
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  const plain = String(value);
  if (!plain.includes("e")) return plain.includes(".") ? plain : `${plain}.0`;
  return value.toFixed(mantissa.replace(/^-?\d\.?/, "").length - exponent);
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quoted(value: string): string {
  if (/^[ -&(-[\]-~]*$/.test(value)) return `'${value}'`;
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  let written = "";
  for (const sign of value) {
    const code = sign.codePointAt(0)!;
    if (sign === quote) written += `\\${sign}`;
    else if (Object.hasOwn(escapes, sign)) written += escapes[sign]!;
    else if (sign === " " || !/[\p{C}\p{Z}]/u.test(sign)) written += sign;
    else if (code < 0x100) written += `\\x${code.toString(16).padStart(2, "0")}`;
    else if (code < 0x1_0000) written += `\\u${code.toString(16).padStart(4, "0")}`;
    else written += `\\U${code.toString(16).padStart(8, "0")}`;
  }
  return `${quote}${written}${quote}`;
}

/** Returns `json.dumps(value)`. Fails for a value that JSON has no form for. */
export function jsonText(value: Py): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return wholeText(value);
  if (typeof value === "number")
    return Number.isNaN(value)
      ? "NaN"
      : Number.isFinite(value)
        ? floatText(value)
        : value > 0
          ? "Infinity"
          : "-Infinity";
  if (typeof value === "string") return jsonString(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(", ")}]`;
  if (value instanceof Tuple) return `[${value.items.map(jsonText).join(", ")}]`;
  if (value instanceof Dict)
    return `{${value
      .entries()
      .map(([key, each]) => `${jsonKey(key)}: ${jsonText(each)}`)
      .join(", ")}}`;
  return fail("TypeError", `Object of type ${typeName(value)} is not JSON serializable`);
}

function jsonKey(key: Py): string {
  if (typeof key === "string") return jsonString(key);
  if (key instanceof Tuple || typeof key === "object")
    return key === null ? '"null"' : fail("TypeError", "keys must be str, int, float, bool or None");
  return `"${jsonText(key)}"`;
}

const jsonString = (value: string) =>
  JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, (sign) =>
    sign === "\u007f" ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Returns a copy that shares nothing with the value but objects. */
export function deepCopy(value: Py): Py {
  if (Array.isArray(value)) return value.map(deepCopy);
  if (value instanceof Tuple) return new Tuple(value.items.map(deepCopy));
  if (value instanceof Dict) return new Dict(value.entries().map(([key, each]) => [key, deepCopy(each)] as const));
  return value instanceof PySet ? new PySet(value.items.keys()) : value;
}

/** Reads JSON with its keys in order and `5` apart from `5.0`. Throws a SyntaxError. */
export function fromJson(source: string): Py {
  const tokens = source.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|NaN|-?Infinity|[[\]{}:,]|\S/gs) ?? [];
  let at = 0;
  const expected = (sign: string) => {
    if (tokens[at++] !== sign) throw new SyntaxError(`Expected ${sign} in JSON`);
  };
  const items = <T>(end: string, item: () => T): T[] => {
    const all: T[] = [];
    while (tokens[at] !== end) {
      if (all.length > 0) expected(",");
      all.push(item());
    }
    at += 1;
    return all;
  };
  const read = (depth: number): Py => {
    const token = tokens[at++];
    if (token === undefined || depth > 200) throw new SyntaxError("Expected a value in JSON");
    if (token === "[") return items("]", () => read(depth + 1));
    if (token === "{")
      return new Dict(
        items("}", (): readonly [Py, Py] => {
          const key = read(depth + 1);
          if (typeof key !== "string") throw new SyntaxError("Expected a text as key in JSON");
          expected(":");
          return [key, read(depth + 1)];
        }),
      );
    if (token === "NaN") return Number.NaN;
    if (token.endsWith("Infinity")) return token.startsWith("-") ? -Infinity : Infinity;
    if (/^-?\d+$/.test(token) && /^-?(?:0|[1-9]\d*)$/.test(token)) return BigInt(token);
    return JSON.parse(token) as string | number | boolean | null;
  };
  const value = read(0);
  if (at < tokens.length) throw new SyntaxError("Expected the end of the JSON");
  return value;
}
