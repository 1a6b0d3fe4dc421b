/** The inner loops over rows of shared memory: dot products and squared distances. */
import { bytesPerStep, clusteringModule, mostByteColumns, numbersPerStep, tileSide } from "./wasm-module.ts";

/** Memory that worker threads can share; it can be posted to them. */
export type SharedMemory = { readonly buffer: SharedArrayBuffer };
type Module = { readonly [Symbol.toStringTag]: string };
/** The part of WebAssembly used here; its types are part of the DOM library, which this program does not load. */
type WebAssemblyPart = {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory;
  Module: new (bytes: Uint8Array<ArrayBuffer>) => Module;
  Instance: new (module: Module, imports: { env: { memory: SharedMemory } }) => { exports: Record<string, unknown> };
};
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WebAssemblyPart };

export type Dots = (row: number, ...addresses: number[]) => void;
export type ByteDots = (row: number, columns: number, end: number, out: number) => void;

/** Parameters: row 1 ... row 4, column 1 ... column 4, end of row 1, out. */
export type Tile = (...addresses: number[]) => void;

export type Kernel = {
  readonly memory: SharedMemory;
  /** `dots[n - 1](row, column 1 ... column n, end of row, out)`; see wasm-module.ts. */
  readonly dots: readonly Dots[];
  /** `byteDots[n - 1](row, n columns, end of row, out)`, for rows of bytes. */
  readonly byteDots: readonly ByteDots[];
  /** Dot products of four rows with four columns of floats, and of 16-bit integers. */
  readonly tile: Tile;
  readonly quantisedTile: Tile;
  squared(row: number, column: number, end: number): number;
};

const pageBytes = 65_536;
let compiled: Module | undefined;

/** Throws for more than 4 GB. */
export function sharedMemory(bytes: number): SharedMemory {
  const pages = Math.ceil(bytes / pageBytes);
  if (pages > 65_535) {
    throw new RangeError(
      `Expected vectors and centres to fit into 4 GB, got ${Math.round(bytes / 2 ** 20)} MB; use fewer vectors or dimensions`,
    );
  }
  return new wasm.Memory({ initial: pages, maximum: pages, shared: true });
}

export function kernelOn(memory: SharedMemory): Kernel {
  compiled ??= new wasm.Module(clusteringModule());
  const { exports } = new wasm.Instance(compiled, { env: { memory } });
  return {
    memory,
    dots: [1, 2, 3, 4, 5].map((width) => exports[`dots${width}`] as Dots),
    byteDots: Array.from({ length: mostByteColumns }, (_, index) => exports[`byteDots${index + 1}`] as ByteDots),
    tile: exports["tile"] as Tile,
    quantisedTile: exports["quantisedTile"] as Tile,
    squared: exports["squared"] as Kernel["squared"],
  };
}

/** Returns the number of values per row, padded for the kernel. */
export const padded = (dims: number): number => Math.ceil(dims / numbersPerStep) * numbersPerStep;

/** Returns the number of bytes per row of bytes, padded for the kernel. */
export const paddedBytes = (dims: number): number => Math.ceil(dims / bytesPerStep) * bytesPerStep;

/** Computes dot products of a row with up to 5 of the columns from `from` to `count`; returns how many. */
export function dotNext(
  functions: readonly Dots[],
  row: number,
  columns: ArrayLike<number>,
  from: number,
  count: number,
  end: number,
  out: number,
): number {
  const a = columns[from]!;
  const b = columns[from + 1]!;
  const c = columns[from + 2]!;
  const d = columns[from + 3]!;
  switch (count - from) {
    case 1:
      functions[0]!(row, a, end, out);
      return 1;
    case 2:
      functions[1]!(row, a, b, end, out);
      return 2;
    case 3:
      functions[2]!(row, a, b, c, end, out);
      return 3;
    case 4:
      functions[3]!(row, a, b, c, d, end, out);
      return 4;
    default:
      functions[4]!(row, a, b, c, d, columns[from + 4]!, end, out);
      return 5;
  }
}

/** Returns the addresses in groups of four, as tiles need them; repeats the last address to fill the last group. */
export function inFours(addresses: readonly number[]): number[] {
  const missing = -addresses.length & (tileSide - 1);
  return [...addresses, ...Array.from({ length: missing }, () => addresses.at(-1)!)];
}

/**
 * Computes dot products of the four rows from `row` on, of this many bytes each, with the four columns from `column` on: 16 at
 * `out`.
 */
export function dotTile(
  tile: Tile,
  rows: readonly number[],
  row: number,
  columns: readonly number[],
  column: number,
  bytes: number,
  out: number,
): void {
  tile(
    rows[row]!,
    rows[row + 1]!,
    rows[row + 2]!,
    rows[row + 3]!,
    columns[column]!,
    columns[column + 1]!,
    columns[column + 2]!,
    columns[column + 3]!,
    rows[row]! + bytes,
    out,
  );
}

/** Returns the number of pairs of this many tiles. */
export const pairCount = (tiles: number): number => (tiles * (tiles + 1)) / 2;

/** Returns the pair of tiles with this number, from 0 on: a tile, and itself or an earlier tile. */
export function pairAt(index: number): { readonly down: number; readonly across: number } {
  let down = Math.floor((Math.sqrt(8 * index + 1) - 1) / 2);
  while (pairCount(down + 1) <= index) down += 1;
  while (pairCount(down) > index) down -= 1;
  return { down, across: index - pairCount(down) };
}

type Arena = {
  /** Allocates `count` elements of `size` bytes; returns the address. */
  allocate(count: number, size: number): number;
  /** Bytes allocated so far. */
  readonly bytes: number;
};

export function arena(): Arena {
  let bytes = 64;
  return {
    allocate(count, size) {
      const at = bytes;
      bytes += Math.ceil((count * size) / 64) * 64;
      return at;
    },
    get bytes() {
      return bytes;
    },
  };
}
