/** The bytes of a file that may be plain, gzipped, or the only entry of a zip archive. */
import type { FileHandle } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream";
import { createGunzip, createInflateRaw } from "node:zlib";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const CHUNK = 1 << 18;

/** Streams the content of `path`, by its name's ending. Throws `DataProblem` naming the file when it is damaged. */
export async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* (await sourceOf(path)) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof DataProblem || (error as Error).name === "AbortError") throw error;
    throw new DataProblem(`Expected ${path} to be a complete, readable file: ${(error as Error).message}`);
  }
}

async function sourceOf(path: string): Promise<Readable> {
  const settings = { highWaterMark: CHUNK };
  if (path.endsWith(".gz")) return through(createReadStream(path, settings), createGunzip({ chunkSize: CHUNK }));
  if (!path.endsWith(".zip")) return createReadStream(path, settings);
  const { method, start, size } = await onlyEntry(path);
  const packed = createReadStream(path, { ...settings, start, end: start + size - 1 });
  return method === 0 ? packed : through(packed, createInflateRaw({ chunkSize: CHUNK }));
}

/** Errors of the file reach whoever reads the unpacked stream. */
function through(file: Readable, unpack: Transform): Readable {
  return pipeline(file, unpack, () => {});
}

/** Where the data of the archive's only file lies (macOS's side files are ignored). Archives over 4 GB are not taken. */
async function onlyEntry(path: string): Promise<{ method: number; start: number; size: number }> {
  const file = await open(path);
  try {
    const { size: length } = await file.stat();
    const tail = await bytesOf(file, Math.max(0, length - 65_557), length);
    const at = lastEndRecord(tail);
    if (at === -1) throw new DataProblem(`Expected ${path} to be a zip archive, found no directory at its end`);
    const directory = await bytesOf(
      file,
      tail.readUInt32LE(at + 16),
      tail.readUInt32LE(at + 16) + tail.readUInt32LE(at + 12),
    );
    const entries = entriesOf(directory).filter(({ name }) => !name.endsWith("/") && !name.startsWith("__MACOSX/"));
    const [entry] = entries;
    if (entry === undefined || entries.length > 1) {
      throw new DataProblem(`Expected one file in ${path}, found ${entries.length}`);
    }
    if (entry.method !== 0 && entry.method !== 8) {
      throw new DataProblem(`Expected ${path} to be stored or deflated, got compression method ${entry.method}`);
    }
    const local = await bytesOf(file, entry.offset, entry.offset + 30);
    if (local.length < 30 || local.readUInt32LE(0) !== LOCAL_ENTRY) {
      throw new DataProblem(`Expected ${path} to be a complete zip archive, found no entry where its directory says`);
    }
    const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    return { method: entry.method, start, size: entry.size };
  } finally {
    await file.close();
  }
}

type Entry = { readonly name: string; readonly method: number; readonly size: number; readonly offset: number };

function entriesOf(directory: Buffer): readonly Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === DIRECTORY_ENTRY;) {
    const nameLength = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString("utf8", at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      size: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

function lastEndRecord(tail: Buffer): number {
  for (let at = tail.length - 22; at >= 0; at--) if (tail.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  return -1;
}

async function bytesOf(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, Math.min(to - from, 1 << 24)));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  return bytes.subarray(0, bytesRead);
}
