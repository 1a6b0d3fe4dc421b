/**
 * Reads single files from a zip archive (PKWARE's APPNOTE 6.3.10). Archives are untrusted: no file is ever written under a name
 * in them, and no file is unpacked beyond a size. Supports deflate (8), zstd (93) and stored files (0); rejects encrypted and
 * split archives, and archives of more than 4 GB (zip64).
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { crc32, inflateRawSync, zstdDecompressSync } from "node:zlib";
import { DataProblem } from "./json-lines.ts";

/** Maximum number of bytes of one unpacked file, and of the list of all files. */
const largest = { file: 512 * 1024 * 1024, list: 64 * 1024 * 1024 };

type Entry = {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
};

/** Returns whether a file starts like a zip archive; false if the file does not exist. */
export function isZipFile(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(4);
    readSync(file, start, 0, 4, 0);
    return start.equals(Buffer.from([0x50, 0x4b, 3, 4]));
  } finally {
    closeSync(file);
  }
}

export class ZipFile {
  readonly #path: string;
  readonly #file: number;
  readonly #size: number;
  readonly #entries = new Map<string, Entry>();

  /** Opens an archive, which must be closed later. Throws `DataProblem` naming the file. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "r");
    this.#size = fstatSync(this.#file).size;
    try {
      this.#readList();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Names of the archive's files, in order. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Returns the unpacked bytes that these files declare, together; `read` never returns more for any of them. */
  sizeOf(names: readonly string[]): number {
    return names.reduce((sum, name) => sum + (this.#entries.get(name)?.size ?? 0), 0);
  }

  /** Returns a file's bytes; undefined for an unknown name. Throws `DataProblem` if it cannot be unpacked. */
  read(name: string): Buffer | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { crc, packed, size } = entry;
    if (size > largest.file || packed > largest.file)
      throw this.#problem(`\`${name}\` is larger than ${largest.file / 1024 / 1024} MB`);
    const { method, start } = this.placeOf(name)!;
    const data = this.#bytes(start, packed);
    const bytes = this.#unpacked(name, method, data, size);
    if (bytes.length !== size || crc32(bytes) !== crc)
      throw this.#problem(`\`${name}\` does not match its size and checksum in the archive`);
    return bytes;
  }

  /**
   * Returns the byte range of a file's packed data, for reading it in parts; undefined if the archive does not contain the file.
   */
  placeOf(name: string): { readonly method: number; readonly start: number; readonly packed: number } | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { flags, method, packed, at } = entry;
    if ((flags & 1) !== 0) throw this.#problem(`\`${name}\` is encrypted`);
    const head = this.#bytes(at, 30);
    if (head.readUInt32LE(0) !== 0x04034b50)
      throw this.#problem(`\`${name}\` is not at the offset that the archive's directory gives`);
    return { method, start: at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), packed };
  }

  close(): void {
    closeSync(this.#file);
  }

  #unpacked(name: string, method: number, data: Buffer, size: number): Buffer {
    // One byte more than declared is enough to detect a false declaration.
    const most = size + 1;
    // Unpacked in one piece, because joining pieces would need the memory twice.
    const options = { maxOutputLength: most, chunkSize: Math.max(most, 64) };
    try {
      if (method === 0) return data;
      if (method === 8) return inflateRawSync(data, options);
      if (method === 93) return zstdDecompressSync(data, options);
    } catch (error) {
      throw this.#problem(`\`${name}\` cannot be unpacked (${(error as Error).message})`);
    }
    throw this.#problem(`\`${name}\` is compressed by method ${method}, which cannot be read`);
  }

  #readList(): void {
    const size = this.#size;
    // The end record may be followed by a comment of 64 KB.
    const tail = this.#bytes(Math.max(0, size - 65_557), Math.min(size, 65_557));
    const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
    if (end < 0 || end + 22 > tail.length) throw this.#problem("the list of files at the end is missing");
    const count = tail.readUInt16LE(end + 10);
    const length = tail.readUInt32LE(end + 12);
    const from = tail.readUInt32LE(end + 16);
    if (count === 0xffff || from === 0xffffffff)
      throw this.#problem("archives of more than 65,534 files or 4 GB are not read");
    if (length > largest.list) throw this.#problem("the list of files is too long");
    const list = this.#bytes(from, length);
    for (let at = 0, read = 0; read < count; read++) {
      if (at + 46 > list.length || list.readUInt32LE(at) !== 0x02014b50)
        throw this.#problem("the list of files is broken");
      const [nameLength, extra, comment] = [28, 30, 32].map((offset) => list.readUInt16LE(at + offset)) as [
        number,
        number,
        number,
      ];
      this.#entries.set(list.toString("utf8", at + 46, at + 46 + nameLength), {
        flags: list.readUInt16LE(at + 8),
        method: list.readUInt16LE(at + 10),
        crc: list.readUInt32LE(at + 16),
        packed: list.readUInt32LE(at + 20),
        size: list.readUInt32LE(at + 24),
        at: list.readUInt32LE(at + 42),
      });
      at += 46 + nameLength + extra + comment;
    }
  }

  #bytes(from: number, length: number): Buffer {
    if (from + length > this.#size) throw this.#problem("the archive ends too early");
    const bytes = Buffer.alloc(length);
    if (readSync(this.#file, bytes, 0, length, from) < length) throw this.#problem("the archive ends too early");
    return bytes;
  }

  #problem(what: string): DataProblem {
    return new DataProblem(`Expected a complete zip archive at ${this.#path}: ${what}`);
  }
}
