/** How much of files from elsewhere is read, unpacked and all together: a small file may unpack to a thousand times its size. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { DataProblem, MissingFile } from "./json-lines.ts";

const megabyte = 1024 * 1024;
/** Bytes, where nobody says otherwise. */
const usual = 512 * megabyte;
/** Bytes between two reports of how far a file is read. */
const step = 32 * megabyte;
/** Deflate packs no text to less than a part in so many (zlib's technical details). */
const mostDeflated = 1032;

export type ReadLimits = {
  /** Bytes of all files together. */
  readonly most?: number;
  /** Gets a line now and then while a file is read. */
  readonly report?: (line: string) => void;
};

export class ReadBounds {
  readonly #most: number;
  readonly #report: (line: string) => void;
  /** Unpacked bytes of each file: as declared, and more where more came. */
  readonly #files = new Map<string, number>();

  constructor({ most = usual, report = () => {} }: ReadLimits = {}) {
    this.#most = most;
    this.#report = report;
  }

  /** Throws `DataProblem` when this file, with those expected before, declares more bytes than are to be read. */
  expect(path: string, bytes: number): void {
    this.#files.set(path, Math.max(bytes, this.#files.get(path) ?? 0));
    const all = this.expected;
    if (all <= this.#most) return;
    const wanted = `${Math.ceil(all / megabyte / 1024)}GB`;
    throw new DataProblem(
      `Expected at most ${inMegabytes(this.#most)} unpacked in all, got ${inMegabytes(all)} with ${path}: ` +
        `\`planwright import --most ${wanted}\` allows more`,
    );
  }

  /** Bytes of all files so far. */
  get expected(): number {
    return this.#files.values().reduce((sum, each) => sum + each, 0);
  }

  /** Counts what is read of a file from its beginning. The counter throws `DataProblem` at the byte that is too many. */
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
 * The bytes a file unpacks to, as it declares: a plain file those it has, a gzip file those its end states, if so many are possible at
 * all. Nothing is unpacked. Throws `MissingFile`.
 */
export function declaredSize(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new MissingFile(`Expected a file at ${path}, found none`);
  if (!path.endsWith(".gz") || size < 18) return size;
  const file = openSync(path, "r");
  try {
    // Of more than 4 GB it states the rest: then the bytes are counted as they come.
    const stated = Buffer.alloc(4);
    readSync(file, stated, 0, 4, size - 4);
    const unpacked = stated.readUInt32LE(0);
    return unpacked <= size * mostDeflated ? Math.max(size, unpacked) : size;
  } finally {
    closeSync(file);
  }
}
