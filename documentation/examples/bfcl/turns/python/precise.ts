/** Logarithms and roots to a number of digits that the caller chooses, as mpmath and Python's `decimal` write them. */
import { logarithmOf, partsOf, rootOf, roundedQuotient } from "./number.ts";
import { float, int } from "./operations.ts";
import { fail, numeric, type Py, PyObject, repr, typeName } from "./value.ts";

/** Most digits that are worked out. */
const mostDigits = 1000;

/** A binary number, `mantissa * 2 ** exponent`. */
type Binary = { readonly mantissa: bigint; readonly exponent: number };
type Special = "+inf" | "-inf" | "nan";

const widthOf = (value: bigint) => (value === 0n ? 0 : (value < 0n ? -value : value).toString(2).length);

function rounded({ mantissa, exponent }: Binary, bits: number): Binary {
  const more = widthOf(mantissa) - bits;
  if (more <= 0) return { mantissa, exponent };
  return { mantissa: roundedQuotient(mantissa, 1n << BigInt(more)), exponent: exponent + more };
}

const product = (one: Binary, other: Binary): Binary => ({
  mantissa: one.mantissa * other.mantissa,
  exponent: one.exponent + other.exponent,
});

function total(one: Binary, other: Binary): Binary {
  const exponent = Math.min(one.exponent, other.exponent);
  const at = (each: Binary) => each.mantissa << BigInt(each.exponent - exponent);
  return { mantissa: at(one) + at(other), exponent };
}

function quotient(above: Binary, below: Binary, bits: number): Binary {
  // A bit more than needed, and one that says whether anything is left.
  const shift = Math.max(0, bits + 4 + widthOf(below.mantissa) - widthOf(above.mantissa));
  const [top, bottom] = below.mantissa < 0n ? [-above.mantissa, -below.mantissa] : [above.mantissa, below.mantissa];
  const scaled = top << BigInt(shift);
  const whole = scaled / bottom;
  const sticky = whole * bottom === scaled ? 0n : top < 0n ? -1n : 1n;
  return rounded({ mantissa: whole * 2n + sticky, exponent: above.exponent - below.exponent - shift - 1 }, bits);
}

/** A number of mpmath; `imaginary` of a complex one. */
class Precise extends PyObject {
  readonly typeName: string;
  readonly #text: string;

  constructor(bits: number, real: Binary | Special, imaginary?: Binary) {
    super();
    const digits = digitsToRepeat(bits);
    const shown = (value: Binary | Special) => (typeof value === "string" ? value : decimalText(value, digits));
    this.typeName = imaginary === undefined ? "mpf" : "mpc";
    this.#text =
      imaginary === undefined ? `mpf('${shown(real)}')` : `mpc(real='${shown(real)}', imag='${shown(imaginary)}')`;
  }

  repr(): string {
    return this.#text;
  }

  override equals(other: Py): boolean {
    return other instanceof Precise && other.repr() === this.repr();
  }
}

const bitsPerDigit = 3.3219280948873626;

/** Python's rounding of a float to a whole number. */
function toEven(value: number): number {
  const floor = Math.floor(value);
  const isHalf = value - floor === 0.5;
  return isHalf ? floor + (floor % 2 === 0 ? 0 : 1) : Math.round(value);
}

const bitsOf = (digits: number) => Math.max(1, toEven((digits + 1) * bitsPerDigit));

function digitsToRepeat(bits: number): number {
  const digits = Math.max(1, toEven(bits / bitsPerDigit - 1));
  return digits === 15 ? 17 : digits + 3;
}

function decimalText({ mantissa, exponent }: Binary, digits: number): string {
  if (mantissa === 0n) return "0.0";
  const size = mantissa < 0n ? -mantissa : mantissa;
  let power = 0;
  // The first digits, cut, three more than are shown.
  const above = exponent > 0 ? size << BigInt(exponent) : size;
  const below = exponent < 0 ? 1n << BigInt(-exponent) : 1n;
  const guess = Math.floor((widthOf(size) + exponent) / bitsPerDigit);
  const cut = (places: number) =>
    places >= 0 ? (above * 10n ** BigInt(places)) / below : above / (below * 10n ** BigInt(-places));
  let all = String(cut(digits + 4 - guess));
  power = all.length - 1 - (digits + 4 - guess);
  if (/[5-9]/.test(all[digits] ?? "")) {
    all = String(BigInt(all.slice(0, digits)) + 1n);
    if (all.length > digits) power += 1;
  }
  const shown = all.slice(0, digits).padEnd(digits, "0");
  const sign = mantissa < 0n ? "-" : "";
  const trimmed = (value: string) => value.replace(/0+$/, "").replace(/\.$/, ".0");
  if (power <= Math.min(-Math.floor(digits / 3), -5) || power >= digits)
    return `${sign}${trimmed(`${shown.slice(0, 1)}.${shown.slice(1)}`)}e${power < 0 ? "" : "+"}${power}`;
  if (power < 0) return `${sign}${trimmed(`0.${"0".repeat(-power - 1)}${shown}`)}`;
  return `${sign}${trimmed(`${shown.slice(0, power + 1)}.${shown.slice(power + 1)}`)}`;
}

