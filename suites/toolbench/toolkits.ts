/** Clustering the APIs of a scope into toolkits, with the engine's embedding and methods. */
import { existsSync } from "node:fs";
import { embedAll } from "../../source/engine/clustering/embedder.ts";
import { group, groupingMetrics } from "../../source/engine/clustering/grouping.ts";
import { lexicalEmbedder } from "../../source/engine/clustering/lexical-embedder.ts";
import { readLibrary, type LibraryApi } from "../../source/engine/clustering/library.ts";
import { toolkits, toolkitsIn } from "../../source/engine/clustering/toolkits.ts";
import { DataProblem } from "../../source/engine/json-lines.ts";
import type { Toolkit } from "../../source/engine/protocol.ts";
import type { RunSpec } from "../../source/engine/types.ts";
import { functionName, standardize } from "./names.ts";
import { dataPath, type Api, type Scope } from "./records.ts";

export type Clustered = { readonly toolkits: readonly Toolkit[]; readonly metrics: Readonly<Record<string, number>> };

/** Mean size of a toolkit where no k is given: 9, the paper's best, and 4 for catalogues as small as the sample's. */
const meanSize = (count: number): number => (count <= 100 ? 4 : 9);
/** APIs from which on one seeding has to do: ten would take most of an hour. */
const manyApis = 5000;

export type ClusterSettings = { readonly method: "kmeans" | "dbscan"; readonly k: number; readonly eps: number };

/** The clustering options of a run. */
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
 * Clusters APIs by their descriptions. A k above their number becomes their number (a query may offer fewer APIs than the
 * catalogue has toolkits). Throws what the engine throws for an eps outside its range.
 */
export async function clusterApis(
  apis: readonly Api[],
  settings: ClusterSettings,
  signal: AbortSignal,
): Promise<Clustered> {
  const vectors = await embedAll(
    lexicalEmbedder(),
    apis.map(({ text }) => text),
    { signal },
  );
  const { method, eps } = settings;
  const k = Math.min(settings.k, apis.length);
  const inits = apis.length >= manyApis ? { inits: 1 } : {};
  const grouping = await group(vectors, method === "dbscan" ? { method, eps } : { method, k, seed: 0, ...inits }, {
    signal,
  });
  const found = toolkits(apis.map(libraryApi), grouping.labels);
  return {
    toolkits: found.map(({ id, description, apis: members }) => ({
      id,
      description,
      tools: members.map(({ id: index }) => apis[index]!.spec),
    })),
    metrics: groupingMetrics(grouping),
  };
}

const libraryApi = ({ record, text }: Api, id: number): LibraryApi => ({
  functionality: text,
  id,
  api_dest: {
    name: record.api_name,
    package_name: record.tool_name,
    type_name: record.category_name,
    desc: record.api_description,
    package_desc: "",
  },
  api_doc: {},
  toolkit: -1,
  toolkit_fun: "",
});

/** Toolkits from a library file that `planwright cluster` (or the official program) wrote to `toolkits/<scope>.jsonl`. */
export async function toolkitsFromLibrary(folder: string, scope: Scope, apis: readonly Api[]): Promise<Clustered> {
  const path = dataPath(folder, "toolkits", `${scope}.jsonl`);
  if (!existsSync(path))
    throw new DataProblem(
      `Expected a library at ${path} for \`clusters.embedding: library\`; make one with \`planwright cluster\``,
    );
  const byName = new Map(apis.map((api) => [api.spec.name, api.spec]));
  const found = toolkitsIn(await readLibrary(path)).map(({ id, description, apis: members }) => {
    const tools = members.flatMap(
      ({ api_dest }) => byName.get(functionName(api_dest.name, standardize(api_dest.package_name))) ?? [],
    );
    return { id, description, tools };
  });
  return { toolkits: found.filter(({ tools }) => tools.length > 0), metrics: { "cluster.count": found.length } };
}
