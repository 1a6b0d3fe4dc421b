/** Limits on reading untrusted files, unpacked and in total, because a small file may unpack to a thousand times its size. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { DataProblem, MissingFile } from "./json-lines.ts";

const megabyte = 1024 * 1024;
/** Default limit in bytes. */
const usual = 512 * megabyte;
/** Bytes between two progress reports. */
const step = 32 * megabyte;
/** Highest compression ratio of deflate (zlib's technical details). */
const mostDeflated = 1032;

export type ReadLimits = {
  /** Bytes of all files together. */
  readonly most?: number;
  /**
   * Explains how to allow larger files, given the size that would suffice; by default, with the command that imports the file.
   */
  readonly remedy?: (size: string) => string;
  /** Receives progress lines while a file is read. */
  readonly report?: (line: string) => void;
};

const byImport = (size: string) => `\`planwright import --most ${size}\` allows more`;

export class ReadBounds {
  readonly #most: number;
  readonly #remedy: (size: string) => string;
  readonly #report: (line: string) => void;
  /** Unpacked bytes of each file: the declared number, or the actual number if that is larger. */
  readonly #files = new Map<string, number>();

  constructor({ most = usual, report = () => {}, remedy = byImport }: ReadLimits = {}) {
    this.#most = most;
    this.#remedy = remedy;
    this.#report = report;
  }

  /** Throws `DataProblem` if this file, together with the earlier files, declares more bytes than the limit. */
  expect(path: string, bytes: number): void {
    this.#files.set(path, Math.max(bytes, this.#files.get(path) ?? 0));
    const all = this.expected;
    if (all <= this.#most) return;
    const wanted = `${Math.ceil(all / megabyte / 1024)}GB`;
    throw new DataProblem(
      `Expected at most ${inMegabytes(this.#most)} of unpacked data, got ${inMegabytes(all)} with ${path}: ` +
        this.#remedy(wanted),
    );
  }

  /** Bytes of all files so far. */
  get expected(): number {
    return this.#files.values().reduce((sum, each) => sum + each, 0);
  }

  /**
   * Returns a counter of bytes read from the beginning of a file. The counter throws `DataProblem` at the first byte over the
   * limit.
   */
  begin(path: string): (bytes: number) => void {
    const declared = this.#files.get(path) ?? 0;
    let taken = 0;
    return (bytes) => {
      const before = taken;
      taken += bytes;
      if (taken > declared) this.expect(path, taken);
      if (Math.floor(before / step) === Math.floor(taken / step)) return;
      this.#report(`Reading ${basename(path)}: ${inMegabytes(taken)} of ${inMegabytes(Math.max(taken, declared))}`);
    };
  }
}

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / megabyte).toLocaleString("en")} MB`;

/**
 * Returns the declared unpacked size of a file: of a plain file its size, of a gzip file the size at its end, if that is
 * possible. Unpacks nothing. Throws `MissingFile`.
 */
export function declaredSize(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new MissingFile(`Expected a file at ${path}, found none`);
  if (!path.endsWith(".gz") || size < 18) return size;
  const file = openSync(path, "r");
  try {
    // The size is modulo 4 GB; larger files are counted while reading.
    const stated = Buffer.alloc(4);
    readSync(file, stated, 0, 4, size - 4);
    const unpacked = stated.readUInt32LE(0);
    return unpacked <= size * mostDeflated ? Math.max(size, unpacked) : size;
  } finally {
    closeSync(file);
  }
}
