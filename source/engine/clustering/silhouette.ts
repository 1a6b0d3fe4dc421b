/** Silhouette (Rousseeuw 1987): how much nearer points are to their own cluster than to the next one, from -1 to 1. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { rowOf, type Vectors } from "./vectors.ts";

/** How long the event loop may wait for its turn, in milliseconds. */
const turn = 30;

/**
 * Each point's silhouette: (b - a) / max(a, b), with a its mean distance to the others of its cluster and b the smallest
 * mean distance to another cluster; 0 for the only point of a cluster and where a and b are both 0. Labels are
 * 0 ... k - 1. Undefined when there are fewer than 2 clusters or as many as points (the value has no meaning then).
 * Cosine distance throws on vectors that are all zero. Compares all pairs: about n * n * dims multiplications.
 */
export async function silhouettes(
  vectors: Vectors,
  labels: ArrayLike<number>,
  metric: "euclidean" | "cosine",
  signal?: AbortSignal,
): Promise<Float64Array | undefined> {
  const { rows } = vectors;
  if (labels.length !== rows)
    throw new RangeError(`Expected one label for each of ${rows} vectors, got ${labels.length}`);
  const sizes: number[] = [];
  for (let row = 0; row < rows; row++) sizes[labels[row]!] = (sizes[labels[row]!] ?? 0) + 1;
  const clusters = sizes.filter((size) => size > 0).length;
  if (clusters < 2 || clusters >= rows) return undefined;
  const points = Array.from({ length: rows }, (_, row) => Float64Array.from(rowOf(vectors, row)));
  if (metric === "cosine") points.forEach(normalise);
  const values = new Float64Array(rows);
  const sums = new Float64Array(sizes.length);
  let since = performance.now();
  for (let row = 0; row < rows; row++) {
    sums.fill(0);
    for (let other = 0; other < rows; other++) {
      if (other !== row) sums[labels[other]!]! += distance(points[row]!, points[other]!, metric);
    }
    values[row] = silhouetteOf(sums, sizes, labels[row]!);
    if (performance.now() - since < turn) continue;
    signal?.throwIfAborted();
    await nextTurn();
    since = performance.now();
  }
  return values;
}

/** Mean silhouette of all points; undefined as in `silhouettes`. */
export async function silhouette(
  vectors: Vectors,
  labels: ArrayLike<number>,
  metric: "euclidean" | "cosine",
  signal?: AbortSignal,
): Promise<number | undefined> {
  const values = await silhouettes(vectors, labels, metric, signal);
  return values === undefined ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function silhouetteOf(sums: Float64Array, sizes: readonly number[], own: number): number {
  if (sizes[own] === 1) return 0;
  const inside = sums[own]! / (sizes[own]! - 1);
  let outside = Infinity;
  for (let label = 0; label < sums.length; label++) {
    if (label !== own && (sizes[label] ?? 0) > 0) outside = Math.min(outside, sums[label]! / sizes[label]!);
  }
  const larger = Math.max(inside, outside);
  return larger === 0 ? 0 : (outside - inside) / larger;
}

function normalise(point: Float64Array, row: number): void {
  const norm = Math.sqrt(point.reduce((sum, value) => sum + value * value, 0));
  if (norm === 0)
    throw new RangeError(`Expected vectors with a direction for cosine distance, got only zeros in row ${row}`);
  for (let index = 0; index < point.length; index++) point[index]! /= norm;
}

function distance(a: Float64Array, b: Float64Array, metric: "euclidean" | "cosine"): number {
  let sum = 0;
  if (metric === "cosine") {
    for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
    return 1 - sum;
  }
  for (let index = 0; index < a.length; index++) {
    const difference = a[index]! - b[index]!;
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}
