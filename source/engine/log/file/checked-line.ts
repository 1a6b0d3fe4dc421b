/** Lines that begin with a checksum of their value, as in the files beside a log. */
import { crc32 } from "node:zlib";
import type { z } from "zod";
import { parsedShallow } from "./event-schema.ts";
import { checkedValue } from "../../text/checked-record.ts";
import { fallback } from "../../work/fallback.ts";

/** Number of characters before the value. */
const head = 9;

export function checkedLine(value: unknown): string {
  const text = JSON.stringify(value);
  return `${crc32(text).toString(16).padStart(8, "0")} ${text}\n`;
}

/** Returns the JSON text of a line without its line feed; undefined if the line is damaged. */
export function textOfLine(line: Buffer): Buffer | undefined {
  if (line.length <= head) return undefined;
  const text = line.subarray(head);
  return line.toString("latin1", 0, head) === `${crc32(text).toString(16).padStart(8, "0")} ` ? text : undefined;
}

/** Returns the value of a line without its line feed; undefined if the line is damaged or does not match the schema. */
export function valueOfLine(line: Buffer, schema: z.ZodType): unknown {
  const text = textOfLine(line);
  const misfit = () => {
    throw new TypeError();
  };
  return text && fallback(() => checkedValue(schema, parsedShallow(text.toString("utf8")), misfit));
}
