/**
 * The silhouette (Rousseeuw 1987) measures how much nearer points are to their own cluster than to the nearest other one, from
 * -1 to 1.
 */
import { padded } from "../kernel/kernel.ts";
import { randomFrom, shuffled } from "../../statistics/random.ts";
import { parallelFor } from "../kernel/threads.ts";
import {
  compareNextTiles,
  dispersionFor,
  dispersionSlot,
  silhouetteOf,
  tileSizeFor,
  type Dispersion,
} from "../kernel/dispersion.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { Vectors } from "./vectors.ts";

export type SilhouetteOptions = {
  readonly signal?: AbortSignal;
  /** Called with the number of pieces done of the comparison of all pairs. */
  readonly progress?: (done: number, total: number) => void;
  /** Worker threads; by default one for each core, none for small tasks. */
  readonly workers?: number;
};
type Metric = "euclidean" | "cosine";
type Measured = { readonly values: Float64Array; readonly rows: Int32Array };

/**
 * Computes each point's silhouette: (b - a) / max(a, b), with a its mean distance to the other points of its cluster and b the
 * smallest mean distance to another cluster; 0 for the only point of a cluster and if a and b are both 0. Labels are 0 ... k - 1.
 * Undefined if there are fewer than 2 clusters or as many clusters as points. Throws on vectors of zeros for cosine distance.
 * Compares all pairs: about n * n / 2 * dims multiplications, distances in float32, their sums in float64.
 */
export async function silhouettes(
  vectors: Vectors,
  labels: ArrayLike<number>,
  metric: Metric,
  options: SilhouetteOptions = {},
): Promise<Float64Array | undefined> {
  const every = Int32Array.from({ length: vectors.rows }, (_, row) => row);
  const found = await measured(vectors, labels, metric, every, options);
  if (found === undefined) return undefined;
  const values = new Float64Array(vectors.rows);
  for (const [at, row] of found.rows.entries()) values[row] = found.values[at]!;
  return values;
}

/** Returns the mean silhouette of all points; undefined as in `silhouettes`. */
export async function silhouette(
  vectors: Vectors,
  labels: ArrayLike<number>,
  metric: Metric,
  options: SilhouetteOptions = {},
): Promise<number | undefined> {
  return meanOf(await silhouettes(vectors, labels, metric, options));
}

/**
 * Returns the mean silhouette of `count` points drawn at random (always the same points), each compared with all points: an
 * unbiased estimate of the mean of all. Undefined as in `silhouettes`.
 */
export async function sampledSilhouette(
  vectors: Vectors,
  labels: ArrayLike<number>,
  metric: Metric,
  count: number,
  options: SilhouetteOptions = {},
): Promise<number | undefined> {
  const rows = Array.from({ length: vectors.rows }, (_, row) => row);
  const drawn = shuffled(rows, randomFrom("silhouette")).slice(0, Math.max(1, count));
  return meanOf((await measured(vectors, labels, metric, Int32Array.from(drawn), options))?.values);
}

const meanOf = (values: Float64Array | undefined): number | undefined =>
  values === undefined ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the silhouettes of these rows, in the order of the clusters. */
