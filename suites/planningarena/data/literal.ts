/**
 * Reads and writes actions of the form `Tool({'key': value})`: one object literal in Python or JSON notation. One pass
 * over the text, bounded depth, nothing evaluated.
 *
 * The engine's reader of Python literals does not fit, because the grammar of these calls is neither Python nor JSON:
 * `\q` is a `q` and `\x41` the letters `x41`; `007` is a number, but `.5`, `1_0` and `+1` are not; strings may span
 * lines; there are no tuples, sets, comments, prefixes or joined strings. Scores depend on all of these.
 */
import { isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { ToolCallText } from "./records.ts";

/** Deeper literals are not tool calls, and the reader must not exhaust the stack. */
const maxDepth = 64;

/**
 * Splits `name(...)` into name and inner text, both otherwise unchanged; returns undefined if the text is not a call.
 */
export function splitCall(text: string): { readonly tool: string; readonly inner: string } | undefined {
  const trimmed = text.trim();
  const open = trimmed.indexOf("(");
  if (open < 1 || !trimmed.endsWith(")")) return undefined;
  const tool = trimmed.slice(0, open).trimEnd();
  if (!/^[A-Za-z0-9_]+$/.test(tool)) return undefined;
  return { tool, inner: trimmed.slice(open + 1, -1) };
}

/** Parses a call. Returns undefined if text precedes or follows it, for positional arguments, and for broken quotes. */
export function parseCall(text: string): ToolCallText | undefined {
  const call = splitCall(text);
  if (call === undefined) return undefined;
  const inner = call.inner.trim();
  if (inner === "") return { tool: call.tool, args: {} };
  const value = parseLiteral(inner);
  return isRecord(value) ? { tool: call.tool, args: trimmedKeys(value) } : undefined;
}

const trimmedKeys = (value: { readonly [key: string]: Json }): { readonly [name: string]: Json } =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name.trim(), item]));

/** Parses a whole literal; returns undefined if the text is not a literal, or is followed by anything but white space. */
export function parseLiteral(text: string): Json | undefined {
  const reader = new LiteralReader(text);
  try {
    const value = reader.value(0);
    reader.space();
    return reader.ended ? value : undefined;
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

class NotALiteral extends Error {}

const constants: readonly (readonly [string, Json])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
];
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

class LiteralReader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get ended(): boolean {
    return this.#at >= this.#text.length;
  }

  space(): void {
    while (!this.ended && this.#text[this.#at]!.trim() === "") this.#at += 1;
  }

  value(depth: number): Json {
    if (depth > maxDepth) throw new NotALiteral();
    this.space();
    const next = this.#text[this.#at];
    if (next === "'" || next === '"') return this.#string(next);
    if (next === "[") return this.#list(depth);
    if (next === "{") return this.#object(depth);
    for (const [word, value] of constants) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      const after = this.#text[this.#at + word.length];
      if (after !== undefined && /\w/.test(after)) break;
      this.#at += word.length;
      return value;
    }
    return this.#number();
  }

  #number(): number {
    const pattern = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) throw new NotALiteral();
    this.#at = pattern.lastIndex;
    return Number(found[0]);
  }

  #string(quote: string): string {
    let read = "";
    let from = ++this.#at;
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined) throw new NotALiteral();
      if (next === quote) break;
      this.#at += 1;
      if (next !== "\\") continue;
      read += this.#text.slice(from, this.#at - 1) + this.#escaped();
      from = this.#at;
    }
    read += this.#text.slice(from, this.#at);
    this.#at += 1;
    return read;
  }

  #escaped(): string {
    const next = this.#text[this.#at];
    if (next === undefined) throw new NotALiteral();
    this.#at += 1;
    if (next !== "u") return escapes[next] ?? next;
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new NotALiteral();
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #list(depth: number): Json[] {
    const items: Json[] = [];
    this.#at += 1;
    while (!this.#closes("]")) {
      items.push(this.value(depth + 1));
      if (!this.#comma("]")) break;
    }
    return items;
  }

  #object(depth: number): Json {
    const entries: [string, Json][] = [];
    this.#at += 1;
    while (!this.#closes("}")) {
      this.space();
      const quote = this.#text[this.#at];
      if (quote !== "'" && quote !== '"') throw new NotALiteral();
      const key = this.#string(quote);
      this.space();
      if (this.#text[this.#at] !== ":") throw new NotALiteral();
      this.#at += 1;
      entries.push([key, this.value(depth + 1)]);
      if (!this.#comma("}")) break;
    }
    return Object.fromEntries(entries);
  }

  /** Consumes the closing bracket if it comes next, as in an empty literal or after a trailing comma. */
  #closes(bracket: string): boolean {
    this.space();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at += 1;
    return true;
  }

  /** Consumes a comma (true) or the closing bracket (false). */
  #comma(bracket: string): boolean {
    this.space();
    const next = this.#text[this.#at];
    if (next !== "," && next !== bracket) throw new NotALiteral();
    this.#at += 1;
    return next === ",";
  }
}

/** Writes a call with its arguments (or a result with its fields); parsing the text returns the same values. */
export const writtenCall = (tool: string, args: { readonly [name: string]: Json }): string =>
  `${tool}(${writtenLiteral(args)})`;

function writtenLiteral(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(writtenLiteral).join(", ")}]`;
  if (!isRecord(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${quoted(key)}: ${writtenLiteral(item)}`)
    .join(", ")}}`;
}

function quoted(text: string): string {
  const plain = text.replace(/\\/g, "\\\\").replace(/'/g, "\\'");
  return `'${plain.replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")}'`;
}
