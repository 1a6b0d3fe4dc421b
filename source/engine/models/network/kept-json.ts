/** Requests as JSON. What every task's prompt begins with, such as a catalogue, is written once and kept as bytes. */
import { randomUUID } from "node:crypto";

/** Characters of a text that is worth keeping. */
const shortest = 4096;
/** Bytes that are kept; the texts that were used last. */
const most = 8 * 1024 * 1024;

export class KeptJson {
  readonly #kept = new Map<string, Buffer>();
  #size = 0;
  /** Stands for a long text; no text of others can hold it. */
  readonly #mark = randomUUID();

  /** `JSON.stringify(value)` in UTF-8. */
  bytesOf(value: NonNullable<unknown>): Buffer {
    const texts: string[] = [];
    const written = JSON.stringify(value, (_key, each: unknown) => {
      if (typeof each !== "string" || each.length < shortest) return each;
      texts.push(each);
      return this.#mark;
    });
    const pieces = written.split(`"${this.#mark}"`).map((piece) => Buffer.from(piece));
    return Buffer.concat(pieces.flatMap((piece, at) => (at === 0 ? [piece] : [this.#textOf(texts[at - 1]!), piece])));
  }

  #textOf(text: string): Buffer {
    const bytes = this.#kept.get(text) ?? Buffer.from(JSON.stringify(text));
    if (!this.#kept.delete(text)) this.#size += bytes.length;
    this.#kept.set(text, bytes);
    for (const [oldest, { length }] of this.#kept) {
      if (this.#size <= most) break;
      this.#kept.delete(oldest);
      this.#size -= length;
    }
    return bytes;
  }
}
