/**
 * Finding pairs of points within a cosine distance, by tiles that threads share out. Rounded numbers (see coarse.ts) give a
 * lower bound on every distance; only where it does not rule a pair out, and the pair is not joined already by way of
 * others, is the distance computed, from the vectors as they are and in float64. So what is found never depends on the
 * rounding, the number of threads or their order.
 */
import { arena } from "./arena.ts";
import { largestByte, largestShort, mostDims, rounded } from "./coarse.ts";
import { dotSome, kernelOn, padded, sharedMemory, type Kernel, type SharedMemory } from "./kernel.ts";
import type { Vectors } from "../methods/vectors.ts";

export type NearShape = {
  readonly rows: number;
  readonly dims: number;
  /** Distances asked for. */
  readonly forests: number;
  readonly threads: number;
};

/** Rows and columns of a tile, and the columns that stay in the nearest cache while all its rows are compared with them. */
export const tileSize = 128;
const columnsAtOnce = 20;
/** Above the rounding of float32 in unit vectors and of the sums of the bound. */
const margin = 1e-6;

export const place = { next: 0, done: 1 } as const;

export type Near = {
  readonly shape: NearShape;
  readonly kernel: Kernel;
  readonly tiles: number;
  readonly control: Int32Array;
  /** Descending. */
  readonly eps: Float64Array;
  /** The vectors as they are, and their lengths. */
  readonly values: Float64Array;
  readonly norms: Float64Array;
  /** Unit vectors rounded to bytes and to 16 bits. */
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
  /** A forest of joined points for every thread and eps, `(thread * forests + eps) * rows + row`. */
  readonly parents: Int32Array;
};

export function nearFor(shape: NearShape, memory?: SharedMemory): Near {
  const { rows, dims, forests, threads } = shape;
  const width = padded(dims);
  const room = arena();
  const at = {
    control: room.take(2, 4),
    eps: room.take(forests, 8),
    values: room.take(rows * dims, 8),
    norms: room.take(rows, 8),
    bytes: room.take(rows * width, 1),
    byteScales: room.take(rows, 8),
    byteErrors: room.take(rows, 8),
    shorts: room.take(rows * width, 2),
    shortScales: room.take(rows, 8),
    shortErrors: room.take(rows, 8),
    out: room.take(threads * 16, 4),
    parents: room.take(threads * forests * rows, 4),
  };
  const used = memory ?? sharedMemory(room.bytes);
  const { buffer } = used;
  const across = Math.ceil(rows / tileSize);
  return {
    shape,
    kernel: kernelOn(used),
    tiles: (across * (across + 1)) / 2,
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

/** Puts one vector in. Throws on one without a direction. */
export function placeRow(near: Near, { dims, values }: Vectors, row: number): void {
  for (let at = row * dims; at < (row + 1) * dims; at++) near.values[at] = values[at]!;
  const squares = dotOf(near.values, row * dims, row * dims, dims);
  if (squares === 0)
    throw new RangeError(`Expected vectors with a direction for cosine distance, got only zeros in row ${row}`);
  const norm = (near.norms[row] = Math.sqrt(squares));
  const width = padded(dims);
  const unit = new Float32Array(width);
  for (let column = 0, at = row * dims; column < dims; column++, at++) unit[column] = near.values[at]! / norm;
  const bytes = rounded(unit, 0, near.bytes, row * width, width, largestByte);
  near.byteScales[row] = bytes.scale;
  near.byteErrors[row] = bytes.error;
  const shorts = rounded(unit, 0, near.shorts, row * width, width, largestShort);
  near.shortScales[row] = shorts.scale;
  near.shortErrors[row] = shorts.error;
}

/** Compares the points of one more tile; false when none is left. */
export function takeTile(near: Near, thread: number): boolean {
  const { control, shape, tiles } = near;
  const tile = Atomics.add(control, place.next, 1);
  if (tile >= tiles) return false;
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
    const columns = Array.from({ length: to - from }, (_, index) => near.shortsAt + (from + index) * width * 2);
    for (let row = Math.max(first, from + 1); row < last; row++)
      compare(near, row, from, Math.min(to, row), columns, thread);
  }
  Atomics.add(control, place.done, 1);
  return true;
}

/** Compares one row with the columns from `from` to `to`. */
function compare(near: Near, row: number, from: number, to: number, columns: readonly number[], thread: number): void {
  const { byteErrors, byteScales, bytesAt, eps, kernel, outAt, out, shape, shortErrors, shortScales } = near;
  const widest = eps[0]!;
  if (shape.dims > mostDims) {
    for (let other = from; other < to; other++) meet(near, row, other, -1, thread);
    return;
  }
  const width = padded(shape.dims);
  const address = bytesAt + row * width;
  const scale = byteScales[row]!;
  const error = byteErrors[row]!;
  for (let done = 0; done < to - from;) {
    const some = dotSome(kernel.coarse, address, columns, done, to - from, address + width, outAt + thread * 64);
    for (let index = 0; index < some; index++) {
      const other = from + done + index;
      const dot = out[thread * 16 + index]! * scale * shortScales[other]!;
      const least = 1 - dot - (1 + error) * shortErrors[other]! - error - margin;
      if (least <= widest) meet(near, row, other, least, thread);
    }
    done += some;
  }
}

/** Joins two points that are at least `least` apart in every forest whose distance is not below their own. */
function meet({ eps, norms, parents, shape, values }: Near, a: number, b: number, least: number, thread: number): void {
  const { dims, forests, rows } = shape;
  let narrowest = forests - 1;
  while (eps[narrowest]! < least) narrowest -= 1;
  const first = thread * forests * rows;
  // What is joined for a small distance is joined for all larger ones.
  if (rootOf(parents, first + narrowest * rows, a) === rootOf(parents, first + narrowest * rows, b)) return;
  const distance = 1 - dotOf(values, a * dims, b * dims, dims) / (norms[a]! * norms[b]!);
  for (let forest = 0; forest < forests && distance <= eps[forest]!; forest++) {
    join(parents, first + forest * rows, a, b);
  }
}

/** The forest of one distance: what any of the threads joined. */
export function joined({ parents, shape }: Near, forest: number): Int32Array {
  const { forests, rows, threads } = shape;
  const start = forest * rows;
  for (let thread = 1; thread < threads; thread++) {
    const other = (thread * forests + forest) * rows;
    for (let row = 0; row < rows; row++) join(parents, start, row, parents[other + row]!);
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

/** The root of a member's tree in the forest that begins at `start`; halves the path on the way. */
function rootOf(parents: Int32Array, start: number, member: number): number {
  while (parents[start + member] !== member) {
    parents[start + member] = parents[start + parents[start + member]!]!;
    member = parents[start + member]!;
  }
  return member;
}

function join(parents: Int32Array, start: number, a: number, b: number): void {
  const first = rootOf(parents, start, a);
  const second = rootOf(parents, start, b);
  if (first !== second) parents[start + Math.max(first, second)] = Math.min(first, second);
}
