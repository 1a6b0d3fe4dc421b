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
/** Number of centres that share one lower bound per point. */
export const groupCentres = 8;
/** Above this many centres the table of their distances, which prunes the first pass, would take too much memory. */
const mostBetween = 4096;

/** Indexes into `control`; each thread has one from `nextBlock` on. */
export const slot = {
  nextSeed: 0,
  seedsDone: 1,
  tries: 2,
  seeds: 3,
  prune: 4,
  /** State of seeding: the random numbers, and the round in which threads may take part (methods/seeding.ts). */
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
  /** The increase of every dot product of a point if the candidates' bytes are shifted to be unsigned. */
  readonly raised: Int32Array;
  readonly candidateBytesAt: number;
  readonly candidateBytes: Int8Array;
  /**
   * Seeding: lower bound on the squared distance from candidate to seed, `seed * tries + candidate`, and the least of each
   * seed.
   */
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
 * Returns the next block for a thread, -1 if no block is left: first the blocks of its own part, which may still be in its
 * processor's cache, then blocks that the other threads have not reached.
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

/** Resets the counters; called before every job and before every round of seeding. */
export function resetCounters({ control }: Workspace): void {
  control[slot.nextSeed] = 0;
  control[slot.seedsDone] = 0;
  control.fill(0, slot.nextBlock);
}

/** Lays out the arrays in memory: the address and number of elements of each, and the total bytes. */
function layoutOf({ rows, dims, k, tries, threads }: Shape) {
  const memory = arena();
  const allocate = (count: number, size: number): readonly [address: number, count: number] => [
    memory.allocate(count, size),
    count,
  ];
  const [stride, byteStride] = [padded(dims), paddedBytes(dims)];
  const [blocks, groups] = [Math.ceil(rows / blockRows), Math.ceil(k / groupCentres)];
  const gains = blocks * blockRows * tries;
  const at = {
    points: allocate(rows * stride, 4),
    centres: allocate(k * stride, 4),
    pointNorms: allocate(rows, 8),
    centreNorms: allocate(k, 8),
    labels: allocate(rows, 4),
    closest: allocate(rows, 8),
    control: allocate(slot.nextBlock + threads, 4),
    out: allocate(threads * 16, 4),
    candidates: allocate(tries, 4),
    seeds: allocate(k, 4),
    bytes: allocate(rows * byteStride, 1),
    byteScales: allocate(rows, 8),
    byteErrors: allocate(rows, 8),
    raised: allocate(rows, 4),
    candidateBytes: allocate(tries * byteStride, 1),
    seedBounds: allocate(k * tries, 8),
    leastSeedBounds: allocate(k, 8),
    gainedRow: allocate(gains, 4),
    gainedTry: allocate(gains, 4),
    gainedSquared: allocate(gains, 8),
    gained: allocate(blocks, 4),
    lower: allocate(rows * groups, 4),
    drifts: allocate(groups, 8),
    centreDistances: allocate(k <= mostBetween ? k * k : 0, 4),
    changed: allocate(blocks, 4),
  };
  return { at, stride, byteStride, blocks, groups, size: memory.bytes };
}

/** Returns the arrays in new memory, or in memory that another thread laid out for the same shape. */
export function workspaceFor(shape: Shape, memory?: SharedMemory): Workspace {
  const { at, stride, byteStride, blocks, groups, size } = layoutOf(shape);
  const used = memory ?? sharedMemory(size);
  const { buffer } = used;
  return {
    shape,
    kernel: kernelOn(used),
    blocks,
    groups,
    stride: stride * 4,
    pointsAt: at.points[0],
    centresAt: at.centres[0],
    outAt: at.out[0],
    out: new Float32Array(buffer, ...at.out),
    outIntegers: new Int32Array(buffer, ...at.out),
    points: new Float32Array(buffer, ...at.points),
    pointNorms: new Float64Array(buffer, ...at.pointNorms),
    centres: new Float32Array(buffer, ...at.centres),
    centreNorms: new Float64Array(buffer, ...at.centreNorms),
    labels: new Int32Array(buffer, ...at.labels),
    closest: new Float64Array(buffer, ...at.closest),
    control: new Int32Array(buffer, ...at.control),
    candidates: new Int32Array(buffer, ...at.candidates),
    seeds: new Int32Array(buffer, ...at.seeds),
    byteStride,
    bytesAt: at.bytes[0],
    bytes: new Int8Array(buffer, ...at.bytes),
    byteScales: new Float64Array(buffer, ...at.byteScales),
    byteErrors: new Float64Array(buffer, ...at.byteErrors),
    raised: new Int32Array(buffer, ...at.raised),
    candidateBytesAt: at.candidateBytes[0],
    candidateBytes: new Int8Array(buffer, ...at.candidateBytes),
    seedBounds: new Float64Array(buffer, ...at.seedBounds),
    leastSeedBounds: new Float64Array(buffer, ...at.leastSeedBounds),
    gainedRow: new Int32Array(buffer, ...at.gainedRow),
    gainedTry: new Int32Array(buffer, ...at.gainedTry),
    gainedSquared: new Float64Array(buffer, ...at.gainedSquared),
    gained: new Int32Array(buffer, ...at.gained),
    lower: new Float32Array(buffer, ...at.lower),
    drifts: new Float64Array(buffer, ...at.drifts),
    centreDistances: new Float32Array(buffer, ...at.centreDistances),
    changed: new Int32Array(buffer, ...at.changed),
  };
}

/**
 * Copies the vectors, translated so that their mean is the origin: distances are unchanged, and dot products lose fewer digits.
 * Returns this mean and the mean variance of the columns, to which the tolerance is relative.
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
 * Computes a squared distance from a norm and a dot product. If the two rows are so close that the subtraction would cancel, it
 * is computed from the rows at the two addresses instead.
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
