/** Access to JSON from a model or a file. */
import type { Json } from "../types.ts";
import { fallback } from "../work/fallback.ts";

export type JsonRecord = { readonly [key: string]: Json };

/** Returns whether a value is a JSON object (not a list, not null). */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns an own field of an object, undefined for anything inherited. */
export const field = (value: Json | undefined, name: string): Json | undefined =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Returns an own field that contains an object; an empty object if there is none. */
export function recordAt(value: Json | undefined, name: string): JsonRecord {
  const found = field(value, name);
  return isRecord(found) ? found : {};
}

/** Returns an own field that contains a list; an empty list if there is none. */
export function listAt(value: Json | undefined, name: string): readonly Json[] {
  const found = field(value, name);
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

/** Returns an own field that contains text; an empty text if there is none. */
export function textAt(value: Json | undefined, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
}

/** Returns a list, or undefined if it is empty, because JSON omits fields without a value. */
export const filledList = <Item>(list: readonly Item[]) => (list.length === 0 ? undefined : list);

/** Parses JSON; undefined if the text is not JSON. */
export const parseJson = (text: string): Json | undefined =>
  // Most replies are no JSON; an error costs more than the look at how a text begins and ends.
  isJsonAtEnds(text) ? fallback(() => JSON.parse(text) as Json) : undefined;

const beginning = /^[ \t\n\r]*(?:["\-\dtfn]|\{[ \t\n\r]*["}]|\[[ \t\n\r]*["\-\dtfn[{\]])/;
const endings: Readonly<Record<string, string>> = { "{": "}", "[": "]", '"': '"' };

/** Returns false if no text that begins and ends like this text is JSON. */
function isJsonAtEnds(text: string): boolean {
  const [begun] = beginning.exec(text) ?? [];
  return begun !== undefined && text.trimEnd().endsWith(endings[begun.trimStart()[0]!] ?? "");
}

/** Returns the JSON object in a reply, which may contain other text around it; undefined if there is no object. */
export function objectIn(reply: string): JsonRecord | undefined {
  const value = parseJson(reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1));
  return isRecord(value) ? value : undefined;
}

/** Returns JSON with sorted keys and without undefined members. */
export function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const object = value as { readonly [key: string]: Json };
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`)
    .join(",")}}`;
}

/** Returns the deepest nesting of brackets outside strings, for a text before it is parsed. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let most = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text[index];
    if (unit === '"') index = stringEnd(text, index);
    else if (unit === "{" || unit === "[") most = Math.max(most, (depth += 1));
    else if (unit === "}" || unit === "]") depth -= 1;
  }
  return most;
}

/** Returns the index of the quote that ends the string whose first quote is at `start`; the text's length if there is none. */
export function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** Returns whether a parsed value is nested more deeply than this; does not search beyond that depth. */
export function nestsDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (most === 0) return true;
  // `for in` is several times slower, most of all over lists.
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    if (typeof item === "object" && item !== null && nestsDeeper(item, most - 1)) return true;
  }
  return false;
}
