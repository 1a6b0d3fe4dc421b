/** Python literals, read without ever running them: the hub stores lists and dictionaries as their printed form. */
import type { Json } from "../../source/engine/types.ts";

/** Deepest nesting taken. */
const DEEPEST = 64;
const CONSTANTS = [
  ["None", null],
  ["True", true],
  ["False", false],
  ["null", null],
  ["true", true],
  ["false", false],
] as const;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

/** The value `text` spells (None, booleans, numbers, strings, lists, tuples, dictionaries); undefined when it spells none. */
export function readLiteral(text: string): Json | undefined {
  const reader = new LiteralReader(text);
  try {
    const value = reader.value(0);
    return reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    this.#skip();
    return this.#at === this.#text.length;
  }

  value(depth: number): Json {
    if (depth > DEEPEST) throw new NoLiteral();
    this.#skip();
    const first = this.#text[this.#at];
    if (first === "[") return this.#list("]", depth);
    if (first === "(") return this.#list(")", depth);
    if (first === "{") return this.#dictionary(depth);
    if (first === "'" || first === '"') return this.#string(first);
    for (const [word, constant] of CONSTANTS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return constant;
    }
    return this.#number();
  }

  #skip(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #takes(character: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #list(end: string, depth: number): Json {
    this.#at += 1;
    const items: Json[] = [];
    while (!this.#takes(end)) {
      items.push(this.value(depth + 1));
      if (this.#takes(",")) continue;
      if (this.#takes(end)) break;
      throw new NoLiteral();
    }
    return items;
  }

  #dictionary(depth: number): Json {
    this.#at += 1;
    const entries: [string, Json][] = [];
    while (!this.#takes("}")) {
      const key = this.value(depth + 1);
      if (!this.#takes(":")) throw new NoLiteral();
      entries.push([typeof key === "string" ? key : JSON.stringify(key), this.value(depth + 1)]);
      if (this.#takes(",")) continue;
      if (this.#takes("}")) break;
      throw new NoLiteral();
    }
    return Object.fromEntries(entries);
  }

  #string(quote: string): string {
    let text = "";
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const character = this.#text[at]!;
      if (character === quote) {
        this.#at = at + 1;
        return text;
      }
      if (character !== "\\") {
        text += character;
        continue;
      }
      at += 1;
      const escaped = this.#text[at] ?? "";
      const digits = { x: 2, u: 4, U: 8 }[escaped];
      if (digits === undefined) {
        text += ESCAPES[escaped] ?? `\\${escaped}`;
        continue;
      }
      const code = Number.parseInt(this.#text.slice(at + 1, at + 1 + digits), 16);
      if (!(code >= 0 && code <= 0x10ffff)) throw new NoLiteral();
      text += String.fromCodePoint(code);
      at += digits;
    }
    throw new NoLiteral();
  }

  #number(): number {
    const from = this.#at;
    while (/[-+.0-9eE]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
    const value = Number(this.#text.slice(from, this.#at));
    if (from === this.#at || !Number.isFinite(value)) throw new NoLiteral();
    return value;
  }
}
