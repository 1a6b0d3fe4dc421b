/**
 * Finds all pairs of points within a cosine distance and unites them, tile by tile, in parallel. Quantised vectors (see
 * quantised.ts) give a lower bound on every distance. The distance itself is computed only where the bound does not
 * exclude a pair and its points are not yet in one component, from the original vectors in float64. So the result depends
 * neither on quantisation nor on the number of threads or their order.
 */
import { arena } from "./arena.ts";
import { largestByte, largestShort, mostDims, quantise } from "./quantised.ts";
import { dotNext, kernelOn, padded, sharedMemory, type Kernel, type SharedMemory } from "./kernel.ts";
import type { Vectors } from "../methods/vectors.ts";

export type TilesShape = {
  readonly rows: number;
  readonly dims: number;
  /** Number of eps values, each with a union-find forest of its own. */
  readonly forests: number;
  readonly threads: number;
};

/** Rows and columns of a tile, and the columns that stay in the L1 cache while all rows are compared with them. */
const tileSize = 128;
const columnsAtOnce = 20;
/** Exceeds the rounding errors of float32 unit vectors and of the sums in the bound. */
const margin = 1e-6;

export const tileSlot = { next: 0, done: 1 } as const;

export type NeighbourTiles = {
  readonly shape: TilesShape;
  readonly kernel: Kernel;
  readonly tileCount: number;
  readonly control: Int32Array;
  /** Descending. */
  readonly eps: Float64Array;
  /** The original vectors, and their lengths. */
  readonly values: Float64Array;
  readonly norms: Float64Array;
  /** Unit vectors quantised to bytes and to 16 bits. */
  readonly bytesAt: number;
  readonly bytes: Int8Array;
  readonly byteScales: Float64Array;
  readonly byteErrors: Float64Array;
  readonly shortsAt: number;
  readonly shorts: Int16Array;
  readonly shortScales: Float64Array;
  readonly shortErrors: Float64Array;
  readonly outAt: number;
  readonly out: Int32Array;
  /** A union-find forest for every thread and eps, `(thread * forests + eps) * rows + row`. */
  readonly parents: Int32Array;
};

export function tilesFor(shape: TilesShape, memory?: SharedMemory): NeighbourTiles {
  const { rows, dims, forests, threads } = shape;
  const width = padded(dims);
  const memoryLayout = arena();
  const at = {
    control: memoryLayout.allocate(2, 4),
    eps: memoryLayout.allocate(forests, 8),
    values: memoryLayout.allocate(rows * dims, 8),
    norms: memoryLayout.allocate(rows, 8),
    bytes: memoryLayout.allocate(rows * width, 1),
    byteScales: memoryLayout.allocate(rows, 8),
    byteErrors: memoryLayout.allocate(rows, 8),
    shorts: memoryLayout.allocate(rows * width, 2),
    shortScales: memoryLayout.allocate(rows, 8),
    shortErrors: memoryLayout.allocate(rows, 8),
    out: memoryLayout.allocate(threads * 16, 4),
    parents: memoryLayout.allocate(threads * forests * rows, 4),
  };
  const used = memory ?? sharedMemory(memoryLayout.bytes);
  const { buffer } = used;
  const across = Math.ceil(rows / tileSize);
  return {
    shape,
    kernel: kernelOn(used),
    tileCount: (across * (across + 1)) / 2,
    control: new Int32Array(buffer, at.control, 2),
    eps: new Float64Array(buffer, at.eps, forests),
    values: new Float64Array(buffer, at.values, rows * dims),
    norms: new Float64Array(buffer, at.norms, rows),
    bytesAt: at.bytes,
    bytes: new Int8Array(buffer, at.bytes, rows * width),
    byteScales: new Float64Array(buffer, at.byteScales, rows),
    byteErrors: new Float64Array(buffer, at.byteErrors, rows),
    shortsAt: at.shorts,
    shorts: new Int16Array(buffer, at.shorts, rows * width),
    shortScales: new Float64Array(buffer, at.shortScales, rows),
    shortErrors: new Float64Array(buffer, at.shortErrors, rows),
    outAt: at.out,
    out: new Int32Array(buffer, at.out, threads * 16),
    parents: new Int32Array(buffer, at.parents, threads * forests * rows),
  };
}

/** Copies one vector and quantises it. Throws on a vector of zeros. */
export function setRow(tiles: NeighbourTiles, { dims, values }: Vectors, row: number): void {
  for (let at = row * dims; at < (row + 1) * dims; at++) tiles.values[at] = values[at]!;
  const squares = dotOf(tiles.values, row * dims, row * dims, dims);
  if (squares === 0) throw new RangeError(`Row ${row} is all zeros: cosine distance is undefined for it`);
  const norm = (tiles.norms[row] = Math.sqrt(squares));
  const width = padded(dims);
  const unit = new Float32Array(width);
  for (let column = 0, at = row * dims; column < dims; column++, at++) unit[column] = tiles.values[at]! / norm;
  const bytes = quantise(unit, 0, tiles.bytes, row * width, width, largestByte);
  tiles.byteScales[row] = bytes.scale;
  tiles.byteErrors[row] = bytes.error;
  const shorts = quantise(unit, 0, tiles.shorts, row * width, width, largestShort);
  tiles.shortScales[row] = shorts.scale;
  tiles.shortErrors[row] = shorts.error;
}

