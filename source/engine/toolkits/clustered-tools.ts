/** A suite's tools grouped into toolkits by what their texts say, with the engine's embedding and methods. */
import { clusterView } from "../clustering/cluster-view.ts";
import { embedAll } from "../clustering/embedder.ts";
import { group, groupingMetrics } from "../clustering/grouping.ts";
import { lexicalEmbedder } from "../clustering/lexical-embedder.ts";
import type { LibraryApi } from "../clustering/library.ts";
import { toolkits } from "../clustering/toolkits.ts";
import type { Clusters } from "../clusters.ts";
import type { Toolkit } from "../protocol.ts";
import type { RunSpec, ToolSpec } from "../types.ts";

/** One tool with what it is clustered by. */
export type ClusterItem = {
  readonly spec: ToolSpec;
  readonly name: string;
  readonly text: string;
  readonly package: string;
  readonly category: string;
};
export type Clustered = {
  readonly toolkits: readonly Toolkit[];
  readonly metrics: Readonly<Record<string, number>>;
  /** For the panes; made when it is asked for, as it compares every pair. */
  readonly view?: () => Promise<Clusters>;
};
export type ClusterSettings = { readonly method: "kmeans" | "dbscan"; readonly k: number; readonly eps: number };

/** Mean size of a toolkit where no k is given: 9, the paper's best, and 4 for catalogues as small as a sample's. */
const meanSize = (count: number): number => (count <= 100 ? 4 : 9);
/** Tools from which on one seeding has to do: ten would take most of an hour. */
const many = 5000;

/** Pairs the silhouette compares: a few seconds' work, all of 7,000 tools and a sample of more. */
const comparisons = 5e7;

/** The clustering settings of a run. */
export function clusterSettings(options: RunSpec["options"], count: number): ClusterSettings {
  const k = Number(options["clusters.k"] ?? 0);
  const eps = Number(options["clusters.eps"] ?? 0.02);
  return {
    method: options["clusters.method"] === "dbscan" ? "dbscan" : "kmeans",
    k: Number.isInteger(k) && k > 0 ? k : Math.max(1, Math.round(count / meanSize(count))),
    eps,
  };
}

/**
 * Clusters tools by their texts. A k above their number becomes their number (a query may offer fewer tools than there are
 * toolkits). Throws what the engine throws for an eps outside its range.
 */
export async function clusterTools(
  items: readonly ClusterItem[],
  settings: ClusterSettings,
  signal: AbortSignal,
): Promise<Clustered> {
  const vectors = await embedAll(
    lexicalEmbedder(),
    items.map(({ text }) => text),
    { signal },
  );
  const { method, eps } = settings;
  const k = Math.min(settings.k, items.length);
  const inits = items.length >= many ? { inits: 1 } : {};
  const wanted = method === "dbscan" ? { method, eps } : { method, k, seed: 0, ...inits };
  const grouping = await group(vectors, wanted, { signal, comparisons });
  const found = await toolkits(items.map(libraryApi), grouping.labels);
  const toolkit = ({ id, description, apis }: (typeof found)[number]): Toolkit => ({
    id,
    description,
    tools: apis.map(({ id: index }) => items[index]!.spec),
  });
  const names = items.map(({ spec, category }) => ({ name: spec.name, group: category }));
  const view = () => clusterView(names, vectors, grouping.labels, found);
  return { toolkits: found.map(toolkit), metrics: groupingMetrics(grouping), view };
}

const libraryApi = (item: ClusterItem, id: number): LibraryApi => ({
  functionality: item.text,
  id,
  api_dest: {
    name: item.name,
    package_name: item.package,
    type_name: item.category,
    desc: item.text,
    package_desc: "",
  },
  api_doc: {},
  toolkit: -1,
  toolkit_fun: "",
});
