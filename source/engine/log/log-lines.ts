/** The bytes of a log as they lie in the file. */
import { closeSync, existsSync, openSync, readSync } from "node:fs";

/** Bytes read at a time: a log of gigabytes must not become one string. */
const chunkSize = 1024 * 1024;

/**
 * Every complete line from a position on, with its line feed; a torn last line is left out. Each lies in memory that is used
 * again for the next ones. Nothing for a file that is not there.
 */
export function* logLines(path: string, from = 0): Generator<Buffer> {
  if (!existsSync(path)) return;
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(chunkSize);
    let begun: Buffer[] = [];
    for (let position = from; ;) {
      const size = readSync(file, chunk, 0, chunkSize, position);
      if (size === 0) return;
      position += size;
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0 && end < size; end = chunk.indexOf(10, start)) {
        const rest = chunk.subarray(start, end + 1);
        yield begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
        begun = [];
        start = end + 1;
      }
      if (start < size) begun.push(Buffer.from(chunk.subarray(start, size)));
    }
  } finally {
    closeSync(file);
  }
}

/** These bytes of a file; fewer where it ends before. */
export function readBytes(path: string, from: number, to: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(to - from);
    let length = 0;
    for (let size = 1; size > 0 && length < bytes.length; length += size)
      size = readSync(file, bytes, length, bytes.length - length, from + length);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
