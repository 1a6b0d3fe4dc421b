/** Parses incomplete JSON, so that a streaming reply is shown in its final form before it ends. */

/**
 * A value; `open` if its end is still missing. Texts are decoded; other scalars stay verbatim, as do objects and lists that are
 * nested too deeply.
 */
export type PartialJson =
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, PartialJson])[]; readonly open: boolean }
  | { readonly kind: "list"; readonly items: readonly PartialJson[]; readonly open: boolean }
  | { readonly kind: "text"; readonly text: string; readonly open: boolean }
  | { readonly kind: "scalar"; readonly text: string; readonly open: boolean };

/** Longer texts are not parsed. */
const longest = 4_000_000;
/** Maximum nesting that is parsed, because deeper values are not readable as fields. */
const deepest = 20;

/**
 * Parses a text that is an object or list, in a fence of Markdown or without; undefined for any other text, and for invalid
 * JSON. Takes time in proportion to the text.
 */
export const partialJson = (text: string) => (text.length > longest ? undefined : wholeJson(bodyOf(text)));

function wholeJson(body: string, ended?: Ended): PartialJson | undefined {
  const found = jsonAt(body, 0, ended);
  return found === undefined || found.to < body.length ? undefined : found.value;
}

/** Returns the text without its fence. */
const bodyOf = (text: string): string => text.replace(/^\s*```(?:json)?[ \t]*\n/, "").replace(/\n```\s*$/, "");

/** Complete values of a text, by their start. */
type Ended = Map<number, { readonly value: PartialJson; readonly to: number }>;

/** Parses a growing text: complete parts are read once, and stay the same object. */
export class GrowingJson {
  #body = "";
  #ended: Ended = new Map();

