/** Exact arithmetic on floats: quotients, powers and decimals are rounded once, as Python's are. */
import { fail } from "./value.ts";

const bitsOf = (value: bigint) => (value === 0n ? 0 : value.toString(2).length - (value < 0n ? 1 : 0));

/** Returns a float as `mantissa * 2 ** exponent`. Takes finite numbers. */
export function partsOf(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  return { mantissa: bits >> 63n === 1n ? -mantissa : mantissa, exponent: Math.max(biased, 1) - 1075 };
}

/** Returns `value` divided by `divisor` (above 0), rounded to the nearest whole number, halves to even. */
export function roundedQuotient(value: bigint, divisor: bigint): bigint {
  const magnitude = value < 0n ? -value : value;
  const whole = magnitude / divisor;
  const twice = (magnitude % divisor) * 2n;
  const rounded = twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
  return value < 0n ? -rounded : rounded;
}

/** Returns the float nearest to `above / below`, infinite beyond the largest. */
export function ratioToFloat(above: bigint, below: bigint): number {
  if (above === 0n) return 0;
  const [top, bottom] = below < 0n ? [-above, -below] : [above, below];
  // Bits of the quotient that a float keeps: 53, fewer below the smallest normal one.
  let shift = 54 - (bitsOf(top) - bitsOf(bottom));
  const scaled = (by: number) =>
    by >= 0 ? roundedQuotient(top << BigInt(by), bottom) : roundedQuotient(top, bottom << BigInt(-by));
  while (bitsOf(scaled(shift)) > 53) shift -= 1;
  const exponent = Math.max(-shift, -1074);
  const mantissa = scaled(-exponent);
  if (exponent > 971) return mantissa > 0n ? Infinity : -Infinity;
  return Number(mantissa) * 2 ** Math.max(exponent, -1022) * 2 ** Math.min(exponent + 1022, 0);
}

/** Returns `int(value)`. */
export function wholePart(value: number): bigint {
  if (Number.isNaN(value)) return fail("ValueError", "cannot convert float NaN to integer");
  if (!Number.isFinite(value)) return fail("OverflowError", "cannot convert float infinity to integer");
  return BigInt(Math.trunc(value));
}

/** Returns `value * 10 ** digits`, rounded to a whole number, halves to even. */
function scaledDecimal(value: number, digits: number): bigint {
  const { mantissa, exponent } = partsOf(value);
  const above = mantissa * 10n ** BigInt(Math.max(digits, 0)) * 2n ** BigInt(Math.max(exponent, 0));
  return roundedQuotient(above, 2n ** BigInt(Math.max(-exponent, 0)) * 10n ** BigInt(Math.max(-digits, 0)));
}

/** Returns `round(value, digits)`. */
export function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value) || value === 0 || digits > 323) return value;
  const zero = value < 0 ? -0 : 0;
  if (digits < -308) return zero;
  const scaled = scaledDecimal(value, digits);
  if (scaled === 0n) return zero;
  const rounded =
    digits >= 0 ? ratioToFloat(scaled, 10n ** BigInt(digits)) : ratioToFloat(scaled * 10n ** BigInt(-digits), 1n);
  return Number.isFinite(rounded) ? rounded : fail("OverflowError", "rounded value too large to represent");
}

/** Returns `round(value, digits)` of a whole number. */
export function roundWhole(value: bigint, digits: bigint): bigint {
  if (digits >= 0n) return value;
  if (-digits > bitsOf(value)) return 0n;
  const unit = 10n ** -digits;
  return roundedQuotient(value, unit) * unit;
}

/** Returns `f"{value:.2f}"`. */
export function twoDecimals(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const scaled = scaledDecimal(value, 2);
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(3, "0");
  return `${value < 0 || Object.is(value, -0) ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Fractional bits that powers are worked out with. */
const workingBits = 220;

/** Returns the natural logarithm of `mantissa * 2 ** exponent` (above 0), with `bits` fractional bits. */
export function logarithmOf(mantissa: bigint, exponent: number, bits: number): bigint {
  const width = bitsOf(mantissa);
  // Between 1 / sqrt 2 and sqrt 2, so that few terms do.
  const one = 1n << BigInt(bits);
  let scale = exponent + width;
  let reduced = bits >= width ? mantissa << BigInt(bits - width) : mantissa >> BigInt(width - bits);
  if (reduced * reduced * 2n < one * one) {
    reduced *= 2n;
    scale -= 1;
  }
  // Halving by square roots leaves a number near 1.
  let doublings = 0n;
  while (doublings < 12n) {
    reduced = rootOf(reduced << BigInt(bits));
    doublings += 1n;
  }
  return (
    ((2n * inverseTangent(((reduced - one) << BigInt(bits)) / (reduced + one), bits)) << doublings) +
    BigInt(scale) * naturalTwo(bits)
  );
}

/** Returns the inverse hyperbolic tangent of a small fraction. */
function inverseTangent(value: bigint, bits: number): bigint {
  const one = 1n << BigInt(bits);
  let [sum, power] = [0n, value];
  for (let odd = 1n; power !== 0n; odd += 2n) {
    sum += power / odd;
    power = (power * value * value) / (one * one);
  }
  return sum;
}

/** Returns the natural logarithm of 2. */
function naturalTwo(bits: number): bigint {
  return 2n * inverseTangent((1n << BigInt(bits)) / 3n, bits);
}

/** Returns the largest whole number whose square is at most `value`. */
export function rootOf(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((bitsOf(value) + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Returns `base ** exponent` of floats, rounded once. `base` is above 0, both are finite. */
export function powerOf(base: number, exponent: number): number {
  const { mantissa, exponent: scale } = partsOf(base);
  const bits = workingBits + 1100;
  const { mantissa: factor, exponent: shift } = partsOf(exponent);
  const logarithm = logarithmOf(mantissa, scale, bits) * factor;
  const product = shift >= 0 ? logarithm << BigInt(shift) : logarithm >> BigInt(-shift);
  const two = naturalTwo(bits);
  const halves = product / two - (product < 0n ? 1n : 0n);
  if (halves > 1100n) return Infinity;
  if (halves < -1200n) return 0;
  const rest = product - halves * two;
  let [sum, term] = [0n, 1n << BigInt(bits)];
  for (let index = 1n; term !== 0n; index += 1n) {
    sum += term;
    term = ((term * rest) >> BigInt(bits)) / index;
  }
  const result =
    halves >= 0n ? ratioToFloat(sum << halves, 1n << BigInt(bits)) : ratioToFloat(sum, 1n << (BigInt(bits) - halves));
  return result;
}