type Logarithm = { readonly real: Binary | Special; readonly isNegative: boolean };

function logarithm(value: Py, bits: number): Logarithm {
  const number = typeof value === "string" ? writtenNumber(value) : numeric(value);
  // It looks for a complex number in a text with a j, and does not ask whether it found one.
  if (number === undefined && typeof value === "string" && /j/i.test(value))
    return fail("AttributeError", "'NoneType' object has no attribute 'group'");
  if (number === undefined) return fail("TypeError", `cannot create mpf from ${repr(value)}`);
  if (typeof number === "number" && !Number.isFinite(number))
    return { real: Number.isNaN(number) ? "nan" : "+inf", isNegative: number < 0 };
  const { mantissa, exponent } = typeof number === "bigint" ? { mantissa: number, exponent: 0 } : partsOf(number);
  if (mantissa === 0n) return { real: "-inf", isNegative: false };
  const size = mantissa < 0n ? -mantissa : mantissa;
  if (isOne(size, exponent)) return { real: { mantissa: 0n, exponent: 0 }, isNegative: mantissa < 0n };
  const working = bits + 140;
  return {
    real: rounded({ mantissa: logarithmOf(size, exponent, working), exponent: -working }, bits),
    isNegative: mantissa < 0n,
  };
}

/** Returns the number of a text; undefined if it is none. */
function writtenNumber(value: string): number | undefined {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value) ? float(value) : undefined;
}

const isOne = (size: bigint, exponent: number) => exponent <= 0 && size === 1n << BigInt(-exponent);

/** Returns the logarithm of `value` to a base, to so many digits. Throws a `PyError`. */
export function logarithmTo(value: Py, base: Py, precision: Py): Py {
  const digits = Number(int(precision));
  if (digits > mostDigits) return fail("ValueError", `more than ${mostDigits} digits are not worked out here`);
  const bits = bitsOf(digits);
  const [above, below] = [logarithm(value, bits), logarithm(base, bits)];
  if (typeof above.real === "string" || typeof below.real === "string") return specialQuotient(above, below, bits);
  const pi = rounded({ mantissa: circle(bits + 64), exponent: -(bits + 64) }, bits);
  if (!below.isNegative) {
    if (below.real.mantissa === 0n) return fail("ZeroDivisionError", "");
    const real = quotient(above.real, below.real, bits);
    return new Precise(bits, real, above.isNegative ? quotient(pi, below.real, bits) : undefined);
  }
  const zero: Binary = { mantissa: 0n, exponent: 0 };
  const imaginary = above.isNegative ? pi : zero;
  const size = rounded(total(product(below.real, below.real), product(pi, pi)), bits + 10);
  const minus = (each: Binary): Binary => ({ ...each, mantissa: -each.mantissa });
  const real = rounded(total(product(above.real, below.real), product(imaginary, pi)), bits + 10);
  const rest = rounded(total(product(imaginary, below.real), minus(product(above.real, pi))), bits + 10);
  return new Precise(bits, quotient(real, size, bits), quotient(rest, size, bits));
}

function specialQuotient(above: Logarithm, below: Logarithm, bits: number): Py {
  if (typeof above.real === "string" && typeof below.real === "string") return new Precise(bits, "nan");
  if (typeof above.real !== "string")
    return new Precise(bits, below.real === "nan" ? "nan" : { mantissa: 0n, exponent: 0 });
  if (typeof below.real === "string" || above.real === "nan") return new Precise(bits, "nan");
  if (below.real.mantissa === 0n) return fail("ZeroDivisionError", "");
  return new Precise(bits, (above.real === "+inf") === below.real.mantissa > 0n ? "+inf" : "-inf");
}

