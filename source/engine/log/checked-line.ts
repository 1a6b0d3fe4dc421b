/** Lines of files that are kept beside a log: the checksum of a value, a blank, and the value as JSON. */
import { crc32 } from "node:zlib";

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

/** The value of a line without its line feed; undefined where the line is not what was written. */
export function valueOfLine(line: Buffer): unknown {
  const text = textOfLine(line);
  try {
    return text === undefined ? undefined : JSON.parse(text.toString("utf8"));
  } catch {
    return undefined;
  }
}
