import type { Suite } from "../../source/engine/suite.ts";
import type { Strategy } from "../../source/engine/strategy.ts";

const nothing = () => {
  throw new Error("Expected a test of screens not to open data");
};

function strategy(name: string, title: string): Strategy {
  return { name, title, revision: 1, usesShots: true, run: nothing } as unknown as Strategy;
}

/** A benchmark for the form, with splits, strategies and options; it cannot be run. */
export const sampleSuite: Suite = {
  name: "appbench",
  title: "AppBench",
  revision: 1,
  paper: { title: "AppBench: planning of multiple APIs", venue: "EMNLP 2024", url: "https://example.org" },
  licence: "Data: no licence stated; ask the authors.",
  splits: [
    { name: "ss", title: "single app, single API" },
    { name: "mm", title: "many apps, many APIs" },
    { name: "all", title: "all four categories" },
  ],
  facets: [{ name: "category", title: "Category", order: ["ss", "mm"] }],
  strategies: [strategy("direct", "Direct"), strategy("cot", "Chain of thought")],
  options: [
    { name: "prompting", title: "Prompting", values: ["hierarchical", "flat"], default: "hierarchical" },
    { name: "k", title: "Clusters", values: "number", default: 5, when: { strategy: ["cot"] } },
  ],
  maxShots: 5,
  measures: [],
  prompts: [
    { name: "plan", role: "model", message: "system", text: "You plan with these APIs:\n{{apis}}" },
    { name: "plan.user", role: "model", message: "user", text: "{{request}}" },
  ],
  errorKinds: [],
  faultKinds: [],
  analyses: ["scale"],
  data: { files: [], source: "Published with the paper." },
  reported: () => Promise.resolve({ values: [], tables: [] }),
  open: nothing,
};
