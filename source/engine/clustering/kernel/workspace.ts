/** The shared memory of one k-means computation: worker threads use it without copying. */
import { arena } from "./kernel.ts";
import { kernelOn, padded, paddedBytes, sharedMemory, type Kernel, type SharedMemory } from "./kernel.ts";
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

/** Rows per block, the unit of parallel work: few enough to stay in the processor's cache. */
export const blockRows = 64;
/** Centres that share one lower bound per point. */
export const groupCentres = 8;
/** Above this many centres the table of their distances, which prunes the first pass, would take too much memory. */
const mostBetween = 4096;

/** Indexes into `control`; from `nextBlock` on there is one for each thread. */
export const slot = {
  nextSeed: 0,
  seedsDone: 1,
  tries: 2,
  seeds: 3,
  prune: 4,
  /** Of seeding: what it draws numbers from, and the round that threads may take part in (seeding-rounds.ts). */
  random: 5,
  round: 6,
  nextBlock: 7,
} as const;

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
  /** Output of the kernel, 16 floats for each thread: the address, and views on it. */
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
  /** Points and candidates quantised to bytes, with scales and errors; see quantised.ts. */
  readonly byteStride: number;
  readonly bytesAt: number;
  readonly bytes: Int8Array;
  readonly byteScales: Float64Array;
  readonly byteErrors: Float64Array;
  /** What raising the candidates adds to every dot product of a point. */
  readonly raised: Int32Array;
  readonly candidateBytesAt: number;
  readonly candidateBytes: Int8Array;
  /** Seeding: lower bound on the squared distance from candidate to seed, `seed * tries + candidate`, and the least of each seed. */
  readonly seedBounds: Float64Array;
  readonly leastSeedBounds: Float64Array;
  /** Seeding: points that are nearer to a candidate, from `block * blockRows * tries` on, and how many in each block. */
  readonly gainedRow: Int32Array;
  readonly gainedTry: Int32Array;
  readonly gainedSquared: Float64Array;
  readonly gained: Int32Array;
  /** Lloyd: lower bound on the distance to every centre of a group except the point's own. */
  readonly lower: Float32Array;
  /** Lloyd: how far the fastest centre of each group moved. */
  readonly drifts: Float64Array;
  /** Lloyd: distances between centres; empty when there are too many. */
  readonly centreDistances: Float32Array;
  /** Lloyd: number of points that changed their centre, per block. */
  readonly changed: Int32Array;
};

/**
 * The next block for a thread, -1 when none is left: first the blocks of its own part, which may still be in its
 * processor's cache, then those the other threads have not reached.
 */
export function nextBlock({ blocks, control, shape }: Workspace, thread: number): number {
  const { threads } = shape;
  for (let offset = 0; offset < threads; offset++) {
    const owner = (thread + offset) % threads;
    const first = Math.floor((blocks * owner) / threads);
    const end = Math.floor((blocks * (owner + 1)) / threads);
    const block = first + Atomics.add(control, slot.nextBlock + owner, 1);
    if (block < end) return block;
  }
  return -1;
}

/** To be called before every job, and before every round of seeding. */
export function resetCounters({ control }: Workspace): void {
  control[slot.nextSeed] = 0;
  control[slot.seedsDone] = 0;
  control.fill(0, slot.nextBlock);
}

