/** Toolkits of a catalogue scope, grouped here or read from a library file. */
import { existsSync } from "node:fs";
import { clusterView } from "../../../source/engine/clustering/toolkits/cluster-view.ts";
import { embedAll } from "../../../source/engine/clustering/embedding/embedder.ts";
import { lexicalEmbedder } from "../../../source/engine/clustering/embedding/lexical-embedder.ts";
import { catalogueApi, readLibrary } from "../../../source/engine/clustering/toolkits/library.ts";
import { toolkitsIn } from "../../../source/engine/clustering/toolkits/toolkits.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { Clustered, ClusterItem } from "../../../source/engine/toolkits/tool-clusters.ts";
import type { Monitor } from "../../../source/engine/work/monitor.ts";
import { functionName, standardize } from "../ask/names.ts";
import { dataPath, type Api, type Scope } from "./records.ts";

/**
 * Prepares an API for clustering with the same explanation prompt as `planwright cluster`, so that cached replies serve
 * both.
 */
export function clusterItem({ published, record, text, spec }: Api, index: number): ClusterItem {
  const { api_description, api_name, category_name, tool_name, required_parameters, optional_parameters } = record;
  const own = {
    api_name,
    tool_name,
    category: category_name,
    description: api_description,
    required_parameters: required_parameters ?? [],
    optional_parameters: optional_parameters ?? [],
  };
  return { spec, text, api: catalogueApi(published ?? own, `the API ${api_name}`, index) };
}

/**
 * Reads toolkits from a library file, written by `planwright cluster` or the official program to
 * `toolkits/<scope>.jsonl`.
 */
export async function toolkitsFromLibrary(
  folder: string,
  scope: Scope,
  apis: readonly Api[],
  monitor: Monitor,
): Promise<Clustered> {
  const path = dataPath(folder, "toolkits", `${scope}.jsonl`);
  if (!existsSync(path))
    throw new DataProblem(
      `Expected a library of toolkits at ${path} for \`clusters.embedding: library\`, found none; make one with \`planwright cluster\``,
    );
  monitor.progress(`reading the toolkits in ${path}`);
  const byName = new Map(apis.map((api) => [api.spec.name, api]));
  const found = (await toolkitsIn(await readLibrary(path))).map(({ id, description, apis: members }) => ({
    id,
    description,
    members: members.flatMap(
      ({ api_dest }) => byName.get(functionName(api_dest.name, standardize(api_dest.package_name))) ?? [],
    ),
  }));
  const kept = found.filter(({ members }) => members.length > 0);
  return {
    toolkits: kept.map(({ id, description, members }) => ({
      id,
      description,
      tools: members.map(({ spec }) => spec),
    })),
    metrics: { "cluster.count": found.length },
    view: () => viewOf(kept),
  };
}

/** Places APIs on the map by the words of their texts, because the file has no vectors. */
async function viewOf(
  toolkits: readonly { readonly id: number; readonly description: string; readonly members: readonly Api[] }[],
) {
  const apis = toolkits.flatMap(({ id, members }) => members.map((api) => ({ id, api })));
  const { signal } = new AbortController();
  const texts = apis.map(({ api }) => api.text);
  const vectors = await embedAll(lexicalEmbedder(), texts, { signal });
  const names = apis.map(({ api }) => ({ name: api.spec.name, group: api.record.category_name }));
  const labels = apis.map(({ id }) => id);
  return clusterView(names, vectors, labels, toolkits);
}
