/** A large file that is read piece by piece, and kept in memory in packed blocks, of which only those in use are unpacked. */
import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** `ends`: exclusive ends of the packed blocks in `packed`. Each block has `blockSize` bytes of the file, the last one the rest. */
export type PackedBytes = { readonly packed: Uint8Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> };

/** It takes 40 microseconds to unpack one. */
export const blockSize = 64 * 1024;
/** Number of blocks that stay unpacked: as many runs can read at different places. */
export const unpackedBlocks = 8;
export const pieceSize = 16 * blockSize;
const lineFeed = 10;
/** The fastest level; buffers of the usual size would be mostly empty. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 4096 };

export class FilePieces implements Disposable {
  /** The piece in memory, which begins at the byte `from` of the file. */
  bytes = Buffer.alloc(0);
  from = 0;
  readonly blocks = new PackedBlocks();
  readonly #file: number;
  readonly #size: number;
  /** Lines before this byte of the file are UTF-8. */
  #valid = 0;

  /** Reads the first `size` bytes. */
  constructor(path: string, size: number) {
    this.#file = openSync(path, "r");
    this.#size = size;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  /**
   * Reads on, and drops the bytes of the piece before `keep`, an index in it. Returns false at the end of the file. Throws
   * `RangeError` if the file is not UTF-8.
   */
  next(keep: number): boolean {
    const [kept, end] = [this.bytes.length - keep, this.from + this.bytes.length];
    // At least as much as is kept, so that a long record is not copied again and again.
    const most = Math.min(pieceSize * Math.max(1, Math.ceil(kept / pieceSize)), this.#size - end);
    const bytes = Buffer.allocUnsafeSlow(kept + most);
    this.bytes.copy(bytes, 0, keep);
    let read = 0;
    for (let more = 1; more > 0 && read < most; read += more)
      more = readSync(this.#file, bytes, kept + read, most - read, end + read);
    if (read === 0) return false;
    this.blocks.add(bytes.subarray(kept, kept + read));
    [this.bytes, this.from] = [bytes.subarray(0, kept + read), this.from + keep];
    this.#check(end + read === this.#size ? this.bytes.length : this.bytes.lastIndexOf(lineFeed));
    return true;
  }

  #check(to: number): void {
    if (to < this.#valid - this.from) return;
    if (!isUtf8(this.bytes.subarray(this.#valid - this.from, to))) throw new RangeError("Expected UTF-8");
    this.#valid = this.from + to;
  }

  /** Returns the text of bytes that were read before. */
  text(from: number, to: number): string {
    const bytes = Buffer.allocUnsafe(to - from);
    readSync(this.#file, bytes, 0, bytes.length, from);
    return bytes.toString();
  }
}

export class PackedBlocks {
  readonly #blocks: Uint8Array[] = [];

  /** Packs bytes, a multiple of `blockSize` unless they are the last ones. */
  add(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += blockSize)
      this.#blocks.push(Uint8Array.from(zstdCompressSync(bytes.subarray(from, from + blockSize), options)));
  }

  /** Returns all blocks as one array, which another thread can take over. */
  whole(): PackedBytes {
    let end = 0;
    const ends = Uint32Array.from(this.#blocks, ({ length }) => (end += length));
    const packed = new Uint8Array(end);
    for (const [at, block] of this.#blocks.entries()) packed.set(block, ends[at]! - block.length);
    return { packed, ends };
  }
}

export class UnpackedText {
  readonly #bytes: PackedBytes;
  /** The last used block is the last one. */
  readonly #blocks = new Map<number, Buffer>();

  constructor(bytes: PackedBytes) {
    this.#bytes = bytes;
  }

  /** Returns the text of bytes of the file; `to` is exclusive and greater than `from`. */
  text(from: number, to: number): string {
    const first = Math.floor(from / blockSize);
    const start = first * blockSize;
    const count = Math.ceil((to - start) / blockSize);
    const bytes =
      count === 1
        ? this.#block(first)
        : Buffer.concat(Array.from({ length: count }, (_, at) => this.#block(first + at)));
    return bytes.toString("utf8", from - start, to - start);
  }

  #block(at: number): Buffer {
    const { ends, packed } = this.#bytes;
    const block = this.#blocks.get(at) ?? zstdDecompressSync(packed.subarray(ends[at - 1] ?? 0, ends[at]));
    this.#blocks.delete(at);
    this.#blocks.set(at, block);
    if (this.#blocks.size > unpackedBlocks) this.#blocks.delete(this.#blocks.keys().next().value!);
    return block;
  }
}