/** Lays out the arrays, in new memory or in memory that another thread laid out for the same shape. */
export function workspaceFor(shape: Shape, memory?: SharedMemory): Workspace {
  const { rows, k, tries, threads } = shape;
  const stride = padded(shape.dims);
  const byteStride = paddedBytes(shape.dims);
  const blocks = Math.ceil(rows / blockRows);
  const groups = Math.ceil(k / groupCentres);
  const gains = blocks * blockRows * tries;
  const centreDistances = k <= mostBetween ? k * k : 0;
  const memoryLayout = arena();
  const at = {
    points: memoryLayout.allocate(rows * stride, 4),
    centres: memoryLayout.allocate(k * stride, 4),
    pointNorms: memoryLayout.allocate(rows, 8),
    centreNorms: memoryLayout.allocate(k, 8),
    labels: memoryLayout.allocate(rows, 4),
    closest: memoryLayout.allocate(rows, 8),
    control: memoryLayout.allocate(slot.nextBlock + threads, 4),
    out: memoryLayout.allocate(threads * 16, 4),
    candidates: memoryLayout.allocate(tries, 4),
    seeds: memoryLayout.allocate(k, 4),
    bytes: memoryLayout.allocate(rows * byteStride, 1),
    byteScales: memoryLayout.allocate(rows, 8),
    byteErrors: memoryLayout.allocate(rows, 8),
    raised: memoryLayout.allocate(rows, 4),
    candidateBytes: memoryLayout.allocate(tries * byteStride, 1),
    seedBounds: memoryLayout.allocate(k * tries, 8),
    leastSeedBounds: memoryLayout.allocate(k, 8),
    gainedRow: memoryLayout.allocate(gains, 4),
    gainedTry: memoryLayout.allocate(gains, 4),
    gainedSquared: memoryLayout.allocate(gains, 8),
    gained: memoryLayout.allocate(blocks, 4),
    lower: memoryLayout.allocate(rows * groups, 4),
    drifts: memoryLayout.allocate(groups, 8),
    centreDistances: memoryLayout.allocate(centreDistances, 4),
    changed: memoryLayout.allocate(blocks, 4),
  };
  const used = memory ?? sharedMemory(memoryLayout.bytes);
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
    control: new Int32Array(buffer, at.control, slot.nextBlock + threads),
    candidates: new Int32Array(buffer, at.candidates, tries),
    seeds: new Int32Array(buffer, at.seeds, k),
    byteStride,
    bytesAt: at.bytes,
    bytes: new Int8Array(buffer, at.bytes, rows * byteStride),
    byteScales: new Float64Array(buffer, at.byteScales, rows),
    byteErrors: new Float64Array(buffer, at.byteErrors, rows),
    raised: new Int32Array(buffer, at.raised, rows),
    candidateBytesAt: at.candidateBytes,
    candidateBytes: new Int8Array(buffer, at.candidateBytes, tries * byteStride),
    seedBounds: new Float64Array(buffer, at.seedBounds, k * tries),
    leastSeedBounds: new Float64Array(buffer, at.leastSeedBounds, k),
    gainedRow: new Int32Array(buffer, at.gainedRow, gains),
    gainedTry: new Int32Array(buffer, at.gainedTry, gains),
    gainedSquared: new Float64Array(buffer, at.gainedSquared, gains),
    gained: new Int32Array(buffer, at.gained, blocks),
    lower: new Float32Array(buffer, at.lower, rows * groups),
    drifts: new Float64Array(buffer, at.drifts, groups),
    centreDistances: new Float32Array(buffer, at.centreDistances, centreDistances),
    changed: new Int32Array(buffer, at.changed, blocks),
  };
}

/**
 * Copies the vectors, translated so that their mean is the origin: distances are unchanged, and dot products lose fewer
 * digits.
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
 * Squared distance from a norm and a dot product. Where the two rows are so close that the subtraction would cancel, it is
 * computed from the rows at the two addresses instead.
 */
export function squaredFrom(workspace: Workspace, norms: number, dot: number, row: number, column: number): number {
  const squared = norms - 2 * dot;
  if (squared > norms * 0.01) return squared;
  return row === column ? 0 : workspace.kernel.squared(row, column, row + workspace.stride);
}

/** A copy of a result of Lloyd's iterations. */
export type Snapshot = Pick<Workspace, "centres" | "centreNorms" | "labels"> & { readonly inertia: number };

export function snapshot({ centreNorms, centres, labels }: Workspace, inertia: number): Snapshot {
  return { centres: centres.slice(), centreNorms: centreNorms.slice(), labels: labels.slice(), inertia };
}

export function restore({ centreNorms, centres, labels }: Workspace, kept: Snapshot): void {
  centres.set(kept.centres);
  centreNorms.set(kept.centreNorms);
  labels.set(kept.labels);
}