/** Returns pi with so many fractional bits (Machin's formula). */
function circle(bits: number): bigint {
  const one = 1n << BigInt(bits);
  const inverse = (by: bigint) => {
    let [sum, power, sign] = [0n, one / by, 1n];
    for (let odd = 1n; power !== 0n; odd += 2n) {
      sum += (sign * power) / odd;
      power /= by * by;
      sign = -sign;
    }
    return sum;
  };
  return 4n * (4n * inverse(5n) - inverse(239n));
}

/** A number of Python's `decimal`: `digits * 10 ** exponent`. */
export class Decimal extends PyObject {
  readonly typeName = "decimal.Decimal";
  readonly #text: string;

  constructor(digits: bigint, exponent: number, special?: string) {
    super();
    const written = String(digits);
    const adjusted = exponent + written.length - 1;
    if (special !== undefined) this.#text = special;
    else if (exponent <= 0 && adjusted >= -6) {
      const padded = written.padStart(1 - exponent, "0");
      this.#text = exponent === 0 ? padded : `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
    } else {
      const mantissa = written.length === 1 ? written : `${written[0]}.${written.slice(1)}`;
      this.#text = `${mantissa}E${adjusted < 0 ? "" : "+"}${adjusted}`;
    }
  }

  repr(): string {
    return `Decimal('${this.#text}')`;
  }

  override equals(other: Py): boolean {
    return other instanceof Decimal && other.repr() === this.repr();
  }
}

/** Returns the square root of a number that is not negative, to so many digits. Throws a `PyError`. */
export function rootTo(value: Py, precision: Py): Decimal {
  const number = numeric(value);
  const count = numeric(precision);
  if (typeof count !== "bigint")
    return fail("TypeError", `'${typeName(precision)}' object cannot be interpreted as an integer`);
  if (count < 1n) return fail("ValueError", "valid range for prec is [1, MAX_PREC]");
  // It looks for a complex number in a text with a j, and does not ask whether it found one.
  if (number === undefined && typeof value === "string" && /j/i.test(value))
    return fail("AttributeError", "'NoneType' object has no attribute 'group'");
  if (number === undefined) return fail("TypeError", "");
  if (typeof number === "number" && !Number.isFinite(number))
    return new Decimal(0n, 0, Number.isNaN(number) ? "NaN" : "Infinity");
  const digits = Number(count);
  if (digits > mostDigits) return fail("ValueError", `more than ${mostDigits} digits are not worked out here`);
  const { mantissa, exponent } = typeof number === "bigint" ? { mantissa: number, exponent: 0 } : partsOf(number);
  // Exactly, as a decimal: a power of 2 below 1 has as many places.
  const exact = exponent >= 0 ? { digits: mantissa << BigInt(exponent), places: 0 } : reduced(mantissa, exponent);
  return decimalRoot(exact.digits, exact.places, digits);
}

function reduced(mantissa: bigint, exponent: number): { readonly digits: bigint; readonly places: number } {
  let [digits, places] = [mantissa, -exponent];
  while (places > 0 && digits % 2n === 0n) {
    digits /= 2n;
    places -= 1;
  }
  return digits === 0n ? { digits: 0n, places: 0 } : { digits: digits * 5n ** BigInt(places), places };
}

function decimalRoot(digits: bigint, places: number, precision: number): Decimal {
  const ideal = Math.floor(-places / 2);
  if (digits === 0n) return new Decimal(0n, ideal);
  let exponent = ideal;
  let scaled = places % 2 === 0 ? digits : digits * 10n;
  const shift = precision + 1 - Math.ceil(String(scaled).length / 2);
  let isExact = true;
  if (shift >= 0) scaled *= 100n ** BigInt(shift);
  else {
    const unit = 100n ** BigInt(-shift);
    isExact = scaled % unit === 0n;
    scaled /= unit;
  }
  exponent -= shift;
  let root = rootOf(scaled);
  isExact &&= root * root === scaled;
  if (isExact) {
    if (shift >= 0) root /= 10n ** BigInt(shift);
    else root *= 10n ** BigInt(-shift);
    exponent += shift;
  } else if (root % 5n === 0n) root += 1n;
  const more = String(root).length - precision;
  if (more <= 0) return new Decimal(root, exponent);
  const short = roundedQuotient(root, 10n ** BigInt(more));
  const isLonger = String(short).length > precision;
  return new Decimal(isLonger ? short / 10n : short, exponent + more + (isLonger ? 1 : 0));
}
