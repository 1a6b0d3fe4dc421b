/** Clustering in one call, as commands and suites ask for it: a method by name, its settings, the facts of the result. */
import { dbscan } from "./dbscan.ts";
import { kMeans, type KMeansProgress } from "./k-means.ts";
import { singletons } from "./partition.ts";
import { silhouette } from "./silhouette.ts";
import type { Vectors } from "./vectors.ts";

export const methods = ["kmeans", "dbscan"] as const;
export type Method = (typeof methods)[number];

export type GroupingSettings =
  | { readonly method: "kmeans"; readonly k: number; readonly inits?: number; readonly seed?: number }
  | { readonly method: "dbscan"; readonly eps: number };

export type Grouping = {
  readonly method: Method;
  /** Number of clusters asked for (k-means) or found (DBSCAN). */
  readonly k: number;
  readonly labels: Int32Array;
  readonly sizes: readonly number[];
  /** k-means only. */
  readonly inertia: number | undefined;
  readonly iterations: number;
  /** Euclidean for k-means, cosine for DBSCAN; undefined where it has no meaning or there are too many vectors. */
  readonly silhouette: number | undefined;
};

/** Vectors up to which the silhouette is computed: it compares every pair. */
export const mostForSilhouette = 5000;

/** Clusters the vectors. Throws what `kMeans` and `dbscan` throw. */
export async function group(
  vectors: Vectors,
  settings: GroupingSettings,
  options: { readonly signal?: AbortSignal; readonly progress?: (progress: KMeansProgress) => void } = {},
): Promise<Grouping> {
  const { signal } = options;
  const found =
    settings.method === "kmeans"
      ? await byKMeans(vectors, settings, options)
      : await byDbscan(vectors, settings, signal);
  const metric = settings.method === "kmeans" ? "euclidean" : "cosine";
  const measured = vectors.rows <= mostForSilhouette;
  return { ...found, silhouette: measured ? await silhouette(vectors, found.labels, metric, signal) : undefined };
}

/** The facts of a grouping under the names analyses look for in a score's metrics. */
export function groupingMetrics({ sizes, inertia, silhouette: value }: Grouping): Record<string, number> {
  return {
    "cluster.count": sizes.length,
    "cluster.singletons": singletons(sizes),
    ...(inertia === undefined ? {} : { "cluster.inertia": inertia }),
    ...(value === undefined ? {} : { "cluster.silhouette": value }),
  };
}

type Found = Omit<Grouping, "silhouette">;

async function byKMeans(
  vectors: Vectors,
  settings: Extract<GroupingSettings, { method: "kmeans" }>,
  options: { readonly signal?: AbortSignal; readonly progress?: (progress: KMeansProgress) => void },
): Promise<Found> {
  const { method, ...wanted } = settings;
  const { labels, sizes, inertia, iterations } = await kMeans(vectors, { ...wanted, ...options });
  return { method, k: wanted.k, labels, sizes, inertia, iterations };
}

async function byDbscan(
  vectors: Vectors,
  { method, eps }: Extract<GroupingSettings, { method: "dbscan" }>,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const [found] = await dbscan(vectors, [eps], signal === undefined ? {} : { signal });
  const { labels, sizes } = found!;
  return { method, k: sizes.length, labels, sizes, inertia: undefined, iterations: 1 };
}
