/**
 * Finds the records and values of CSV in the bytes of a large file without keeping them. Reads the same values as the package
 * `csv-parse`: with and without quotes, between commas and line feeds. Leaves any other content to the package, such as another
 * line ending, spaces around a value, or a quotation mark within a value.
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
  readonly #bytes: Buffer;
  #next: number;
  /** Start and exclusive end of each value, without its quotes. */
  readonly #places: number[] = [];
  /** Columns whose values have doubled quotation marks. */
  readonly #doubled = new Set<number>();

  constructor(bytes: Buffer, first: number) {
    this.#bytes = bytes;
    this.#next = first;
  }

  /** Goes to the next record that is not empty; returns false if there is none, or if only the package can read it. */
  next(): boolean {
    const bytes = this.#bytes;
    while (bytes[this.#next] === lineFeed) this.#next += 1;
    if (this.isOdd || this.#next >= bytes.length) return false;
    this.from = this.#next;
    this.columns = 0;
    this.#doubled.clear();
    let at = this.#value(this.from);
    while (!this.isOdd && bytes[at] === comma) at = this.#value(at + 1);
    this.to = at;
    this.#next = at + 1;
    return !this.isOdd;
  }

  /** Reads the value that starts here; returns the index after it, which is that of a comma, a line feed or the end. */
  #value(from: number): number {
    const bytes = this.#bytes;
    const isQuoted = bytes[from] === quote;
    let at = isQuoted ? from + 1 : from;
    if (isQuoted)
      for (; at < bytes.length; at++) {
        if (bytes[at] !== quote) continue;
        if (bytes[at + 1] !== quote) break;
        this.#doubled.add(this.columns);
        at += 1;
      }
    else
      for (; at < bytes.length && bytes[at] !== comma && bytes[at] !== lineFeed; at++)
        if (bytes[at] === quote || bytes[at] === carriageReturn) this.isOdd = true;
    const begin = isQuoted ? from + 1 : from;
    if (!isQuoted && at > begin && (isSpace(bytes[begin]) || isSpace(bytes[at - 1]))) this.isOdd = true;
    this.#places[2 * this.columns] = begin;
    this.#places[2 * this.columns + 1] = at;
    this.columns += 1;
    if (!isQuoted) return at;
    const end = at + 1;
    if (end > bytes.length || (end < bytes.length && bytes[end] !== comma && bytes[end] !== lineFeed))
      this.isOdd = true;
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

/** Returns the values of one record. */
export function csvValues(record: string): readonly string[] {
  if (!record.includes('"')) return record.split(",");
  const places = new CsvPlaces(Buffer.from(record), 0);
  places.next();
  return places.texts();
}
