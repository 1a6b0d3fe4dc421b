/** Toolkits of a catalogue scope: clustered here, or read from a library file. */
import { existsSync } from "node:fs";
import { readLibrary } from "../../source/engine/clustering/library.ts";
import { toolkitsIn } from "../../source/engine/clustering/toolkits.ts";
import { DataProblem } from "../../source/engine/json-lines.ts";
import type { Clustered, ClusterItem } from "../../source/engine/toolkits/clustered-tools.ts";
import { functionName, standardize } from "./names.ts";
import { dataPath, type Api, type Scope } from "./records.ts";

/** An API as it is clustered. */
export const clusterItem = ({ record, text, spec }: Api): ClusterItem => ({
  spec,
  name: record.api_name,
  text,
  package: record.tool_name,
  category: record.category_name,
});

/** Toolkits from a library file that `planwright cluster` (or the official program) wrote to `toolkits/<scope>.jsonl`. */
export async function toolkitsFromLibrary(folder: string, scope: Scope, apis: readonly Api[]): Promise<Clustered> {
  const path = dataPath(folder, "toolkits", `${scope}.jsonl`);
  if (!existsSync(path))
    throw new DataProblem(
      `Expected a library at ${path} for \`clusters.embedding: library\`; make one with \`planwright cluster\``,
    );
  const byName = new Map(apis.map((api) => [api.spec.name, api.spec]));
  const found = (await toolkitsIn(await readLibrary(path))).map(({ id, description, apis: members }) => ({
    id,
    description,
    tools: members.flatMap(
      ({ api_dest }) => byName.get(functionName(api_dest.name, standardize(api_dest.package_name))) ?? [],
    ),
  }));
  return { toolkits: found.filter(({ tools }) => tools.length > 0), metrics: { "cluster.count": found.length } };
}
