/** What a run's options say of how its tools are grouped. */
import { asksForVectors, embeddingRequests, replyTokens } from "../clustering/toolkits/cached-models.ts";
import type { ClusterStage } from "../cluster-models.ts";
import type { PreparationRequests } from "../loaded-suite.ts";
import type { RunSpec } from "../types.ts";

export type ClusterSettings = {
  readonly method: "kmeans" | "dbscan";
  /** k-means: toolkits wanted; 0 goes by how many tools there are. */
  readonly k: number;
  readonly eps: number;
  /** `lexical`, `onnx/FOLDER` or `ENDPOINT/MODEL`. */
  readonly embedding: string;
  /** Models; absent where the tools' own texts, and the words they share, have to do. */
  readonly explain?: string;
  readonly describe?: string;
};

/** Tokens of a usual explanation's or description's prompt, roughly: documents of APIs are short, toolkits have 9 of them. */
const promptTokens = { explain: 350, describe: 500 } as const;
/** Tokens of one text that is embedded, roughly. */
const textTokens = 40;

export function clusterSettings({ options }: Pick<RunSpec, "options">): ClusterSettings {
  const model = (name: ClusterStage) => {
    const value = String(options[`clusters.${name}`] ?? "none");
    return value === "none" ? {} : { [name]: value };
  };
  return {
    method: options["clusters.method"] === "dbscan" ? "dbscan" : "kmeans",
    k: Number(options["clusters.k"] ?? 0),
    eps: Number(options["clusters.eps"] ?? 0.02),
    embedding: String(options["clusters.embedding"] ?? "lexical"),
    ...model("explain"),
    ...model("describe"),
  };
}

/** Whether a model is needed, an endpoint's or a local one: grouping then takes more than a moment, and may cost. */
export function needsModels({ describe, embedding, explain }: ClusterSettings): boolean {
  return describe !== undefined || explain !== undefined || embedding !== "lexical";
}

/** How many toolkits k-means makes of so many tools: 9 in each, the paper's best, and 4 in catalogues as small as a sample's. */
export function toolkitCount({ k }: Pick<ClusterSettings, "k">, tools: number): number {
  const usual = Math.max(1, Math.round(tools / (tools <= 100 ? 4 : 9)));
  return Math.min(tools, Number.isInteger(k) && k > 0 ? k : usual);
}

/** The requests grouping the tools of `of` (a scope, a hub, a query) can take: the most, for what is kept on disk is not asked again. */
export function clusterRequests(settings: ClusterSettings, of: string, tools: number): readonly PreparationRequests[] {
  const { describe, embedding, explain = "none", method } = settings;
  const replies = (
    stage: ClusterStage,
    model: string,
    calls: number,
    about: Pick<PreparationRequests, "what" | "of">,
  ) => ({
    ...about,
    model,
    calls,
    input: calls * promptTokens[stage],
    output: calls * replyTokens[stage],
  });
  const toolkits = method === "kmeans" ? toolkitCount(settings, tools) : tools;
  const requests: PreparationRequests[] = [];
  if (explain !== "none") requests.push(replies("explain", explain, tools, { what: "explanations of APIs", of }));
  if (asksForVectors(embedding)) {
    const amount = { calls: embeddingRequests(tools), input: tools * textTokens, output: 0 };
    requests.push({ model: embedding, what: "vectors", of: JSON.stringify([of, explain]), ...amount });
  }
  if (describe !== undefined) {
    // Other toolkits are described wherever anything else was chosen.
    const about = { what: "descriptions of toolkits", of: JSON.stringify([of, settings]) };
    requests.push(replies("describe", describe, toolkits, about));
  }
  return requests;
}
