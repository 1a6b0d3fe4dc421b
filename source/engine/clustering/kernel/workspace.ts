/** Everything one k-means computation keeps in shared memory, so that worker threads see it without copying. */
import { kernelOn, padded, sharedMemory, type Kernel, type SharedMemory } from "./kernel.ts";
import type { Vectors } from "../methods/vectors.ts";

export type Shape = {
  readonly rows: number;
  readonly dims: number;
  readonly k: number;
  /** Candidates tried for each centre while seeding. */
  readonly tries: number;
  /** Most threads that will work here. */
  readonly threads: number;
};

/** Rows handled at a time: few enough to stay in the processor's cache, and the unit threads share out. */
export const blockRows = 64;
/** Centres that share one lower bound per point. */
export const groupCentres = 8;
/** Distances between all centres prune the first pass; above this many centres the table would take too much memory. */
const mostBetween = 4096;

/** Places in `control`; from `nextBlock` on there is one place for each thread. */
export const place = { nextSeed: 0, seedsDone: 1, tries: 2, seeds: 3, prune: 4, nextBlock: 5 } as const;

export type Workspace = {
  readonly shape: Shape;
  readonly kernel: Kernel;
  readonly blocks: number;
  readonly groups: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** Address of the first row of the points and of the centres, in bytes. */
  readonly pointsAt: number;
  readonly centresAt: number;
  /** Where each thread lets the kernel write, 16 floats for each: the address, and the floats. */
  readonly outAt: number;
  readonly out: Float32Array;
  readonly outIntegers: Int32Array;
  readonly points: Float32Array;
  readonly pointNorms: Float64Array;
  readonly centres: Float32Array;
  readonly centreNorms: Float64Array;
  readonly labels: Int32Array;
  /** Seeding: squared distance to the nearest seed. */
  readonly closest: Float64Array;
  readonly control: Int32Array;
  /** Seeding: row numbers of the candidates, and of the seeds so far. */
  readonly candidates: Int32Array;
  readonly seeds: Int32Array;
  /** Points rounded to bytes and candidates rounded to 16 bits, with what that leaves out; see coarse.ts. */
  readonly bytesAt: number;
  readonly bytes: Int8Array;
  readonly byteScales: Float64Array;
  readonly byteErrors: Float64Array;
  readonly shortsAt: number;
  readonly shorts: Int16Array;
  readonly shortScales: Float64Array;
  readonly shortErrors: Float64Array;
  /** Seeding: lower bound on the squared distance candidate to seed, `seed * tries + candidate`, and the smallest of each seed. */
  readonly near: Float64Array;
  readonly nearest: Float64Array;
  /** Seeding: points a candidate would be nearer to, in `block * blockRows * tries` places, and how many in each block. */
  readonly gainedRow: Int32Array;
  readonly gainedTry: Int32Array;
  readonly gainedSquared: Float64Array;
  readonly gained: Int32Array;
  /** Lloyd: lower bound on the distance to every centre of a group but the point's own. */
  readonly lower: Float32Array;
  /** Lloyd: how far the fastest centre of each group moved. */
  readonly drifts: Float64Array;
  /** Lloyd: distances between centres; empty when there are too many. */
  readonly between: Float32Array;
  /** Lloyd: points that changed their centre, per block. */
  readonly changed: Int32Array;
};

/**
 * The next block for a thread, -1 when none is left: first those of its own part of the points, which are in its
 * processor's cache from the time before, then those the others have not come to.
 */
export function nextBlock({ blocks, control, shape }: Workspace, thread: number): number {
  const { threads } = shape;
  for (let turn = 0; turn < threads; turn++) {
    const owner = (thread + turn) % threads;
    const first = Math.floor((blocks * owner) / threads);
    const end = Math.floor((blocks * (owner + 1)) / threads);
    const block = first + Atomics.add(control, place.nextBlock + owner, 1);
    if (block < end) return block;
  }
  return -1;
}

