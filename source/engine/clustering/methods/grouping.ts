/** Clustering in one call, as commands and suites ask for it: a method by name, its settings, the facts of the result. */
import { isMainThread } from "node:worker_threads";
import { dbscan } from "./dbscan.ts";
import { kMeans, type KMeansProgress } from "./k-means.ts";
import { singletons } from "./partition.ts";
import { triesFor } from "./seeding.ts";
import { sampledSilhouette, silhouette } from "./silhouette.ts";
import { hasThreads, hearThread } from "../kernel/threads.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { Vectors } from "./vectors.ts";

export const methods = ["kmeans", "dbscan"] as const;
export type Method = (typeof methods)[number];

export type GroupingSettings =
  | {
      readonly method: "kmeans";
      readonly k: number;
      readonly inits?: number;
      readonly seed?: number;
      readonly plain?: boolean;
    }
  | { readonly method: "dbscan"; readonly eps: number };

export type Grouping = {
  readonly method: Method;
  /** Number of clusters asked for (k-means) or found (DBSCAN). */
  readonly k: number;
  readonly labels: Int32Array;
  readonly sizes: readonly number[];
  /** k-means only. */
  readonly inertia: number | undefined;
  /** Lloyd's iterations of the best seeding; 1 for DBSCAN. */
  readonly iterations: number;
  /** k-means only: iterations after that, following splits, merges and swaps. */
  readonly mending: number | undefined;
  /** Euclidean for k-means, cosine for DBSCAN; undefined where it has no meaning. */
  readonly silhouette: number | undefined;
  /** Vectors the silhouette is the mean of: all of them, or fewer drawn at random from many. */
  readonly silhouetteOf: number;
};

/** `comparing`: pieces of the comparison of all pairs; `measuring`: vectors whose silhouette is known. */
export type GroupingProgress =
  | KMeansProgress
  | { readonly stage: "comparing" | "measuring"; readonly done: number; readonly total: number };

export type GroupingOptions = {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: GroupingProgress) => void;
  /** Most pairs the silhouette compares; above, it is that of a sample. By default what 20,000 vectors need. */
  readonly comparisons?: number;
};

const usualComparisons = 20_000 ** 2;
/** Multiplications in one piece, and in all, above which the work leaves this thread: a screen must not wait for it. */
const longPiece = 2e7;
const longWork = 4e8;
/** Numbers copied before the event loop may have its turn. */
const copiedAtOnce = 1 << 20;

/**
 * Clusters the vectors; large tasks wholly in other threads, so that this one stays free. Throws what `kMeans` and
 * `dbscan` throw.
 */
export async function group(
  vectors: Vectors,
  settings: GroupingSettings,
  options: GroupingOptions = {},
): Promise<Grouping> {
  const comparisons = options.comparisons ?? usualComparisons;
  const isLong = isMainThread && hasThreads() && isLongFor(vectors, settings, comparisons);
  return isLong
    ? groupElsewhere(vectors, settings, options)
    : groupHere(vectors, settings, { ...options, comparisons });
}

function isLongFor({ rows, dims }: Vectors, settings: GroupingSettings, comparisons: number): boolean {
  if (Math.min(rows * rows, comparisons) * dims > longWork) return true;
  if (settings.method === "dbscan") return (rows * rows * dims) / 2 > longWork;
  const { k, inits = 10 } = settings;
  return rows * dims * k > longPiece || rows * dims * k * inits * triesFor(k) > longWork;
}

/** What the thread says: how far it is, its result, or the error it met. */
type Said = { readonly progress?: GroupingProgress; readonly result?: Grouping; readonly error?: Error };

async function groupElsewhere(
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
  const hear = (message: unknown): Grouping | undefined => {
    const said = message as Said;
    if (said.error !== undefined) throw said.error;
    if (said.progress !== undefined) progress?.(said.progress);
    return said.result;
  };
  return hearThread({ task: "group", vectors: { rows, dims, values: shared }, settings, comparisons }, hear, signal);
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
    progress: (done: number, total: number) => progress?.({ stage: "measuring", done, total }),
  };
  const { rows } = vectors;
  const subjects = Math.min(rows, Math.max(1, Math.floor(comparisons / rows)));
  const value =
    subjects === rows
      ? await silhouette(vectors, found.labels, metric, measuring)
      : await sampledSilhouette(vectors, found.labels, metric, subjects, measuring);
  return { ...found, silhouette: value, silhouetteOf: subjects };
}

/** The facts of a grouping under the names analyses look for in a score's metrics. */
export function groupingMetrics({
  inertia,
  labels,
  silhouette: value,
  silhouetteOf,
  sizes,
}: Grouping): Record<string, number> {
  return {
    "cluster.count": sizes.length,
    "cluster.singletons": singletons(sizes),
    ...(inertia === undefined ? {} : { "cluster.inertia": inertia }),
    ...(value === undefined ? {} : { "cluster.silhouette": value }),
    ...(value === undefined || silhouetteOf === labels.length ? {} : { "cluster.silhouette.sampled": silhouetteOf }),
  };
}

type Found = Omit<Grouping, "silhouette" | "silhouetteOf">;

async function byKMeans(
  vectors: Vectors,
  { method, ...wanted }: Extract<GroupingSettings, { method: "kmeans" }>,
  { progress, signal }: GroupingOptions,
): Promise<Found> {
  const { labels, sizes, inertia, iterations, mending } = await kMeans(vectors, {
    ...wanted,
    ...(signal === undefined ? {} : { signal }),
    ...(progress === undefined ? {} : { progress }),
  });
  return { method, k: wanted.k, labels, sizes, inertia, iterations, mending };
}

async function byDbscan(
  vectors: Vectors,
  { method, eps }: Extract<GroupingSettings, { method: "dbscan" }>,
  { progress, signal }: GroupingOptions,
): Promise<Found> {
  const [found] = await dbscan(vectors, [eps], {
    ...(signal === undefined ? {} : { signal }),
    progress: (done, total) => progress?.({ stage: "comparing", done, total }),
  });
  const { labels, sizes } = found!;
  return { method, k: sizes.length, labels, sizes, inertia: undefined, iterations: 1, mending: undefined };
}
