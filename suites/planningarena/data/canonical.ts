/** Canonical spelling of values, so that '20.70' equals 20.7, and a date equals itself in another notation. */
import { isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { readDate } from "./calendar.ts";

/** Maximum depth of a value; deeper values are truncated, and no tool uses them. */
const maxDepth = 64;

/**
 * Returns the canonical text of a value: dates as ISO, numbers in shortest decimal form, other text in lower case with
 * single spaces.
 */
export function canon(value: Json): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return decimal(value);
  if (typeof value !== "string") return sortedJson(value, 0);
  const text = collapsed(value);
  return readDate(text) ?? numberForm(text) ?? text.toLowerCase();
}

/** Collapses white space to single spaces and trims. */
export const collapsed = (text: string): string => (uneven.test(text) ? text.replace(/\s+/g, " ") : text).trim();

/** White space that is not a single space. */
const uneven = /[^\S ]|  /;

/** Returns a plain decimal number in canonical form; longer digit strings are identifiers, not numbers. */
function numberForm(text: string): string | undefined {
  if (text.length > 15 || !/^-?\d+(?:\.\d+)?$/.test(text) || /^-?0\d/.test(text)) return undefined;
  return decimal(Number(text));
}

function decimal(value: number): string {
  if (value === 0) return "0";
  const text = String(value);
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (parts === null) return text;
  const digits = parts[2]! + (parts[3] ?? "");
  const power = Number(parts[4]);
  const written = power < 0 ? `0.${"0".repeat(-power - 1)}${digits}` : digits.padEnd(power + 1, "0");
  return parts[1]! + written;
}

function sortedJson(value: Json, depth: number): string {
  if (depth > maxDepth) return "null";
  if (Array.isArray(value))
    return `[${(value as readonly Json[]).map((item) => sortedJson(item, depth + 1)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key]!, depth + 1)}`).join(",")}}`;
}

/** Returns the scalars in a value, in order. Not recursive, so any depth is safe. */
export function leavesOf(value: Json): Exclude<Json, object>[] {
  const leaves: Exclude<Json, object>[] = [];
  const open: Json[] = [value];
  while (open.length > 0) {
    const next = open.pop()!;
    if (next === null || typeof next !== "object") leaves.push(next);
    else for (const item of Object.values(next).reverse()) open.push(item);
  }
  return leaves;
}