/** Lays the arrays out, in memory of its own or in memory another thread laid out for the same shape. */
export function workspaceFor(shape: Shape, memory?: SharedMemory): Workspace {
  const { rows, k, tries, threads } = shape;
  const stride = padded(shape.dims);
  const blocks = Math.ceil(rows / blockRows);
  const groups = Math.ceil(k / groupCentres);
  const gains = blocks * blockRows * tries;
  const between = k <= mostBetween ? k * k : 0;
  let bytes = 64;
  const take = (count: number, size: number) => {
    const at = bytes;
    bytes += Math.ceil((count * size) / 64) * 64;
    return at;
  };
  const at = {
    points: take(rows * stride, 4),
    centres: take(k * stride, 4),
    pointNorms: take(rows, 8),
    centreNorms: take(k, 8),
    labels: take(rows, 4),
    closest: take(rows, 8),
    control: take(place.nextBlock + threads, 4),
    out: take(threads * 16, 4),
    candidates: take(tries, 4),
    seeds: take(k, 4),
    bytes: take(rows * stride, 1),
    byteScales: take(rows, 8),
    byteErrors: take(rows, 8),
    shorts: take(tries * stride, 2),
    shortScales: take(tries, 8),
    shortErrors: take(tries, 8),
    near: take(k * tries, 8),
    nearest: take(k, 8),
    gainedRow: take(gains, 4),
    gainedTry: take(gains, 4),
    gainedSquared: take(gains, 8),
    gained: take(blocks, 4),
    lower: take(rows * groups, 4),
    drifts: take(groups, 8),
    between: take(between, 4),
    changed: take(blocks, 4),
  };
  const used = memory ?? sharedMemory(bytes);
  const { buffer } = used;
  return {
    shape,
    kernel: kernelOn(used),
    blocks,
    groups,
    stride: stride * 4,
    pointsAt: at.points,
    centresAt: at.centres,
    outAt: at.out,
    out: new Float32Array(buffer, at.out, threads * 16),
    outIntegers: new Int32Array(buffer, at.out, threads * 16),
    points: new Float32Array(buffer, at.points, rows * stride),
    pointNorms: new Float64Array(buffer, at.pointNorms, rows),
    centres: new Float32Array(buffer, at.centres, k * stride),
    centreNorms: new Float64Array(buffer, at.centreNorms, k),
    labels: new Int32Array(buffer, at.labels, rows),
    closest: new Float64Array(buffer, at.closest, rows),
    control: new Int32Array(buffer, at.control, place.nextBlock + threads),
    candidates: new Int32Array(buffer, at.candidates, tries),
    seeds: new Int32Array(buffer, at.seeds, k),
    bytesAt: at.bytes,
    bytes: new Int8Array(buffer, at.bytes, rows * stride),
    byteScales: new Float64Array(buffer, at.byteScales, rows),
    byteErrors: new Float64Array(buffer, at.byteErrors, rows),
    shortsAt: at.shorts,
    shorts: new Int16Array(buffer, at.shorts, tries * stride),
    shortScales: new Float64Array(buffer, at.shortScales, tries),
    shortErrors: new Float64Array(buffer, at.shortErrors, tries),
    near: new Float64Array(buffer, at.near, k * tries),
    nearest: new Float64Array(buffer, at.nearest, k),
    gainedRow: new Int32Array(buffer, at.gainedRow, gains),
    gainedTry: new Int32Array(buffer, at.gainedTry, gains),
    gainedSquared: new Float64Array(buffer, at.gainedSquared, gains),
    gained: new Int32Array(buffer, at.gained, blocks),
    lower: new Float32Array(buffer, at.lower, rows * groups),
    drifts: new Float64Array(buffer, at.drifts, groups),
    between: new Float32Array(buffer, at.between, between),
    changed: new Int32Array(buffer, at.changed, blocks),
  };
}

/**
 * Copies the vectors in, moved so that their mean is the origin: distances stay, and dot products lose fewer digits.
 * Returns that mean and the mean variance of the columns, which the tolerance is relative to.
 */
export function fill(workspace: Workspace, { rows, dims, values }: Vectors): { mean: Float64Array; variance: number } {
  const mean = new Float64Array(dims);
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column < dims; column++) mean[column]! += values[at++]!;
  for (let column = 0; column < dims; column++) mean[column]! /= rows;
  const stride = workspace.stride / 4;
  let squares = 0;
  for (let row = 0, at = 0; row < rows; row++) {
    const to = row * stride;
    let norm = 0;
    for (let column = 0; column < dims; column++) {
      const value = Math.fround(values[at++]! - mean[column]!);
      workspace.points[to + column] = value;
      norm += value * value;
    }
    workspace.pointNorms[row] = norm;
    squares += norm;
  }
  return { mean, variance: squares / rows / dims };
}

/**
 * Squared distance from a norm and a dot product; where the two rows are so close that the difference would lose its
 * digits it is computed again from the rows at the two addresses.
 */
export function squaredFrom(workspace: Workspace, norms: number, dot: number, row: number, column: number): number {
  const squared = norms - 2 * dot;
  if (squared > norms * 0.01) return squared;
  return row === column ? 0 : workspace.kernel.squared(row, column, row + workspace.stride);
}

/** A result of Lloyd's iterations, set aside. */
export type Snapshot = Pick<Workspace, "centres" | "centreNorms" | "labels"> & { readonly inertia: number };

export function snapshot({ centreNorms, centres, labels }: Workspace, inertia: number): Snapshot {
  return { centres: centres.slice(), centreNorms: centreNorms.slice(), labels: labels.slice(), inertia };
}

export function restore({ centreNorms, centres, labels }: Workspace, kept: Snapshot): void {
  centres.set(kept.centres);
  centreNorms.set(kept.centreNorms);
  labels.set(kept.labels);
}
