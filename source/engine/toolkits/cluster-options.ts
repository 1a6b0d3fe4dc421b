/** Options of a run whose suite groups its tools. Separate from the clustering itself, which is loaded only on use. */
import type { Option } from "../option.ts";
import { inToolkits } from "./toolkits-option.ts";

/** Toolkits made beforehand do not depend on these options. */
const noEffect: NonNullable<Option["noEffect"]> = [{ "clusters.embedding": ["library"] }];

/** Options of a suite that clusters its tools. */
export const clusterOptions: readonly Option[] = [
  {
    name: "clusters.k",
    title: "Toolkits (k)",
    values: "number",
    default: 0,
    effect: inToolkits.map((when) => ({ ...when, "clusters.method": ["kmeans"] })),
    noEffect,
    note: "0 makes toolkits of 9 tools on average, or of 4 if there are at most 100 tools; the paper uses 1,800 toolkits for 16,464 APIs, and 65 for APIBench",
  },
  {
    name: "clusters.method",
    title: "Clustering",
    values: ["kmeans", "dbscan"],
    default: "kmeans",
    effect: inToolkits,
    noEffect,
  },
  {
    name: "clusters.eps",
    title: "DBSCAN's eps",
    values: "number",
    default: 0.02,
    when: { "clusters.method": ["dbscan"] },
    effect: inToolkits,
    noEffect,
    note: "Cosine distance: the paper's best value with SimCSE is 0.02; lexical vectors need about 0.6",
  },
];

/**
 * Returns options for the embedding of tools, and for the models that describe them; with `library` as an additional choice of
 * embedding.
 */
export const clusterModelOptions = (library?: { readonly note: string }): readonly Option[] => [
  {
    name: "clusters.embedding",
    title: "Embedding",
    values: "model",
    words: ["lexical", ...(library === undefined ? [] : ["library"])],
    default: "lexical",
    // Runs of suites with a library always contain the embedding, so that their ids stay the same.
    quiet: library === undefined,
    effect: inToolkits,
    note: `lexical (no model), onnx/FOLDER (a local model) or ENDPOINT/MODEL (an embedding model of an endpoint)${library?.note ?? ""}`,
  },
  describing(
    "clusters.explain",
    "APIs explained by",
    "The model that describes each API before its embedding: one request per API, shared by all runs",
  ),
  describing(
    "clusters.describe",
    "Toolkits described by",
    "The model that describes toolkits, one request each; without one, a toolkit shows the words that its APIs share",
  ),
];

/** An option for a model that writes texts about tools, or none. */
function describing(name: string, title: string, note: string): Option {
  return {
    name,
    title,
    values: "model",
    words: ["none"],
    default: "none",
    quiet: true,
    effect: inToolkits,
    noEffect,
    note,
  };
}
