/**
 * DBSCAN with cosine distance 1 - a.b / (|a| |b|) and min_pts 1. Then every point is a core point, there is no noise, and
 * the clusters are exactly the connected components of "distance <= eps". Computed in float64.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { canonicalLabels, clusterSizes } from "./partition.ts";
import { checkVectors, type Vectors } from "./vectors.ts";

export type DbscanResult = {
  readonly eps: number;
  /** Renumbered by first appearance. */
  readonly labels: Int32Array;
  readonly sizes: readonly number[];
};

export type DbscanOptions = {
  readonly signal?: AbortSignal;
  /** Rows compared with all rows before them, of all rows. */
  readonly progress?: (done: number, rows: number) => void;
};

/** How long the event loop may wait for its turn, in milliseconds. */
const turn = 30;

/**
 * The partition for every eps, in the order given; distances are computed once for all of them. Throws on vectors that are
 * empty, not finite or all zero (they have no direction), and on an eps outside 0 to 2.
 */
export async function dbscan(
  vectors: Vectors,
  eps: readonly number[],
  { signal, progress }: DbscanOptions = {},
): Promise<DbscanResult[]> {
  checkVectors(vectors);
  for (const one of eps) {
    if (!(one >= 0 && one <= 2))
      throw new RangeError(`Expected \`eps\` to be a cosine distance from 0 to 2, got \`${one}\``);
  }
  const { rows, dims } = vectors;
  const values = Float64Array.from(vectors.values);
  const norms = normsOf(values, rows, dims);
  const sorted = [...new Set(eps)].sort((a, b) => b - a);
  const forests = sorted.map((one) => ({ eps: one, parents: Int32Array.from({ length: rows }, (_, row) => row) }));
  const widest = sorted[0] ?? -1;
  let since = performance.now();
  for (let row = 1; row < rows; row++) {
    for (let other = 0; other < row; other++) {
      const distance = 1 - dot(values, row * dims, other * dims, dims) / (norms[row]! * norms[other]!);
      if (distance > widest) continue;
      for (const forest of forests) {
        if (distance > forest.eps) break;
        join(forest.parents, row, other);
      }
    }
    if (performance.now() - since < turn) continue;
    signal?.throwIfAborted();
    progress?.(row, rows);
    await nextTurn();
    since = performance.now();
  }
  return eps.map((one) => {
    const { parents } = forests.find((forest) => forest.eps === one)!;
    const labels = canonicalLabels(parents.map((_, row) => rootOf(parents, row)));
    return { eps: one, labels, sizes: clusterSizes(labels) };
  });
}

function normsOf(values: Float64Array, rows: number, dims: number): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    const norm = Math.sqrt(dot(values, row * dims, row * dims, dims));
    if (norm === 0)
      throw new RangeError(`Expected vectors with a direction for cosine distance, got only zeros in row ${row}`);
    return norm;
  });
}

function dot(values: Float64Array, a: number, b: number, dims: number): number {
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

/** The root of a member's tree; halves the path on the way. */
function rootOf(parents: Int32Array, member: number): number {
  while (parents[member] !== member) {
    parents[member] = parents[parents[member]!]!;
    member = parents[member]!;
  }
  return member;
}

function join(parents: Int32Array, a: number, b: number): void {
  const first = rootOf(parents, a);
  const second = rootOf(parents, b);
  if (first !== second) parents[Math.max(first, second)] = Math.min(first, second);
}
