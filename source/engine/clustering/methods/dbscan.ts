/**
 * DBSCAN with cosine distance 1 - a.b / (|a| |b|) and min_pts 1. Then every point is a core point, there is no noise, and
 * the clusters are exactly the connected components of "distance <= eps". Decided in float64.
 */
import {
  components,
  tilesFor,
  tileSlot,
  setRow,
  compareNextTile,
  type NeighbourTiles,
} from "../kernel/neighbour-tiles.ts";
import { canonicalLabels, clusterSizes } from "./partition.ts";
import { parallelFor } from "../kernel/threads.ts";
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
  /** Called with the number of pieces done of the comparison of all pairs. */
  readonly progress?: (done: number, total: number) => void;
  /** Worker threads; by default one for each core, none for small tasks. */
  readonly workers?: number;
};

/**
 * Returns the partition for every eps, in the given order; pairs are compared once for all partitions. Throws on vectors that are
 * empty, not finite or all zeros (their cosine distance is undefined), and on an eps outside 0 to 2; rejects with the signal's
 * reason if it is aborted. The result does not depend on the number of threads.
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
  const prepare = async (threads: number): Promise<NeighbourTiles> => {
    const tiles = tilesFor({ rows, dims, forests: sorted.length, threads });
    tiles.eps.set(sorted);
    tiles.parents.forEach((_, index) => (tiles.parents[index] = index % rows));
    const yieldIfDue = eventLoopYielder(signal);
    for (let row = 0; row < rows; row++) {
      setRow(tiles, vectors, row);
      if (row % 64 === 0) await yieldIfDue();
    }
    return tiles;
  };
  const tiles = await parallelFor({
    multiplications: (rows * rows * dims) / 2,
    workers,
    prepare,
    assignment: ({ shape, kernel }, thread) => ({ task: "neighbour-tiles", shape, memory: kernel.memory, thread }),
    runNext: (all) => compareNextTile(all, 0),
    progress: ({ control, tileCount }) => progress?.(Atomics.load(control, tileSlot.done), tileCount),
    signal,
  });
  const found = new Map(sorted.map((one, index) => [one, canonicalLabels(components(tiles, index))]));
  return eps.map((one) => ({ eps: one, labels: found.get(one)!, sizes: clusterSizes(found.get(one)!) }));
}
