/** Reads the bytes of a log from its file or from its packed form. Threads that compare bytes load nothing else. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Stretch } from "./log-index.ts";
import { packedPath, packedSize, packedStretches } from "./packed-log.ts";

/** Maximum number of bytes per read, because a log of gigabytes must not become one string. */
const chunkSize = 1024 * 1024;
/** Number of bytes in the first read. It is small because often only the first line is needed, or the log is short. */
const firstSize = 16 * 1024;

/** Returns the length of a log in bytes, packed or not; undefined if the log does not exist. */
export function logSize(path: string): number | undefined {
  const plain = statSync(path, { throwIfNoEntry: false });
  if (plain !== undefined) return plain.size;
  return existsSync(packedPath(path)) ? packedSize(path) : undefined;
}

/**
 * Yields every complete line from a position on, including its line feed; omits an incomplete last line. Later lines overwrite
 * the memory of earlier lines. Yields nothing if the file does not exist.
 */
export function* logLines(path: string, from = 0): Generator<Buffer> {
  let begun: Buffer[] = [];
  for (const chunk of stretches(path, from)) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const rest = chunk.subarray(start, end + 1);
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(Buffer.from(chunk.subarray(start)));
  }
}

/** Reads these bytes of a log; returns fewer bytes if the log ends earlier. */
export function readBytes(path: string, from: number, to: number): Buffer {
  const plain = readPlain(path, from, to);
  if (plain !== undefined) return plain;
  const pieces: Buffer[] = [];
  let left = to - from;
  for (const piece of stretches(path, from)) {
    const own = Buffer.from(piece.subarray(0, left));
    pieces.push(own);
    left -= own.length;
    if (left === 0) break;
  }
  return Buffer.concat(pieces);
}

/** Undefined if there is no such file. */
function readPlain(path: string, from: number, to: number): Buffer | undefined {
  const file = openedFile(path);
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(to, fstatSync(file).size) - from));
    let length = 0;
    for (let read = -1; length < bytes.length && read !== 0; length += read)
      read = readSync(file, bytes, length, bytes.length - length, from + length);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

function openedFile(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}

/** Returns the CRC-32 of these bytes of a log, which are read into `memory`. */
export function checksumOfBytes(path: string, { from, to }: Stretch, memory: Buffer<ArrayBuffer>): number {
  let [crc, left] = [0, to - from];
  for (const piece of stretches(path, from, memory.subarray(0, left))) {
    const own = piece.subarray(0, left);
    crc = crc32(own, crc);
    left -= own.length;
    if (left === 0) break;
  }
  return crc;
}

/** Yields the bytes of a log from a position on, piece by piece, in reused memory: first `chunk`, later more at a time. */
function* stretches(path: string, from: number, chunk = Buffer.allocUnsafe(firstSize)): Generator<Buffer> {
  if (!existsSync(path)) {
    if (existsSync(packedPath(path))) yield* packedStretches(path, from);
    return;
  }
  const file = openSync(path, "r");
  try {
    for (let position = from; ;) {
      const read = readSync(file, chunk, 0, chunk.length, position);
      if (read === 0) return;
      position += read;
      yield chunk.subarray(0, read);
      if (read === chunk.length && read < chunkSize) chunk = Buffer.allocUnsafe(Math.min(chunkSize, 4 * chunk.length));
    }
  } finally {
    closeSync(file);
  }
}