/** Compares the points of one more tile; false when none is left. */
export function compareNextTile(tiles: NeighbourTiles, thread: number): boolean {
  const { control, shape, tileCount } = tiles;
  const tile = Atomics.add(control, tileSlot.next, 1);
  if (tile >= tileCount) return false;
  let down = Math.floor((Math.sqrt(8 * tile + 1) - 1) / 2);
  while (((down + 1) * (down + 2)) / 2 <= tile) down += 1;
  while ((down * (down + 1)) / 2 > tile) down -= 1;
  const first = down * tileSize;
  const left = (tile - (down * (down + 1)) / 2) * tileSize;
  const last = Math.min(shape.rows, first + tileSize);
  const right = Math.min(shape.rows, left + tileSize);
  const width = padded(shape.dims);
  for (let from = left; from < right; from += columnsAtOnce) {
    const to = Math.min(right, from + columnsAtOnce);
    const columns = Array.from({ length: to - from }, (_, index) => tiles.shortsAt + (from + index) * width * 2);
    for (let row = Math.max(first, from + 1); row < last; row++)
      compare(tiles, row, from, Math.min(to, row), columns, thread);
  }
  Atomics.add(control, tileSlot.done, 1);
  return true;
}

/** Compares one row with the columns from `from` to `to`. */
function compare(
  tiles: NeighbourTiles,
  row: number,
  from: number,
  to: number,
  columns: readonly number[],
  thread: number,
): void {
  const { byteErrors, byteScales, bytesAt, eps, kernel, outAt, out, shape, shortErrors, shortScales } = tiles;
  const widest = eps[0]!;
  if (shape.dims > mostDims) {
    for (let other = from; other < to; other++) unionIfNear(tiles, row, other, -1, thread);
    return;
  }
  const width = padded(shape.dims);
  const address = bytesAt + row * width;
  const scale = byteScales[row]!;
  const error = byteErrors[row]!;
  for (let done = 0; done < to - from;) {
    const some = dotNext(kernel.quantisedDots, address, columns, done, to - from, address + width, outAt + thread * 64);
    for (let index = 0; index < some; index++) {
      const other = from + done + index;
      const dot = out[thread * 16 + index]! * scale * shortScales[other]!;
      const least = 1 - dot - (1 + error) * shortErrors[other]! - error - margin;
      if (least <= widest) unionIfNear(tiles, row, other, least, thread);
    }
    done += some;
  }
}

/** Unites two points, at least `least` apart, in every forest whose eps is at least their distance. */
function unionIfNear(
  { eps, norms, parents, shape, values }: NeighbourTiles,
  a: number,
  b: number,
  least: number,
  thread: number,
): void {
  const { dims, forests, rows } = shape;
  let narrowest = forests - 1;
  while (eps[narrowest]! < least) narrowest -= 1;
  const first = thread * forests * rows;
  // Points united for one eps are united for every larger one.
  if (rootOf(parents, first + narrowest * rows, a) === rootOf(parents, first + narrowest * rows, b)) return;
  const distance = 1 - dotOf(values, a * dims, b * dims, dims) / (norms[a]! * norms[b]!);
  for (let forest = 0; forest < forests && distance <= eps[forest]!; forest++) {
    union(parents, first + forest * rows, a, b);
  }
}

/** The root of every point for one eps: the forests of all threads merged. */
export function components({ parents, shape }: NeighbourTiles, forest: number): Int32Array {
  const { forests, rows, threads } = shape;
  const start = forest * rows;
  for (let thread = 1; thread < threads; thread++) {
    const other = (thread * forests + forest) * rows;
    for (let row = 0; row < rows; row++) union(parents, start, row, parents[other + row]!);
  }
  return Int32Array.from({ length: rows }, (_, row) => rootOf(parents, start, row));
}

function dotOf(values: Float64Array, a: number, b: number, dims: number): number {
  let first = 0;
  let second = 0;
  let index = 0;
  for (; index + 1 < dims; index += 2) {
    first += values[a + index]! * values[b + index]!;
    second += values[a + index + 1]! * values[b + index + 1]!;
  }
  if (index < dims) first += values[a + index]! * values[b + index]!;
  return first + second;
}

/** The root of a member's tree in the forest that begins at `start`, with path halving. */
function rootOf(parents: Int32Array, start: number, member: number): number {
  while (parents[start + member] !== member) {
    parents[start + member] = parents[start + parents[start + member]!]!;
    member = parents[start + member]!;
  }
  return member;
}

function union(parents: Int32Array, start: number, a: number, b: number): void {
  const first = rootOf(parents, start, a);
  const second = rootOf(parents, start, b);
  if (first !== second) parents[start + Math.max(first, second)] = Math.min(first, second);
}
