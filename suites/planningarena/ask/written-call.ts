/** Writes calls and results the way the reference dialogues do: `Tool({'key': 'value'})`. */
import { isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";

/** A call with an object of arguments (or a result's fields). Reading it back gives the same values. */
export function writtenCall(tool: string, args: { readonly [name: string]: Json }): string {
  return `${tool}(${writtenLiteral(args)})`;
}

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
