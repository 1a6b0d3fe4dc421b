/**
 * Finds all pairs of points within a cosine distance and unites them, tile by tile, in parallel. Quantised vectors (see
 * quantised.ts) give a lower bound on every distance. The distance itself is computed, from the original vectors in float64,
 * only if the bound does not exclude a pair and its points are not yet in one component. So the result depends neither on
 * quantisation nor on the number of threads or their order.
 */
import { dotTile, inFours, kernelOn, padded, sharedMemory, type Kernel, type SharedMemory } from "./kernel.ts";
import { pairAt, pairCount, arena } from "./kernel.ts";
import { quantise } from "./quantised.ts";
import { tileSide } from "./wasm-module.ts";
import type { Vectors } from "../methods/vectors.ts";

export type TilesShape = {
  readonly rows: number;
  readonly dims: number;
  /** Number of eps values, each with a union-find forest of its own. */
  readonly forests: number;
  readonly threads: number;
};

/** Rows and columns of a tile. */
const tileSize = 128;
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
  readonly values: Float32Array;
  readonly norms: Float64Array;
  /** Unit vectors quantised to 16 bits. */
  readonly shortsAt: number;
  readonly shorts: Int16Array;
  readonly scales: Float64Array;
  readonly errors: Float64Array;
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
    values: memoryLayout.allocate(rows * dims, 4),
    norms: memoryLayout.allocate(rows, 8),
    shorts: memoryLayout.allocate(rows * width, 2),
    scales: memoryLayout.allocate(rows, 8),
    errors: memoryLayout.allocate(rows, 8),
    out: memoryLayout.allocate(threads * 16, 4),
    parents: memoryLayout.allocate(threads * forests * rows, 4),
  };
  const used = memory ?? sharedMemory(memoryLayout.bytes);
  const { buffer } = used;
  return {
    shape,
    kernel: kernelOn(used),
    tileCount: pairCount(Math.ceil(rows / tileSize)),
    control: new Int32Array(buffer, at.control, 2),
    eps: new Float64Array(buffer, at.eps, forests),
    values: new Float32Array(buffer, at.values, rows * dims),
    norms: new Float64Array(buffer, at.norms, rows),
    shortsAt: at.shorts,
    shorts: new Int16Array(buffer, at.shorts, rows * width),
    scales: new Float64Array(buffer, at.scales, rows),
    errors: new Float64Array(buffer, at.errors, rows),
    outAt: at.out,
    out: new Int32Array(buffer, at.out, threads * 16),
    parents: new Int32Array(buffer, at.parents, threads * forests * rows),
  };
}

/** Copies one vector and quantises it. Throws on a vector of zeros. */
export function setRow(tiles: NeighbourTiles, { dims, values }: Vectors, row: number): void {
  for (let at = row * dims; at < (row + 1) * dims; at++) tiles.values[at] = values[at]!;
  const squares = dotOf(tiles.values, row * dims, row * dims, dims);
  if (squares === 0) throw new RangeError(`Row ${row} contains only zeros, so it has no cosine distance`);
  const norm = (tiles.norms[row] = Math.sqrt(squares));
  const width = padded(dims);
  const unit = new Float32Array(width);
  for (let column = 0, at = row * dims; column < dims; column++, at++) unit[column] = tiles.values[at]! / norm;
  const { scale, error } = quantise(unit, 0, tiles.shorts, row * width, width, largestFor(width));
  tiles.scales[row] = scale;
  tiles.errors[row] = error;
}

/** Returns the largest integer of quantised rows whose dot products fit into 32 bits, and which fits into 16 itself. */
const largestFor = (width: number): number => Math.min(2 ** 15 - 1, Math.floor(Math.sqrt((2 ** 31 - 1) / width)));

/** Compares the points of one more tile; returns false if no tile is left. */
export function compareNextTile(tiles: NeighbourTiles, thread: number): boolean {
  const { control, shape, tileCount } = tiles;
  const tile = Atomics.add(control, tileSlot.next, 1);
  if (tile >= tileCount) return false;
  const { down, across } = pairAt(tile);
  const range = (from: number) => [from, Math.min(shape.rows, from + tileSize)] as const;
  compare(tiles, range(down * tileSize), range(across * tileSize), thread);
  Atomics.add(control, tileSlot.done, 1);
  return true;
}

type Range = readonly [from: number, to: number];

/** Compares these rows with the rows of the preceding columns, four by four. */
function compare(tiles: NeighbourTiles, [first, last]: Range, [left, right]: Range, thread: number): void {
  const { eps, errors, kernel, outAt, scales, shape, shortsAt } = tiles;
  const widest = eps[0]!;
  const bytes = padded(shape.dims) * 2;
  const addresses = ([from, to]: Range) =>
    inFours(Array.from({ length: to - from }, (_, index) => shortsAt + (from + index) * bytes));
  const rows = addresses([first, last]);
  const columns = addresses([left, right]);
  const out = tiles.out.subarray(thread * 16, thread * 16 + 16);
  for (let column = left; column < right; column += tileSide) {
    for (let row = first; row < last; row += tileSide) {
      if (row + tileSide <= column) continue;
      dotTile(kernel.quantisedTile, rows, row - first, columns, column - left, bytes, outAt + thread * 64);
      for (let one = row; one < Math.min(last, row + tileSide); one++) {
        const slack = errors[one]! + margin;
        for (let other = column; other < Math.min(right, column + tileSide, one); other++) {
          const dot = out[(one - row) * tileSide + other - column]! * scales[one]! * scales[other]!;
          const least = 1 - dot - (1 + errors[one]!) * errors[other]! - slack;
          if (least <= widest) unionIfNear(tiles, one, other, least, thread);
        }
      }
    }
  }
}

/** Unites two points, at a distance of at least `least`, in every forest whose eps is at least their distance. */
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

/** Returns the root of every point for one eps: the forests of all threads merged. */
export function components({ parents, shape }: NeighbourTiles, forest: number): Int32Array {
  const { forests, rows, threads } = shape;
  const start = forest * rows;
  for (let thread = 1; thread < threads; thread++) {
    const other = (thread * forests + forest) * rows;
    for (let row = 0; row < rows; row++) union(parents, start, row, parents[other + row]!);
  }
  return Int32Array.from({ length: rows }, (_, row) => rootOf(parents, start, row));
}

function dotOf(values: Float32Array, a: number, b: number, dims: number): number {
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

/** Returns the root of a member's tree in the forest that begins at `start`, with path halving. */
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
