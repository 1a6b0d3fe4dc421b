/** Splits a JSON object as it is read: the items of one of its lists are returned one by one, all other parts together. */
import { GrowingText } from "./bounded-text.ts";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The text without the items of the list, available after the last byte. */
export type Split = { readonly rest: string; readonly isWhole: boolean };

/** Examines only brackets, strings and the commas between items; the code that reads a part checks whether it is JSON. */
export class SplitDocument<Item> {
  readonly #list: string;
  readonly #read: ((text: string, number: number) => Item) | undefined;
  readonly #item: GrowingText;
  readonly #rest: GrowingText;
  #items: Item[] = [];
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;
  /** The last string of the object itself, which a colon makes a key. */
  #string = "";
  #key = "";
  #isWithin = false;
  /** True if the item has more than blanks. */
  #isItem = false;
  #isOver = false;
  #isWrong = false;
  /** True if the text does not begin as an object. */
  isOther = false;
  count = 0;

  /** `read` converts an item's text and 1-based number to an item; without `read`, items are only counted. */
  constructor(list: string, read?: (text: string, number: number) => Item) {
    this.#list = list;
    this.#item = new GrowingText(`an item of \`${list}\``);
    this.#rest = new GrowingText(`all but \`${list}\``);
    this.#read = read;
  }

  /** Takes the next bytes and returns the items that end in them. */
  take(part: Buffer): readonly Item[] {
    let from = 0;
    for (let at = 0; at < part.length; at++) {
      if (this.#isQuoted) {
        at = this.#throughString(part, at);
        continue;
      }
      const byte = part[at]!;
      if (isBlank(byte)) continue;
      if (this.#isOver) this.#isWrong = true;
      else if (this.#depth === 0 && byte !== openObject) this.isOther = true;
      const endsItem = this.#isWithin && this.#depth === 2 && (byte === comma || byte === closeList);
      if (endsItem) {
        this.#add(part.subarray(from, at));
        this.#endItem();
        // A comma between items belongs to none of them.
        from = byte === comma ? at + 1 : at;
      } else if (this.#isWithin) this.#isItem = true;
      const wasWithin = this.#isWithin;
      this.#step(byte);
      if (wasWithin === this.#isWithin) continue;
      // The brackets of the list stay with the rest.
      const edge = this.#isWithin ? at + 1 : at;
      if (this.#isWithin) this.#rest.add(part.subarray(from, edge));
      from = edge;
    }
    this.#add(part.subarray(from));
    const items = this.#items;
    this.#items = [];
    return items;
  }

  end(): Split {
    return { rest: this.#rest.take(), isWhole: this.#isOver && !this.#isWrong && !this.isOther };
  }

  #step(byte: number): void {
    if (byte === quote) {
      this.#isQuoted = true;
      this.#string = "";
    } else if (byte === openObject || byte === openList) {
      this.#depth += 1;
      if (byte === openList && this.#depth === 2 && this.#key === this.#list) this.#isWithin = true;
    } else if (byte === closeObject || byte === closeList) {
      this.#depth -= 1;
      if (this.#depth === 1) this.#isWithin = false;
      if (this.#depth === 0) this.#isOver = true;
      if (this.#depth < 0) this.#isWrong = true;
    } else if (this.#depth === 1 && byte === colon) this.#key = this.#string;
    else if (this.#depth === 1 && byte === comma) this.#key = "";
  }

  /** Continues within a string; returns the index of its last byte in this part. */
  #throughString(part: Buffer, from: number): number {
    let at = from;
    for (; at < part.length; at++) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (part[at] === backslash) this.#isEscaped = true;
      else if (part[at] === quote) break;
    }
    this.#isQuoted = at === part.length;
    // A longer string cannot be the key of the list.
    if (this.#depth === 1 && this.#string.length <= this.#list.length)
      this.#string += part.toString("latin1", from, Math.min(at, from + this.#list.length + 1));
    return at;
  }

  #add(part: Buffer): void {
    if (!this.#isWithin) this.#rest.add(part);
    else if (this.#read !== undefined) this.#item.add(part);
  }

  #endItem(): void {
    if (this.#isItem) this.count += 1;
    const text = this.#item.take();
    if (this.#isItem && this.#read !== undefined) this.#items.push(this.#read(text, this.count));
    this.#isItem = false;
  }
}
