/**
 * k-means: greedy k-means++ seeding, Lloyd's iterations with bounds, and several inits, keeping the best. By default
 * every result is then refined by splits and merges, and small ones also by swaps: Lloyd's iterations alone end in a local
 * optimum, which for 1,800 clusters has an inertia some per cent too high and a toolkit or two that should be two. `plain`
 * omits the refinement and follows scikit-learn's `KMeans(init="k-means++", algorithm="lloyd")` step by step, for
 * comparison with it.
 */
import { randomFrom } from "../../statistics/random.ts";
import { quantisePoints } from "../kernel/quantised.ts";
import { startPool } from "../kernel/worker-pool.ts";
import type { WorkerPool } from "../kernel/job.ts";
import { iterate, centresFromSeeds, type LloydLimits } from "./lloyd.ts";
import { refine } from "./refinement.ts";
import { canonicalLabels, clusterSizes } from "./partition.ts";
import { seedCentres, triesFor } from "./seeding.ts";
import { improve } from "./swaps.ts";
import { workersFor } from "../kernel/threads.ts";
import { checkVectors, type Vectors } from "./vectors.ts";
import { fill, restore, snapshot, workspaceFor, type Snapshot, type Workspace } from "../kernel/workspace.ts";

export type KMeansOptions = {
  readonly k: number;
  /** Independent seedings; the result with the lowest inertia is kept. 10 by default. */
  readonly inits?: number;
  readonly seed?: number;
  /** Most iterations of one init, 300 by default. */
  readonly iterations?: number;
  /** Tolerance relative to the mean variance of the columns; 1e-4 by default. */
  readonly tolerance?: number;
  /** Seeding and Lloyd's iterations only, as in scikit-learn; false by default. */
  readonly plain?: boolean;
  /** Worker threads; by default one for each core, none for small tasks. */
  readonly workers?: number;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: KMeansProgress) => void;
};

export type KMeansProgress = {
  /** From 0. */
  readonly init: number;
  readonly inits: number;
  readonly phase: "seeding" | "iterating";
  /** Number of seeds chosen, or of iterations done. */
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
  /** Lloyd's iterations of the best init until convergence: scikit-learn's `n_iter_`. */
  readonly iterations: number;
  /** Further iterations of the best init during refinement; 0 if the refinement changed nothing. */
  readonly refinementIterations: number;
};

/**
 * Maximum multiplications of one pass over points and centres for which each of several inits is refined by swaps, and for which
 * only the best is.
 */
const worthSwapsEach = 1e6;
const worthSwaps = 1e8;
/** Number of multiplications below which starting threads costs more time than it saves. */
const worthThreads = 2e9;

/**
 * Clusters the vectors. The result depends on vectors, k, inits, seed, iterations, tolerance and `plain`, not on the number of
 * threads. Throws on vectors that are empty or not finite, and on k below 1 or above their number; rejects with the signal's
 * reason if it is aborted.
 */
export async function kMeans(vectors: Vectors, options: KMeansOptions): Promise<KMeansResult> {
  const { k, inits = 10, seed = 0, iterations = 300, tolerance = 1e-4, plain = false, signal, progress } = options;
  checkVectors(vectors);
  checkWhole("k", k, 1, vectors.rows);
  checkWhole("inits", inits, 1, Infinity);
  checkWhole("iterations", iterations, 1, Infinity);
  signal?.throwIfAborted();
  const tries = triesFor(k);
  const cost = vectors.rows * vectors.dims * k * tries * inits;
  const workers = options.workers ?? workersFor(cost, worthThreads);
  const workspace = workspaceFor({ rows: vectors.rows, dims: vectors.dims, k, tries, threads: Math.max(1, workers) });
  const { mean, variance } = fill(workspace, vectors);
  quantisePoints(workspace);
  const pool = await startPool(workspace, workers, signal);
  try {
    const limits = { tolerance: tolerance * variance, most: iterations };
    let best: (Snapshot & Pick<KMeansResult, "iterations" | "refinementIterations">) | undefined;
    for (let init = 0; init < inits; init++) {
      const report = (phase: KMeansProgress["phase"]) => (done: number) => progress?.({ init, inits, phase, done });
      await seedCentres(workspace, `${seed}:${init}`, pool, report("seeding"));
      centresFromSeeds(workspace);
      const done = await iterate(workspace, limits, pool, report("iterating"));
      const swaps = randomFrom(`${seed}:${init}:swaps`);
      const refinementIterations = plain ? 0 : await refineOne(workspace, limits, pool, inits > 1 ? swaps : undefined);
      const inertia = inertiaOf(workspace);
      if (best === undefined || inertia < best.inertia)
        best = { ...snapshot(workspace, inertia), iterations: done, refinementIterations };
    }
    restore(workspace, best!);
    let { refinementIterations } = best!;
    const size = sizeOf(workspace);
    if (!plain && inits > 1 && size > worthSwapsEach && size <= worthSwaps) {
      refinementIterations += await improve(workspace, randomFrom(`${seed}:swaps`), limits, pool, inertiaOf);
    }
    return result(workspace, mean, {
      inertia: inertiaOf(workspace),
      iterations: best!.iterations,
      refinementIterations,
    });
  } finally {
    await pool.close();
  }
}

/** Returns the multiplications of one pass over points and centres. */
const sizeOf = ({ shape: { dims, k, rows } }: Workspace): number => rows * dims * k;

/**
 * Refines the result of one init by splits and merges; with `random`, refines small results also by swaps. Returns the number of
 * iterations.
 */
async function refineOne(
  workspace: Workspace,
  limits: LloydLimits,
  pool: WorkerPool,
  random: (() => number) | undefined,
): Promise<number> {
  const size = sizeOf(workspace);
  const refined = await refine(workspace, limits, pool, inertiaOf, size <= worthSwaps ? 2e-4 : 4e-3);
  if (random === undefined || size > worthSwapsEach) return refined;
  return refined + (await improve(workspace, random, limits, pool, inertiaOf));
}

function checkWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}, the number of vectors`;
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
  metrics: Pick<KMeansResult, "inertia" | "iterations" | "refinementIterations">,
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
  return { labels: canonical, sizes: clusterSizes(canonical), centres: rows, ...metrics };
}