  read(text: string): PartialJson | undefined {
    if (text.length > longest) return undefined;
    const body = bodyOf(text);
    if (!body.startsWith(this.#body)) this.#ended = new Map();
    this.#body = body;
    return wholeJson(body, this.#ended);
  }
}

/** Returns the object or list at this index of a text, which may start with blanks, and the index after it and its blanks. */
export function jsonAt(text: string, from: number, ended?: Ended) {
  const cursor: Cursor = { text, at: from, ended };
  skipBlanks(cursor);
  if (text[cursor.at] !== "{" && text[cursor.at] !== "[") return undefined;
  const value = readValue(cursor, 0);
  if (value === undefined) return undefined;
  skipBlanks(cursor);
  return { value, to: cursor.at };
}

/** Returns one line of JSON without blanks: numbers and names verbatim, without brackets that are still missing. */
export function writtenJson(value: PartialJson): string {
  switch (value.kind) {
    case "scalar":
      return value.text;
    case "text":
      return value.open ? JSON.stringify(value.text).slice(0, -1) : JSON.stringify(value.text);
    case "list":
      return `[${value.items.map(writtenJson).join(",")}${value.open ? "" : "]"}`;
    case "object": {
      const members = value.entries.map(([name, each]) => `${JSON.stringify(name)}:${writtenJson(each)}`);
      return `{${members.join(",")}${value.open ? "" : "}"}`;
    }
  }
}

type Cursor = { readonly text: string; at: number; readonly ended: Ended | undefined };

const isAtEnd = ({ text, at }: Cursor): boolean => at >= text.length;

function skipBlanks(cursor: Cursor): void {
  while (" \t\r\n".includes(cursor.text[cursor.at] ?? "x")) cursor.at += 1;
}

/** Undefined for invalid JSON; at the end of the text an empty open value. */
function readValue(cursor: Cursor, depth: number): PartialJson | undefined {
  skipBlanks(cursor);
  const first = cursor.text[cursor.at];
  if (first === undefined) return { kind: "scalar", text: "", open: true };
  return once(cursor, () => {
    if (first === '"') return readText(cursor);
    if (first !== "{" && first !== "[") return readScalar(cursor);
    return depth < deepest ? readMembers(cursor, depth, first === "{") : readWritten(cursor);
  });
}

/** Returns the result of `read` at the cursor; reuses it if it is already known. */
function once(cursor: Cursor, read: () => PartialJson | undefined): PartialJson | undefined {
  const from = cursor.at;
  const known = cursor.ended?.get(from);
  if (known !== undefined) {
    cursor.at = known.to;
    return known.value;
  }
  const value = read();
  if (value?.open === false) cursor.ended?.set(from, { value, to: cursor.at });
  return value;
}

/** Returns an object or a list verbatim, at any depth, up to the bracket that closes it. */
function readWritten(cursor: Cursor): PartialJson {
  const { text } = cursor;
  const from = cursor.at;
  let depth = 0;
  let isText = false;
  do {
    const character = text[cursor.at];
    if (isText && character === "\\") cursor.at += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === "{" || character === "[")) depth += 1;
    else if (!isText && (character === "}" || character === "]")) depth -= 1;
    cursor.at += 1;
  } while (depth > 0 && !isAtEnd(cursor));
  cursor.at = Math.min(cursor.at, text.length);
  return { kind: "scalar", text: text.slice(from, cursor.at), open: depth > 0 };
}

/** Reads the content of brackets: pairs of an object, values of a list. */
function readMembers(cursor: Cursor, depth: number, isObject: boolean): PartialJson | undefined {
  const end = isObject ? "}" : "]";
  const entries: (readonly [string, PartialJson])[] = [];
  const whole = (open: boolean): PartialJson =>
    isObject ? { kind: "object", entries, open } : { kind: "list", items: entries.map(([, value]) => value), open };
  cursor.at += 1;
  for (;;) {
    skipBlanks(cursor);
    if (isAtEnd(cursor)) return whole(true);
    if (cursor.text[cursor.at] === end) {
      cursor.at += 1;
      return whole(false);
    }
    if (entries.length > 0) {
      if (cursor.text[cursor.at] !== ",") return undefined;
      cursor.at += 1;
      skipBlanks(cursor);
      if (isAtEnd(cursor)) return whole(true);
    }
    const name = isObject ? readName(cursor) : "";
    if (name === undefined) return undefined;
    if (isObject && isAtEnd(cursor)) return whole(true);
    const value = readValue(cursor, depth + 1);
    if (value === undefined) return undefined;
    entries.push([name, value]);
  }
}

/** Reads the name of a field with its colon. */
function readName(cursor: Cursor): string | undefined {
  if (cursor.text[cursor.at] !== '"') return undefined;
  const name = once(cursor, () => readText(cursor));
  if (name?.kind !== "text") return undefined;
  skipBlanks(cursor);
  if (isAtEnd(cursor)) return name.text;
  if (cursor.text[cursor.at] !== ":") return undefined;
  cursor.at += 1;
  return name.text;
}

function readText(cursor: Cursor): { kind: "text"; text: string; open: boolean } | undefined {
  const { text } = cursor;
  const from = cursor.at + 1;
  let to = from;
  // A truncated escape is left out.
  while (to < text.length && text[to] !== '"' && to + escapeLength(text, to) <= text.length)
    to += escapeLength(text, to);
  const open = text[to] !== '"';
  cursor.at = open ? text.length : to + 1;
  const found = decoded(text.slice(from, to));
  return found === undefined ? undefined : { kind: "text", text: found, open };
}

/** Returns the length of the character at this place in its written form. */
function escapeLength(text: string, at: number): number {
  if (text[at] !== "\\") return 1;
  return text[at + 1] === "u" ? 6 : 2;
}

function decoded(written: string): string | undefined {
  try {
    // Models write line ends into texts unescaped.
    return JSON.parse(`"${written.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`) as string;
  } catch {
    return undefined;
  }
}

function readScalar(cursor: Cursor): PartialJson | undefined {
  const from = cursor.at;
  while (/[-+.\w]/.test(cursor.text[cursor.at] ?? "")) cursor.at += 1;
  const text = cursor.text.slice(from, cursor.at);
  const open = isAtEnd(cursor);
  const isWhole = /^(true|false|null|-?\d+(\.\d+)?([eE][-+]?\d+)?)$/.test(text);
  if (!isWhole && !(open && text !== "")) return undefined;
  return { kind: "scalar", text, open };
}
