/** Lines of files that are kept beside a log: the checksum of a value, a blank, and the value as JSON. */
import { crc32 } from "node:zlib";
import type { z } from "zod";
import { parsedShallow } from "./event-schema.ts";
import { checkedValue } from "../../text/checked-record.ts";

/** Characters before the value. */
const head = 9;

export function checkedLine(value: unknown): string {
  const text = JSON.stringify(value);
  return `${crc32(text).toString(16).padStart(8, "0")} ${text}\n`;
}

/** The JSON text of a line without its line feed; undefined where the line is not what was written. */
export function textOfLine(line: Buffer): Buffer | undefined {
  if (line.length <= head) return undefined;
  const text = line.subarray(head);
  return line.toString("latin1", 0, head) === `${crc32(text).toString(16).padStart(8, "0")} ` ? text : undefined;
}

/** The value of a line without its line feed; undefined where the line is not what was written, or does not fit the schema. */
export function valueOfLine(line: Buffer, schema: z.ZodType): unknown {
  const text = textOfLine(line);
  if (text === undefined) return undefined;
  try {
    return checkedValue(schema, parsedShallow(text.toString("utf8")), () => {
      throw new TypeError();
    });
  } catch {
    return undefined;
  }
}
