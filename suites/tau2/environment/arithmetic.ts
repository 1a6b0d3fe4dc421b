/** Python's arithmetic of the tool `calculate`, bounded: the official program hangs on `9**9**9`. */
import { fail, Float, refuse, rounded, shown } from "./value.ts";

type Reader = { readonly tokens: readonly string[]; at: number; depth: number };
/** Ints are bigints, so that `7 // 2` and `2 ** 60` are exact. */
type Operand = number | bigint;

const deepest = 100;
/** Maximum number of bits of an int that is computed. */
const largest = 4096;

/** Returns the result rounded to two decimals, as `str(float)`. Fails as the official tool does. */
export function calculate(expression: string): string {
  if (!/^[0-9+\-*/(). ]*$/.test(expression)) refuse("Invalid characters in expression");
  const tokens = expression.match(/\d+\.?\d*|\.\d+|\*\*|\/\/|[-+*/().]/g) ?? [];
  const reader: Reader = { tokens, at: 0, depth: 0 };
  const value = sum(reader);
  if (reader.at < tokens.length) fail("invalid syntax");
  const result = Number(value);
  if (!Number.isFinite(result)) fail("int too large to convert to float");
  return shown(new Float(rounded(result)));
}

function sum(reader: Reader): Operand {
  let value = product(reader);
  for (let sign = taken(reader, "+", "-"); sign !== undefined; sign = taken(reader, "+", "-")) {
    const next = product(reader);
    value = combined(
      value,
      sign === "+" ? next : -next,
      (first, second) => first + second,
      (first, second) => first + second,
    );
  }
  return value;
}

function product(reader: Reader): Operand {
  let value = signed(reader);
  for (let sign = taken(reader, "*", "/", "//"); sign !== undefined; sign = taken(reader, "*", "/", "//")) {
    const next = signed(reader);
    if (sign === "*") {
      value = combined(
        value,
        next,
        (first, second) => first * second,
        (first, second) => first * second,
      );
      continue;
    }
    if (Number(next) === 0) fail("division by zero");
    value =
      sign === "/"
        ? finite(Number(value) / Number(next))
        : combined(value, next, (first, second) => Math.floor(first / second), floorDivided);
  }
  return value;
}

function signed(reader: Reader): Operand {
  deeper(reader);
  const sign = taken(reader, "+", "-");
  const value = sign === undefined ? power(reader) : signed(reader);
  reader.depth -= 1;
  return sign === "-" ? -value : value;
}

function power(reader: Reader): Operand {
  const base = atom(reader);
  if (taken(reader, "**") === undefined) return base;
  const exponent = signed(reader);
  if (Number(base) === 0 && Number(exponent) < 0) fail("0.0 cannot be raised to a negative power");
  if (typeof base === "bigint" && typeof exponent === "bigint" && exponent >= 0n) {
    const bits = base.toString(2).length * Number(exponent);
    return bits > largest && base !== 0n && base !== 1n && base !== -1n ? fail("int too large") : base ** exponent;
  }
  return finite(Number(base) ** Number(exponent));
}

function atom(reader: Reader): Operand {
  if (taken(reader, "(") !== undefined) {
    deeper(reader);
    const value = sum(reader);
    if (taken(reader, ")") === undefined) fail("'(' was never closed");
    reader.depth -= 1;
    return value;
  }
  const token = reader.tokens[reader.at] ?? "";
  if (!/^[\d.]*\d[\d.]*$/.test(token) || token.length > 400) fail("invalid syntax");
  reader.at += 1;
  if (token.includes(".")) return Number(token);
  if (/^0+[1-9]/.test(token)) fail("leading zeros in decimal integer literals are not permitted");
  return BigInt(token);
}

function taken(reader: Reader, ...tokens: readonly string[]): string | undefined {
  const token = reader.tokens[reader.at];
  if (token === undefined || !tokens.includes(token)) return undefined;
  reader.at += 1;
  return token;
}

function deeper(reader: Reader): void {
  reader.depth += 1;
  if (reader.depth > deepest) fail("too many nested parentheses");
}

function combined(
  first: Operand,
  second: Operand,
  floats: (first: number, second: number) => number,
  ints: (first: bigint, second: bigint) => bigint,
): Operand {
  if (typeof first === "bigint" && typeof second === "bigint") return ints(first, second);
  return finite(floats(Number(first), Number(second)));
}

function floorDivided(first: bigint, second: bigint): bigint {
  const quotient = first / second;
  return first % second !== 0n && first < 0n !== second < 0n ? quotient - 1n : quotient;
}

const finite = (value: number) => (Number.isFinite(value) ? value : fail("Result too large"));
