/** Everything one k-means computation keeps in shared memory, so that worker threads see it without copying. */
import { kernelOn, padded, sharedMemory, type Kernel, type SharedMemory } from "./kernel.ts";
import type { Vectors } from "./vectors.ts";

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

/** Places in `control`. */
export const place = { nextBlock: 0, nextSeed: 1, seedsDone: 2, tries: 3, seeds: 4 } as const;

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
  /** Seeding: squared distance candidate to seed, `seed * tries + candidate`, and the smallest of each seed. */
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

/** Lays the arrays out, in memory of its own or in memory another thread laid out for the same shape. */
export function workspaceFor(shape: Shape, memory?: SharedMemory): Workspace {
  const { rows, k, tries, threads } = shape;
  const stride = padded(shape.dims);
  const blocks = Math.ceil(rows / blockRows);
  const groups = Math.ceil(k / groupCentres);
  const gains = blocks * blockRows * tries;
  const between = k <= mostBetween ? k * k : 0;
  let bytes = 64;
  const place = (count: number, size: number) => {
    const at = bytes;
    bytes += Math.ceil((count * size) / 64) * 64;
    return at;
  };
  const at = {
    points: place(rows * stride, 4),
    centres: place(k * stride, 4),
    pointNorms: place(rows, 8),
    centreNorms: place(k, 8),
    labels: place(rows, 4),
    closest: place(rows, 8),
    control: place(16, 4),
    out: place(threads * 16, 4),
    candidates: place(tries, 4),
    seeds: place(k, 4),
    near: place(k * tries, 8),
    nearest: place(k, 8),
    gainedRow: place(gains, 4),
    gainedTry: place(gains, 4),
    gainedSquared: place(gains, 8),
    gained: place(blocks, 4),
    lower: place(rows * groups, 4),
    drifts: place(groups, 8),
    between: place(between, 4),
    changed: place(blocks, 4),
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
    points: new Float32Array(buffer, at.points, rows * stride),
    pointNorms: new Float64Array(buffer, at.pointNorms, rows),
    centres: new Float32Array(buffer, at.centres, k * stride),
    centreNorms: new Float64Array(buffer, at.centreNorms, k),
    labels: new Int32Array(buffer, at.labels, rows),
    closest: new Float64Array(buffer, at.closest, rows),
    control: new Int32Array(buffer, at.control, 16),
    candidates: new Int32Array(buffer, at.candidates, tries),
    seeds: new Int32Array(buffer, at.seeds, k),
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
