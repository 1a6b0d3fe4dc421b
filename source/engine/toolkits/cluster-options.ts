/** Choices of a run whose suite groups its tools; apart from the clustering itself, which is loaded only when it is used. */
import type { Option } from "../suite.ts";

/** Options of a suite that clusters its tools. */
export const clusterOptions: readonly Option[] = [
  {
    name: "clusters.k",
    title: "Toolkits (k)",
    values: "number",
    default: 0,
    note: "0 makes toolkits of 9 tools on average, of 4 in catalogues of up to 100; the paper uses 1,800 for 16,464 and 65 for APIBench",
  },
  { name: "clusters.method", title: "Clustering", values: ["kmeans", "dbscan"], default: "kmeans" },
  {
    name: "clusters.eps",
    title: "DBSCAN's eps",
    values: "number",
    default: 0.02,
    when: { "clusters.method": ["dbscan"] },
    note: "Cosine distance; the paper's best with SimCSE is 0.02, lexical vectors need about 0.6",
  },
];
