/** Silhouette (Rousseeuw 1987): how much nearer points are to their own cluster than to the nearest other one, from -1 to 1. */
import { padded } from "../kernel/kernel.ts";
import { randomFrom, shuffled } from "../../statistics/random.ts";
import { parallelFor } from "../kernel/parallel-for.ts";
import { dispersionSlot, dispersionFor, measureNextSubjects, type Dispersion } from "../kernel/dispersion.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { Vectors } from "./vectors.ts";

export type SilhouetteOptions = {
  readonly signal?: AbortSignal;
  /** Called with the number of points done. */
  readonly progress?: (done: number, total: number) => void;
  /** Worker threads; by default one for each core, none for small tasks. */
  readonly workers?: number;
};
type Metric = "euclidean" | "cosine";

/**
 * Each point's silhouette: (b - a) / max(a, b), with a its mean distance to the others of its cluster and b the smallest
 * mean distance to another cluster; 0 for the only point of a cluster and where a and b are both 0. Labels are
 * 0 ... k - 1. Undefined when there are fewer than 2 clusters or as many as points (the value is not defined then).
 * Cosine distance throws on vectors of zeros. Compares all pairs: about n * n * dims multiplications, distances
 * in float32, their sums in float64.
 */
export async function silhouettes(
  vectors: Vectors,
  labels: ArrayLike<number>,
  metric: Metric,
  options: SilhouetteOptions = {},
): Promise<Float64Array | undefined> {
  return measured(
    vectors,
    labels,
    metric,
    Int32Array.from({ length: vectors.rows }, (_, row) => row),
    options,
  );
}

/** Mean silhouette of all points; undefined as in `silhouettes`. */
export async function silhouette(
  vectors: Vectors,
  labels: ArrayLike<number>,
  metric: Metric,
  options: SilhouetteOptions = {},
): Promise<number | undefined> {
  return meanOf(await silhouettes(vectors, labels, metric, options));
}

/**
 * Mean silhouette of `count` points drawn at random (always the same ones), each compared with all points: an unbiased
 * estimate of the mean of all. Undefined as in `silhouettes`.
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
  return meanOf(await measured(vectors, labels, metric, Int32Array.from(drawn), options));
}

function meanOf(values: Float64Array | undefined): number | undefined {
  return values === undefined ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function measured(
  vectors: Vectors,
  labels: ArrayLike<number>,
  metric: Metric,
  subjects: Int32Array,
  { signal, progress, workers }: SilhouetteOptions,
): Promise<Float64Array | undefined> {
  const { rows, dims } = vectors;
  if (labels.length !== rows)
    throw new RangeError(`Expected one label for each of ${rows} vectors, got ${labels.length}`);
  const sizes: number[] = [];
  for (let row = 0; row < rows; row++) {
    while (sizes.length <= labels[row]!) sizes.push(0);
    sizes[labels[row]!]! += 1;
  }
  const clusters = sizes.filter((size) => size > 0).length;
  if (clusters < 2 || clusters >= rows) return undefined;
  const prepare = async (threads: number): Promise<Dispersion> => {
    // In this thread few at once keep the event loop responsive; threads take more, to read the points less often.
    const atOnce = threads > 1 ? 32 : 2;
    const shape = { rows, dims, clusters: sizes.length, subjects: subjects.length, atOnce, metric, threads };
    const dispersion = dispersionFor(shape);
    dispersion.labels.set(labels);
    dispersion.sizes.set(sizes);
    dispersion.subjects.set(subjects);
    await setPoints(dispersion, vectors, signal);
    return dispersion;
  };
  const { values } = await parallelFor({
    multiplications: subjects.length * rows * dims,
    workers,
    prepare,
    assignment: ({ shape, kernel }, thread) => ({ task: "dispersion", shape, memory: kernel.memory, thread }),
    runNext: (dispersion) => measureNextSubjects(dispersion, 0),
    progress: ({ control }) => progress?.(Atomics.load(control, dispersionSlot.done), subjects.length),
    signal,
  });
  return values.slice();
}

/** Copies the points, for cosine normalised to length 1, translated so that their mean is the origin: dot products lose fewer digits. */
async function setPoints(dispersion: Dispersion, { rows, dims, values }: Vectors, signal?: AbortSignal): Promise<void> {
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
  for (let row = 0; row < rows; row++) {
    let norm = 0;
    for (let column = 0; column < dims; column++) {
      const value = Math.fround(values[row * dims + column]! * scale[row]! - mean[column]!);
      points[row * width + column] = value;
      norm += value * value;
    }
    norms[row] = norm;
    if (row % 64 === 0) await yieldIfDue();
  }
}

function lengthOf(values: Float32Array, row: number, dims: number): number {
  let squares = 0;
  for (let at = row * dims; at < (row + 1) * dims; at++) squares += values[at]! * values[at]!;
  if (squares === 0) throw new RangeError(`Row ${row} is all zeros: cosine distance is undefined for it`);
  return Math.sqrt(squares);
}
