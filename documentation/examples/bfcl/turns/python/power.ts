/** Python's `**`. */
import { asFloat } from "./operations.ts";
import { powerOf } from "./number.ts";
import { fail, numeric, type Py, PyObject, repr, typeName } from "./value.ts";

/** Bits of the largest whole number that is worked out: Python writes no digits of a larger one, so that any other does. */
const mostBits = 20_000;

/** A complex number, which a root of a negative number is. */
export class Complex extends PyObject {
  readonly typeName = "complex";
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    super();
    this.real = real;
    this.imaginary = imaginary;
  }

  repr(): string {
    const short = (value: number) => repr(value).replace(/\.0$/, "");
    const sign = this.imaginary < 0 || Object.is(this.imaginary, -0) ? "" : "+";
    return `(${short(this.real)}${sign}${short(this.imaginary)}j)`;
  }

  override equals(other: Py): boolean {
    return other instanceof Complex && other.real === this.real && other.imaginary === this.imaginary;
  }
}

/** Returns `base ** exponent`. */
export function power(base: Py, exponent: Py): Py {
  const [left, right] = [numeric(base), numeric(exponent)];
  if (left === undefined || right === undefined)
    return fail(
      "TypeError",
      `unsupported operand type(s) for ** or pow(): '${typeName(base)}' and '${typeName(exponent)}'`,
    );
  if (typeof left !== "bigint" || typeof right !== "bigint" || right < 0n)
    return floatPower(asFloat(left), asFloat(right));
  const size = left < 0n ? -left : left;
  if (size < 2n) return left ** (left < 0n ? right % 2n : right === 0n ? 0n : 1n);
  const bits = BigInt(size.toString(2).length - 1) * right;
  return bits > BigInt(mostBits) ? 1n << BigInt(mostBits) : left ** right;
}

function floatPower(base: number, exponent: number): Py {
  if (base === 0 && exponent < 0) return fail("ZeroDivisionError", "0.0 cannot be raised to a negative power");
  if (exponent === 0 || base === 1) return 1;
  const isWhole = Number.isInteger(exponent);
  if (base === 0 || !Number.isFinite(base) || !Number.isFinite(exponent)) return base === -1 ? 1 : base ** exponent;
  const magnitude = exponent === 2 ? base * base : powerOf(Math.abs(base), exponent);
  if (base < 0 && !isWhole) {
    const angle = Math.PI * exponent;
    return new Complex(magnitude * Math.cos(angle), magnitude * Math.sin(angle));
  }
  if (!Number.isFinite(magnitude)) return fail("OverflowError", "(34, 'Numerical result out of range')");
  return base < 0 && exponent % 2 !== 0 ? -magnitude : magnitude;
}
