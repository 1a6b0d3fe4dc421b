/** Returns the settings with which a run groups its tools, according to its options. */
import { asksForVectors, embeddingRequests, replyTokens } from "../clustering/toolkits/cached-models.ts";
import { describePrompts, explainPrompts, type ClusterPrompts } from "../clustering/toolkits/cluster-prompts.ts";
import type { ClusterStage } from "../clusters.ts";
import type { PreparationRequests } from "../loaded-suite.ts";
import type { PromptTemplate } from "../protocol.ts";
import type { RunSpec } from "../types.ts";

export type ClusterSettings = {
  readonly method: "kmeans" | "dbscan";
  /** The number of toolkits for k-means; 0 computes it from the number of tools. */
  readonly k: number;
  readonly eps: number;
  /** `lexical`, `onnx/FOLDER` or `ENDPOINT/MODEL`. */
  readonly embedding: string;
  /** Models; absent if the tools' own texts, and the words that they share, are used. */
  readonly explain?: string;
  readonly describe?: string;
  /** The run's own texts for explanations and descriptions; absent if it has none. */
  readonly explainPrompts?: ClusterPrompts;
  readonly describePrompts?: ClusterPrompts;
};

/**
 * Typical tokens of the prompt for an explanation or a description: documents of APIs are short, and a toolkit contains 9 of
 * them.
 */
const promptTokens = { explain: 350, describe: 500 } as const;
/** Typical tokens of one embedded text. */
const textTokens = 40;

export function clusterSettings({ options, prompts = {} }: Pick<RunSpec, "options" | "prompts">): ClusterSettings {
  const model = (name: ClusterStage, templates: readonly PromptTemplate[]) => {
    const value = String(options[`clusters.${name}`] ?? "none");
    const own = Object.fromEntries(
      templates.flatMap((each) => Object.entries(prompts).filter(([of]) => of === each.name)),
    );
    return value === "none" ? {} : { [name]: value, ...(Object.keys(own).length > 0 && { [`${name}Prompts`]: own }) };
  };
  return {
    method: options["clusters.method"] === "dbscan" ? "dbscan" : "kmeans",
    k: Number(options["clusters.k"] ?? 0),
    eps: Number(options["clusters.eps"] ?? 0.02),
    embedding: String(options["clusters.embedding"] ?? "lexical"),
    ...model("explain", explainPrompts),
    ...model("describe", describePrompts),
  };
}

/** Returns whether an endpoint's or local model is needed: grouping then takes time, and may cost money. */
export const needsModels = ({ describe, embedding, explain }: ClusterSettings): boolean =>
  describe !== undefined || explain !== undefined || embedding !== "lexical";

/**
 * Returns the number of toolkits for this many tools: 9 tools per toolkit, the paper's best value, or 4 in small catalogues such
 * as that of a sample.
 */
export function toolkitCount({ k }: Pick<ClusterSettings, "k">, tools: number): number {
  const derived = Math.max(1, Math.round(tools / (tools <= 100 ? 4 : 9)));
  return Math.min(tools, Number.isInteger(k) && k > 0 ? k : derived);
}

/** Returns a key that distinguishes the explanations of a run from other runs' explanations: the model, and the run's own texts. */
export const explanationKey = ({ explain = "none", explainPrompts: own }: ClusterSettings): string =>
  own === undefined ? explain : JSON.stringify([explain, own]);

/**
 * Returns the maximum number of requests for grouping the tools of `of` (a scope, a hub, a query); cached replies are not
 * requested again.
 */
export function clusterRequests(settings: ClusterSettings, of: string, tools: number): readonly PreparationRequests[] {
  const { describe, embedding, explain = "none", method } = settings;
  const explained = JSON.stringify([of, explanationKey(settings)]);
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
  if (explain !== "none")
    requests.push(replies("explain", explain, tools, { what: "explanations of APIs", of: explained }));
  if (asksForVectors(embedding)) {
    const amount = { calls: embeddingRequests(tools), input: tools * textTokens, output: 0 };
    requests.push({ model: embedding, what: "vectors", of: explained, ...amount });
  }
  if (describe !== undefined) {
    // Other settings give other toolkits to describe.
    const about = { what: "descriptions of toolkits", of: JSON.stringify([of, settings]) };
    requests.push(replies("describe", describe, toolkits, about));
  }
  return requests;
}
