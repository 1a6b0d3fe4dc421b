/** k-means: greedy k-means++ seeding, Lloyd's iterations with bounds, several inits, the best one kept. */
import { randomFrom } from "../random.ts";
import { roundPoints } from "./coarse.ts";
import { gather, threadsFor } from "./crew.ts";
import { iterate, placeSeeds } from "./lloyd.ts";
import { mend } from "./mending.ts";
import { canonicalLabels, clusterSizes } from "./partition.ts";
import { seedCentres, triesFor } from "./seeding.ts";
import { improve } from "./swaps.ts";
import { checkVectors, type Vectors } from "./vectors.ts";
import { fill, restore, snapshot, workspaceFor, type Snapshot, type Workspace } from "./workspace.ts";

export type KMeansOptions = {
  readonly k: number;
  /** Independent seedings; the result with the lowest inertia is kept. 10 by default. */
  readonly inits?: number;
  readonly seed?: number;
  /** Most iterations of one init, 300 by default. */
  readonly iterations?: number;
  /** Relative to the mean variance of the columns, 1e-4 by default. */
  readonly tolerance?: number;
  /** Worker threads; by default as many as there are cores, and none for small tasks. */
  readonly workers?: number;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: KMeansProgress) => void;
};

export type KMeansProgress = {
  /** From 0. */
  readonly init: number;
  readonly inits: number;
  readonly stage: "seeding" | "iterating";
  /** Seeds chosen, or iterations done. */
  readonly done: number;
};

export type KMeansResult = {
  /** Renumbered by first appearance. */
  readonly labels: Int32Array;
  readonly sizes: readonly number[];
  /** One row per cluster, in the order of the labels; centres without any point come last. */
  readonly centres: Vectors;
  /** Sum of squared distances to the centres, in float64. */
  readonly inertia: number;
  readonly iterations: number;
};

/**
 * Multiplications of one pass over points and centres up to which every one of several inits, or else the best of them,
 * is followed by a search by swaps.
 */
const worthSwapsEach = 1e6;
const worthSwaps = 1e8;
/** Multiplications below which starting threads costs more than it saves. */
const worthThreads = 2e9;

/**
 * Clusters the vectors. The result depends on vectors, k, inits, seed, iterations and tolerance, never on the number of
 * threads. Throws on vectors that are empty or not finite, and on k below 1 or above their number; rejects with the
 * signal's reason when it is aborted.
 */
export async function kMeans(vectors: Vectors, options: KMeansOptions): Promise<KMeansResult> {
  const { k, inits = 10, seed = 0, iterations = 300, tolerance = 1e-4, signal, progress } = options;
  checkVectors(vectors);
  checkWhole("k", k, 1, vectors.rows);
  checkWhole("inits", inits, 1, Infinity);
  checkWhole("iterations", iterations, 1, Infinity);
  signal?.throwIfAborted();
  const tries = triesFor(k);
  const cost = vectors.rows * vectors.dims * k * tries * inits;
  const workers = options.workers ?? (cost < worthThreads || threadsFor() === 1 ? 0 : threadsFor());
  const workspace = workspaceFor({ rows: vectors.rows, dims: vectors.dims, k, tries, threads: Math.max(1, workers) });
  const { mean, variance } = fill(workspace, vectors);
  roundPoints(workspace);
  const crew = await gather(workspace, workers, signal);
  try {
    const size = vectors.rows * vectors.dims * k;
    const limits = { tolerance: tolerance * variance, most: iterations };
    let best: (Snapshot & { readonly iterations: number }) | undefined;
    for (let init = 0; init < inits; init++) {
      const tell = (stage: KMeansProgress["stage"]) => (done: number) => progress?.({ init, inits, stage, done });
      await seedCentres(workspace, randomFrom(`${seed}:${init}`), crew, tell("seeding"));
      placeSeeds(workspace);
      let done = await iterate(workspace, limits, crew, tell("iterating"));
      done += await mend(workspace, limits, crew, inertiaOf, size <= worthSwaps ? 2e-4 : 4e-3);
      if (inits > 1 && size <= worthSwapsEach) {
        done += await improve(workspace, randomFrom(`${seed}:${init}:swaps`), limits, crew, inertiaOf);
      }
      const inertia = inertiaOf(workspace);
      if (best === undefined || inertia < best.inertia) best = { ...snapshot(workspace, inertia), iterations: done };
    }
    restore(workspace, best!);
    let done = best!.iterations;
    if (inits > 1 && size > worthSwapsEach && size <= worthSwaps) {
      done += await improve(workspace, randomFrom(`${seed}:swaps`), limits, crew, inertiaOf);
    }
    return result(workspace, mean, inertiaOf(workspace), done);
  } finally {
    await crew.close();
  }
}

function checkWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to the number of vectors, ${most}`;
  throw new RangeError(`Expected \`${name}\` to be a whole number ${range}, got \`${value}\``);
}

function inertiaOf({ centres, labels, points, shape, stride }: Workspace): number {
  const width = stride / 4;
  let sum = 0;
  for (let row = 0; row < shape.rows; row++) {
    const centre = labels[row]! * width;
    for (let column = 0, at = row * width; column < shape.dims; column++) {
      const difference = points[at++]! - centres[centre + column]!;
      sum += difference * difference;
    }
  }
  return sum;
}

function result(
  { centres, labels, shape, stride }: Workspace,
  mean: Float64Array,
  inertia: number,
  done: number,
): KMeansResult {
  const canonical = canonicalLabels(labels);
  const order = [...new Set(labels)];
  for (let label = 0; order.length < shape.k; label++) if (!order.includes(label)) order.push(label);
  const values = new Float32Array(shape.k * shape.dims);
  order.forEach((label, index) => {
    for (let column = 0; column < shape.dims; column++) {
      values[index * shape.dims + column] = mean[column]! + centres[(label * stride) / 4 + column]!;
    }
  });
  const rows = { rows: shape.k, dims: shape.dims, values };
  return { labels: canonical, sizes: clusterSizes(canonical), centres: rows, inertia, iterations: done };
}
