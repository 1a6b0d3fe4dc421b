/** JSON as Python's `json.dumps` writes it, which is what models were shown: a space after comma and colon, ASCII only. */
import type { Json } from "../../../source/engine/types.ts";

/** Deeper values are cut: a simulated server may answer with anything. */
const deepest = 100;

export function pythonJson(value: Json, depth = 0): string {
  if (depth > deepest) return '"..."';
  if (Array.isArray(value)) return `[${value.map((item: Json) => pythonJson(item, depth + 1)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${ascii(key)}: ${pythonJson(item, depth + 1)}`);
    return `{${entries.join(", ")}}`;
  }
  return typeof value === "string" ? ascii(value) : JSON.stringify(value);
}

function ascii(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
