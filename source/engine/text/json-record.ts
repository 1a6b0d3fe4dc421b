/** Access to JSON from a model or a file. */
import type { Json } from "../types.ts";

export type JsonRecord = { readonly [key: string]: Json };

/** Whether a value is a JSON object (not a list, not null). */
export function isRecord(value: Json | undefined): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own field of an object, undefined for anything inherited. */
export function field(value: Json | undefined, name: string): Json | undefined {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An own field that holds an object; empty where there is none. */
export function recordAt(value: Json | undefined, name: string): JsonRecord {
  const found = field(value, name);
  return isRecord(found) ? found : {};
}

/** An own field that holds a list; empty where there is none. */
export function listAt(value: Json | undefined, name: string): readonly Json[] {
  const found = field(value, name);
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

/** An own field that holds text; empty where there is none. */
export function textAt(value: Json | undefined, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
}

/** Parses JSON; undefined where the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