async function measured(
  vectors: Vectors,
  labels: ArrayLike<number>,
  metric: Metric,
  subjects: Int32Array,
  { signal, progress, workers }: SilhouetteOptions,
): Promise<Measured | undefined> {
  const { rows, dims } = vectors;
  if (labels.length !== rows)
    throw new RangeError(`Expected one label for each of ${rows} vectors, got ${labels.length}`);
  const clusters = clustersOf(labels);
  if (clusters.length < 2 || clusters.length >= rows) return undefined;
  const order = Int32Array.from(clusters.flat());
  const tiles = tilesOf(
    clusters.map((members) => members.length),
    tileSizeFor(rows),
  );
  const prepare = async (threads: number): Promise<Dispersion> => {
    const shape = { rows, dims, clusters: clusters.length, subjects: subjects.length, metric, threads };
    const parts = tiles.filter(({ isPart }) => isPart).length;
    const dispersion = dispersionFor({ ...shape, tiles: tiles.length, parts });
    dispersion.labels.set(clusters.flatMap((members, cluster) => members.map(() => cluster)));
    dispersion.sizes.set(clusters.map((members) => members.length));
    dispersion.tileStarts.set([...tiles.map(({ from }) => from), rows]);
    let part = 0;
    dispersion.partOf.set(tiles.map(({ isPart }) => (isPart ? part++ : -1)));
    const isSubject = new Set(subjects);
    dispersion.subjects.set([...order.keys()].filter((point) => isSubject.has(order[point]!)));
    dispersion.outside.fill(Infinity);
    await setPoints(dispersion, vectors, order, signal);
    return dispersion;
  };
  const dispersion = await parallelFor({
    multiplications: subjects.length * rows * dims,
    workers,
    prepare,
    assignment: ({ shape, kernel }, thread) => ({ task: "dispersion", shape, memory: kernel.memory, thread }),
    runNext: (all) => compareNextTiles(all, 0),
    progress: ({ control, pieces }) => progress?.(Atomics.load(control, dispersionSlot.done), pieces),
    signal,
  });
  const yieldIfDue = eventLoopYielder(signal);
  const values = new Float64Array(subjects.length);
  for (let subject = 0; subject < values.length; subject++) {
    values[subject] = silhouetteOf(dispersion, subject);
    if (subject % 64 === 0) await yieldIfDue();
  }
  return { values, rows: Int32Array.from(dispersion.subjects, (point) => order[point]!) };
}

/** Returns the rows of every non-empty cluster, by label. */
function clustersOf(labels: ArrayLike<number>): readonly (readonly number[])[] {
  const members: number[][] = [];
  for (let row = 0; row < labels.length; row++) {
    while (members.length <= labels[row]!) members.push([]);
    members[labels[row]!]!.push(row);
  }
  return members.filter((rows) => rows.length > 0);
}

/** Returns points in tiles of at most `most` points: whole clusters, or parts of larger clusters. */
function tilesOf(sizes: readonly number[], most: number) {
  const tiles: { from: number; isPart: boolean }[] = [];
  let from = 0;
  let taken = most;
  for (const size of sizes) {
    const isPart = size > most;
    if (isPart || taken + size > most) {
      for (let at = 0; at < size; at += most) tiles.push({ from: from + at, isPart });
      taken = isPart ? most : 0;
    }
    taken += size;
    from += size;
  }
  return tiles;
}

/**
 * Copies the points in this order, normalised to length 1 for cosine, translated so that their mean is the origin: dot products
 * lose fewer digits.
 */
async function setPoints(
  dispersion: Dispersion,
  { rows, dims, values }: Vectors,
  order: Int32Array,
  signal?: AbortSignal,
): Promise<void> {
  const { points, norms, shape } = dispersion;
  const yieldIfDue = eventLoopYielder(signal);
  const scale = new Float64Array(rows).fill(1);
  const mean = new Float64Array(dims);
  for (let row = 0; row < rows; row++) {
    if (shape.metric === "cosine") scale[row] = 1 / lengthOf(values, row, dims);
    for (let column = 0; column < dims; column++) mean[column]! += (values[row * dims + column]! * scale[row]!) / rows;
    if (row % 64 === 0) await yieldIfDue();
  }
  const width = padded(dims);
  for (let point = 0; point < rows; point++) {
    const row = order[point]!;
    let norm = 0;
    for (let column = 0; column < dims; column++) {
      const value = Math.fround(values[row * dims + column]! * scale[row]! - mean[column]!);
      points[point * width + column] = value;
      norm += value * value;
    }
    norms[point] = norm;
    if (point % 64 === 0) await yieldIfDue();
  }
}

function lengthOf(values: Float32Array, row: number, dims: number): number {
  let squares = 0;
  for (let at = row * dims; at < (row + 1) * dims; at++) squares += values[at]! * values[at]!;
  if (squares === 0) throw new RangeError(`Row ${row} contains only zeros, so it has no cosine distance`);
  return Math.sqrt(squares);
}
