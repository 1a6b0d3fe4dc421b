/**
 * Reads a line of JSON Lines without making an object of it: an object whose values are texts and numbers in the usual form.
 * Leaves any other content to `JSON.parse`, such as escapes, nested values, long numbers, repeated and unknown names.
 */

const [quote, backslash, comma, colon, minus, point, open, close] = [34, 92, 44, 58, 45, 46, 123, 125];
const [zero, nine, blank, firstPrintable] = [48, 57, 32, 32];
/** Maximum number of digits with which a number is exact. */
const mostDigits = 15;

/** The type of a value. A text may be empty; a number is not. */
export type PlacedValue = "text" | "empty" | "number";

export class JsonPlaces {
  /** The piece of the file that has the lines. */
  bytes: Buffer;
  /** The names that lines may have, and their bytes with quotation marks. */
  readonly names: string[] = [];
  readonly #marks: Buffer[] = [];
  /** The value of each name in this line; undefined for a name without a value. */
  readonly values: (PlacedValue | undefined)[] = [];
  readonly #begins: number[] = [];
  readonly #ends: number[] = [];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Makes a name known. */
  add(name: string): void {
    if (this.names.includes(name)) return;
    this.names.push(name);
    this.#marks.push(Buffer.from(JSON.stringify(name)));
  }

  /** Reads the bytes of one line, without its end; returns false if the line must be read by `JSON.parse`. */
  read(from: number, to: number): boolean {
    const { bytes } = this;
    this.values.fill(undefined);
    this.values.length = this.names.length;
    let at = from;
    if (bytes[at++] !== open) return false;
    // Programs write the names of all lines in one order.
    for (let next = 0; ; next++) {
      while (bytes[at] === blank) at++;
      const name = this.#nameAt(at, next);
      if (name === undefined || this.values[name] !== undefined) return false;
      at += this.#marks[name]!.length;
      if (bytes[at++] !== colon) return false;
      while (bytes[at] === blank) at++;
      at = this.#value(name, at, to);
      if (at < 0) return false;
      const sign = bytes[at++];
      if (sign === close) return at === to;
      if (sign !== comma) return false;
    }
  }

  #nameAt(at: number, likely: number): number | undefined {
    if (this.#isAt(likely, at)) return likely;
    const found = this.names.findIndex((_, name) => this.#isAt(name, at));
    return found < 0 ? undefined : found;
  }

  #isAt(name: number, at: number): boolean {
    const mark = this.#marks[name];
    if (mark === undefined) return false;
    for (let byte = 0; byte < mark.length; byte++) if (this.bytes[at + byte] !== mark[byte]) return false;
    return true;
  }

  /** Reads the value that starts here; returns the index after it, -1 if it must be read by `JSON.parse`. */
  #value(name: number, from: number, to: number): number {
    const { bytes } = this;
    let at = from;
    if (bytes[at] === quote) {
      for (at++; bytes[at] !== quote; at++)
        if (at >= to || bytes[at] === backslash || bytes[at]! < firstPrintable) return -1;
      this.values[name] = at === from + 1 ? "empty" : "text";
      this.#begins[name] = from + 1;
      this.#ends[name] = at;
      return at + 1;
    }
    if (bytes[at] === minus) at++;
    const digits = at;
    while (isDigit(bytes[at])) at++;
    if (at === digits || (bytes[digits] === zero && (at > digits + 1 || digits > from))) return -1;
    if (bytes[at] === point) {
      const fraction = ++at;
      while (isDigit(bytes[at])) at++;
      // As a text, such a number may lose its last zeros, or get an exponent.
      if (at === fraction || bytes[at - 1] === zero || bytes[fraction] === zero) return -1;
    }
    if (at - digits > mostDigits || at > to) return -1;
    this.values[name] = "number";
    this.#begins[name] = from;
    this.#ends[name] = at;
    return at;
  }

  /** The text of a value, or the number as text. */
  text(name: number): string {
    return this.bytes.toString("utf8", this.#begins[name], this.#ends[name]);
  }
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= zero && byte <= nine;
