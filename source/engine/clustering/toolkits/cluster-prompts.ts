/** The prompts with which models explain APIs and describe toolkits, apart from the clustering itself, which is loaded when used. */
import type { PromptTemplate } from "../../protocol.ts";
import { promptPair } from "../../settings/prompt-template.ts";
import type { RunSpec } from "../../types.ts";

/** The texts of a run that replace the default prompts, by the names of the prompts. */
export type ClusterPrompts = RunSpec["prompts"];

export const explainPrompts: readonly PromptTemplate[] = promptPair("explain", {
  role: "model",
  modelOption: "clusters.explain",
  system:
    "You are shown one API: its name, what its publisher says about it, and its documentation. State in one or two sentences what the API does. Leave out greetings, advice and anything that is not in the material. Answer with the statement alone.",
  user: "API: {{name}}\nPackage: {{package}} ({{category}}). {{about_package}}\nDescription: {{description}}\nDocumentation: {{documentation}}",
});

export const describePrompts: readonly PromptTemplate[] = promptPair("describe", {
  role: "model",
  modelOption: "clusters.describe",
  system:
    "The APIs below were put into one toolkit because they do similar things. Say in one short paragraph what this toolkit can be used for. Name what the APIs have in common, and what tells single ones apart where it matters. Answer with the description alone.",
  user: "{{apis}}{{others}}",
});

/** The prompts of both. */
export const clusterPrompts: readonly PromptTemplate[] = [...explainPrompts, ...describePrompts];
