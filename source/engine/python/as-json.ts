/** Converts Python values to JSON. */
import type { Json } from "../types.ts";
import { isList, type PythonDict, type PythonText, type PythonValue } from "./value.ts";

/**
 * Converts tuples to lists, ints and floats to numbers, keys that are not strings to the JSON of their value. Undefined if a
 * part has no JSON form: sets, `...`, infinite numbers.
 */
export function asJson(value: PythonValue): Json | undefined {
  if (typeof value === "bigint") return finite(Number(value));
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return listAsJson(value);
  switch (value.kind) {
    case "float":
      return finite(value.value);
    case "text":
      return joined(value);
    case "tuple":
      return listAsJson(value.items);
    case "dict":
      return dictAsJson(value);
    case "set":
    case "ellipsis":
      return undefined;
    default:
      return value satisfies never;
  }
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

/** Surrogates that Python keeps as two code points become one character in JSON. */
function joined({ codes }: PythonText): string {
  let text = "";
  for (const code of codes) text += String.fromCodePoint(code);
  return text;
}

function listAsJson(items: readonly PythonValue[]): Json | undefined {
  const list: Json[] = [];
  for (const item of items) {
    const json = asJson(item);
    if (json === undefined) return undefined;
    list.push(json);
  }
  return list;
}

function dictAsJson({ entries }: PythonDict): Json | undefined {
  const pairs: [string, Json][] = [];
  for (const entry of entries.values()) {
    const key = asJson(entry.key);
    const json = asJson(entry.value);
    if (key === undefined || json === undefined) return undefined;
    pairs.push([typeof key === "string" ? key : JSON.stringify(key), json]);
  }
  return Object.fromEntries(pairs);
}
