/**
 * Finds the records and values of CSV in the bytes of a large file without keeping them. It reads what the package `csv-parse`
 * reads the same way: values with and without quotes, between commas and line ends of one kind, also with spaces around them.
 * Anything else is odd and left to the package, such as a quotation mark within a value without quotes.
 */

const [quote, comma, lineFeed, carriageReturn] = [34, 44, 10, 13];
/** Returns true for blanks, tabs and form feeds, which the package removes around a value. */
const isSpace = (byte: number | undefined) => byte === 32 || byte === 9 || byte === 12;

export class CsvPlaces {
  /** The record in bytes; the end is exclusive. */
  from = 0;
  to = 0;
  /** Number of its values. */
  columns = 0;
  /** True once a part was found that only the package can read; there are no more records then. */
  isOdd = false;
  #bytes: Buffer;
  #next: number;
  /** True if lines end with a carriage return and a line feed; the first line end decides. */
  #hasReturns: boolean | undefined;
  /** Start and exclusive end of each value, without its quotes. */
  readonly #places: number[] = [];
  /** Columns whose values have doubled quotation marks. */
  readonly #doubled = new Set<number>();

  constructor(bytes: Buffer, first: number) {
    this.#bytes = bytes;
    this.#next = first;
  }

  /** The byte behind the last record and its line end. */
  get end(): number {
    return this.#next;
  }

  /** Goes on at the first of these bytes, which are a longer piece of the file. */
  continue(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#next = 0;
    this.isOdd = false;
  }

  /** Goes to the next record that is not empty; returns false if there is none, or if only the package can read it. */
  next(): boolean {
    const bytes = this.#bytes;
    for (let length = 1; length > 0; this.#next += length) length = this.#lineEnd(this.#next);
    if (this.isOdd || this.#next >= bytes.length) return false;
    this.from = this.#next;
    this.columns = 0;
    this.#doubled.clear();
    let at = this.#value(this.from);
    while (!this.isOdd && bytes[at] === comma) at = this.#value(at + 1);
    // The package has other rules for a line of spaces alone.
    if (this.columns === 1 && isSpace(bytes[this.from]) && this.isEmpty(0)) this.isOdd = true;
    this.to = at;
    this.#next = at + this.#lineEnd(at);
    return !this.isOdd;
  }

  /** The bytes of the line end here; 0 if there is none, or an odd one. */
  #lineEnd(at: number): number {
    const first = this.#bytes[at];
    if (first !== lineFeed && first !== carriageReturn) return 0;
    const hasReturn = first === carriageReturn;
    this.#hasReturns ??= hasReturn;
    if (hasReturn !== this.#hasReturns || (hasReturn && this.#bytes[at + 1] !== lineFeed)) this.isOdd = true;
    return this.isOdd ? 0 : hasReturn ? 2 : 1;
  }

  /** Takes the value that begins here; returns the place behind it, where a comma, a line end or the end is. */
  #value(start: number): number {
    const bytes = this.#bytes;
    let from = start;
    while (isSpace(bytes[from])) from += 1;
    const isQuoted = bytes[from] === quote;
    let at = isQuoted ? from + 1 : from;
    if (isQuoted)
      for (; at < bytes.length; at++) {
        if (bytes[at] !== quote) continue;
        if (bytes[at + 1] !== quote) break;
        this.#doubled.add(this.columns);
        at += 1;
      }
    else for (; isWithin(bytes[at]); at++) if (bytes[at] === quote) this.isOdd = true;
    const begin = isQuoted ? from + 1 : from;
    let last = at;
    if (!isQuoted) while (last > begin && isSpace(bytes[last - 1])) last -= 1;
    this.#places[2 * this.columns] = begin;
    this.#places[2 * this.columns + 1] = last;
    this.columns += 1;
    if (!isQuoted) return at;
    let end = at + 1;
    while (isSpace(bytes[end])) end += 1;
    if (at >= bytes.length || isWithin(bytes[end])) this.isOdd = true;
    return end;
  }

  isEmpty(column: number): boolean {
    return this.#places[2 * column] === this.#places[2 * column + 1];
  }

  text(column: number): string {
    const text = this.#bytes.toString("utf8", this.#places[2 * column], this.#places[2 * column + 1]);
    return this.#doubled.has(column) ? text.replaceAll('""', '"') : text;
  }

  texts(): readonly string[] {
    return Array.from({ length: this.columns }, (_, column) => this.text(column));
  }
}

/** Returns true for a byte that ends no value without quotes; false behind the last one. */
const isWithin = (byte: number | undefined) =>
  byte !== undefined && byte !== comma && byte !== lineFeed && byte !== carriageReturn;

/** Returns the values of one record. */
export function csvValues(record: string): readonly string[] {
  if (!/["\t\f]| (?:,|$)|(?:^|,) /.test(record)) return record.split(",");
  const places = new CsvPlaces(Buffer.from(record), 0);
  places.next();
  return places.texts();
}
