/** Clustering in one call, for commands and suites: method, settings, and the metrics of the result. */
import { isMainThread } from "node:worker_threads";
import { dbscan } from "./dbscan.ts";
import { kMeans, type KMeansProgress } from "./k-means.ts";
import { singletons } from "./partition.ts";
import { triesFor } from "./seeding.ts";
import { sampledSilhouette, silhouette } from "./silhouette.ts";
import { hasThreads, runInThread } from "../kernel/threads.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { GroupingSettings, Method } from "./settings.ts";
import type { Vectors } from "./vectors.ts";

export type Grouping = {
  readonly method: Method;
  /** Number of clusters requested (k-means) or found (DBSCAN). */
  readonly k: number;
  readonly labels: Int32Array;
  readonly sizes: readonly number[];
  /** Sum of squared distances to the centres; only for k-means. */
  readonly inertia: number | undefined;
  /** Lloyd's iterations of the best seeding; 1 for DBSCAN. */
  readonly iterations: number;
  /** Further iterations of the refinement by splits, merges and swaps; only for k-means. */
  readonly refinementIterations: number | undefined;
  /** Euclidean for k-means, cosine for DBSCAN; undefined if the silhouette is not defined. */
  readonly silhouette: number | undefined;
  /** Number of vectors behind the mean silhouette: all, or a random sample of many. */
  readonly silhouetteOf: number;
};

/** Progress of comparing all pairs, for clustering and for the silhouette. */
export type GroupingProgress =
  | KMeansProgress
  | { readonly phase: "comparing" | "measuring"; readonly done: number; readonly total: number };

type GroupingOptions = {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: GroupingProgress) => void;
  /**
   * Maximum number of pairs compared for the silhouette; above it, the silhouette is estimated from a sample. The default is the
   * number for 20,000 vectors.
   */
  readonly comparisons?: number;
};

const defaultComparisons = 20_000 ** 2;
/**
 * Multiplications, in one part and in total, above which the work is done in another thread so that it does not block the screen.
 */
const longPiece = 2e7;
const longWork = 4e8;
/** Numbers copied between yields to the event loop. */
const copiedAtOnce = 1 << 20;

/**
 * Clusters the vectors. Large tasks run entirely in other threads, so that this thread is not blocked. Throws the errors of
 * `kMeans` and `dbscan`.
 */
export async function group(vectors: Vectors, settings: GroupingSettings, options: GroupingOptions = {}) {
  const comparisons = options.comparisons ?? defaultComparisons;
  const isLong = isMainThread && hasThreads() && isLongFor(vectors, settings, comparisons);
  return isLong ? groupInThread(vectors, settings, options) : groupHere(vectors, settings, { ...options, comparisons });
}

function isLongFor({ rows, dims }: Vectors, settings: GroupingSettings, comparisons: number): boolean {
  if (Math.min(rows * rows, comparisons) * dims > longWork) return true;
  if (settings.method === "dbscan") return (rows * rows * dims) / 2 > longWork;
  const { k, inits = 10 } = settings;
  return rows * dims * k > longPiece || rows * dims * k * inits * triesFor(k) > longWork;
}

/** A message of the thread: progress, its result, or the thrown error. */
type ThreadMessage = { readonly progress?: GroupingProgress; readonly result?: Grouping; readonly error?: Error };

async function groupInThread(
  { rows, dims, values }: Vectors,
  settings: GroupingSettings,
  { comparisons, progress, signal }: GroupingOptions,
): Promise<Grouping> {
  const shared = new Float32Array(new SharedArrayBuffer(values.byteLength));
  const yieldIfDue = eventLoopYielder(signal);
  for (let at = 0; at < values.length; at += copiedAtOnce) {
    shared.set(values.subarray(at, at + copiedAtOnce), at);
    await yieldIfDue();
  }
  const receive = (message: unknown): Grouping | undefined => {
    const received = message as ThreadMessage;
    if (received.error !== undefined) throw received.error;
    if (received.progress !== undefined) progress?.(received.progress);
    return received.result;
  };
  return runInThread(
    { task: "group", vectors: { rows, dims, values: shared }, settings, comparisons },
    receive,
    signal,
  );
}

async function groupHere(
  vectors: Vectors,
  settings: GroupingSettings,
  options: GroupingOptions & { readonly comparisons: number },
): Promise<Grouping> {
  const { comparisons, progress, signal } = options;
  const found =
    settings.method === "kmeans"
      ? await byKMeans(vectors, settings, options)
      : await byDbscan(vectors, settings, options);
  const metric = settings.method === "kmeans" ? "euclidean" : "cosine";
  const measuring = {
    ...(signal === undefined ? {} : { signal }),
    progress: (done: number, total: number) => progress?.({ phase: "measuring", done, total }),
  };
  const { rows } = vectors;
  const subjects = Math.min(rows, Math.max(1, Math.floor(comparisons / rows)));
  const value =
    subjects === rows
      ? await silhouette(vectors, found.labels, metric, measuring)
      : await sampledSilhouette(vectors, found.labels, metric, subjects, measuring);
  return { ...found, silhouette: value, silhouetteOf: subjects };
}

/** Returns the metrics of a grouping, under the names that analyses read in a score. */
export const groupingMetrics = ({ inertia, labels, silhouette: value, silhouetteOf, sizes }: Grouping) => ({
  "cluster.count": sizes.length,
  "cluster.singletons": singletons(sizes),
  ...(inertia === undefined ? {} : { "cluster.inertia": inertia }),
  ...(value === undefined ? {} : { "cluster.silhouette": value }),
  ...(value === undefined || silhouetteOf === labels.length ? {} : { "cluster.silhouette.sampled": silhouetteOf }),
});

type Found = Omit<Grouping, "silhouette" | "silhouetteOf">;

async function byKMeans(
  vectors: Vectors,
  { method, ...settings }: Extract<GroupingSettings, { method: "kmeans" }>,
  { progress, signal }: GroupingOptions,
): Promise<Found> {
  const { labels, sizes, inertia, iterations, refinementIterations } = await kMeans(vectors, {
    ...settings,
    ...(signal === undefined ? {} : { signal }),
    ...(progress === undefined ? {} : { progress }),
  });
  return { method, k: settings.k, labels, sizes, inertia, iterations, refinementIterations };
}

async function byDbscan(
  vectors: Vectors,
  { method, eps }: Extract<GroupingSettings, { method: "dbscan" }>,
  { progress, signal }: GroupingOptions,
): Promise<Found> {
  const [found] = await dbscan(vectors, [eps], {
    ...(signal === undefined ? {} : { signal }),
    progress: (done, total) => progress?.({ phase: "comparing", done, total }),
  });
  const { labels, sizes } = found!;
  return { method, k: sizes.length, labels, sizes, inertia: undefined, iterations: 1, refinementIterations: undefined };
}

/** `k`: the number of clusters requested, if known. */
export function progressText(progress: GroupingProgress, k?: number): string {
  if ("init" in progress) {
    const { done, init, inits, phase } = progress;
    const which = inits === 1 ? "" : `init ${init + 1} of ${inits}: `;
    if (phase === "iterating") return `${which}iteration ${done}`;
    return `${which}seeding ${done.toLocaleString("en")}${k === undefined ? "" : ` of ${k.toLocaleString("en")}`}`;
  }
  const { done, phase, total } = progress;
  const what = phase === "comparing" ? "comparing all pairs of vectors" : "silhouette";
  return `${what}: ${Math.floor((100 * done) / total)} % done`;
}
