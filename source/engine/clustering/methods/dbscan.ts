/**
 * DBSCAN with cosine distance 1 - a.b / (|a| |b|) and min_pts 1. Then every point is a core point, there is no noise, and
 * the clusters are exactly the connected components of "distance <= eps". Decided in float64.
 */
import { joined, nearFor, place, placeRow, takeTile, type Near } from "../kernel/near.ts";
import { canonicalLabels, clusterSizes } from "./partition.ts";
import { share } from "../kernel/sharing.ts";
import { checkVectors, type Vectors } from "./vectors.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";

export type DbscanResult = {
  readonly eps: number;
  /** Renumbered by first appearance. */
  readonly labels: Int32Array;
  readonly sizes: readonly number[];
};

export type DbscanOptions = {
  readonly signal?: AbortSignal;
  /** Pieces of the comparison of every pair that are done, of all of them. */
  readonly progress?: (done: number, total: number) => void;
  /** Worker threads; by default as many as there are cores, and none for small tasks. */
  readonly workers?: number;
};

/**
 * The partition for every eps, in the order given; pairs are gone through once for all of them. Throws on vectors that are
 * empty, not finite or all zero (they have no direction), and on an eps outside 0 to 2; rejects with the signal's reason
 * when it is aborted. The result does not depend on the number of threads.
 */
export async function dbscan(
  vectors: Vectors,
  eps: readonly number[],
  { signal, progress, workers }: DbscanOptions = {},
): Promise<DbscanResult[]> {
  checkVectors(vectors);
  for (const one of eps) {
    if (!(one >= 0 && one <= 2))
      throw new RangeError(`Expected \`eps\` to be a cosine distance from 0 to 2, got \`${one}\``);
  }
  signal?.throwIfAborted();
  if (eps.length === 0) return [];
  const { rows, dims } = vectors;
  const sorted = [...new Set(eps)].sort((a, b) => b - a);
  const prepare = async (threads: number): Promise<Near> => {
    const near = nearFor({ rows, dims, forests: sorted.length, threads });
    near.eps.set(sorted);
    near.parents.forEach((_, index) => (near.parents[index] = index % rows));
    const yieldIfDue = eventLoopYielder(signal);
    for (let row = 0; row < rows; row++) {
      placeRow(near, vectors, row);
      if (row % 64 === 0) await yieldIfDue();
    }
    return near;
  };
  const near = await share({
    multiplications: (rows * rows * dims) / 2,
    workers,
    prepare,
    assignment: ({ shape, kernel }, thread) => ({ task: "near", shape, memory: kernel.memory, thread }),
    take: (all) => takeTile(all, 0),
    progress: ({ control, tiles }) => progress?.(Atomics.load(control, place.done), tiles),
    signal,
  });
  const found = new Map(sorted.map((one, index) => [one, canonicalLabels(joined(near, index))]));
  return eps.map((one) => ({ eps: one, labels: found.get(one)!, sizes: clusterSizes(found.get(one)!) }));
}
