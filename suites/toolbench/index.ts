/**
 * ToolBench with StableToolBench's solvable queries and virtual server, as used by Tool-Planner's paper (ICLR 2025). Read
 * README.md in this folder first: it compares these numbers with the published numbers.
 */
import { queryForm, queryFormName } from "./score/form.ts";
import { actingOverToolkits } from "../../source/engine/strategies/acting.ts";
import { agent } from "../../source/engine/strategies/agent.ts";
import type { Suite, DataFile } from "../../source/engine/suite.ts";
import { prompts } from "./ask/templates.ts";
import { errorClasses } from "../../source/engine/toolkits/error-classes.ts";
import { retrieverMeasures } from "../../source/engine/toolkits/ranking.ts";
import { knownData } from "./migration.ts";
import { findings, measures } from "./score/measures.ts";
import { options } from "./ask/options.ts";
import { writeReferences } from "./data/reference-file.ts";
import { faultKinds } from "./ask/faults.ts";

/** Name, title and number of solvable queries of each set. */
const sets: readonly (readonly [string, string, number])[] = [
  ["G1_instruction", "single tool, new instructions", 163],
  ["G1_category", "single tool, new categories", 153],
  ["G1_tool", "single tool, new tools", 158],
  ["G2_instruction", "several tools of a category, new instructions", 106],
  ["G2_category", "several tools of a category, new categories", 124],
  ["G3_instruction", "several tools of a collection", 61],
];

const dataFiles: readonly DataFile[] = [
  ...sets.map(([set, , count]): DataFile => ({ path: `solvable_queries/${set}.jsonl.gz`, count, of: "queries" })),
  {
    path: "catalogue/apis.jsonl.gz",
    count: 47_187,
    of: "APIs",
    optional: true,
    needed: "the APIs of the catalogue scopes solvable, pool and all",
  },
  { path: "catalogue/tools.jsonl.gz", count: 10_599, of: "tools", needed: "descriptions of the tools in prompts" },
  {
    path: "response_cache/solvable_cache.jsonl.gz",
    count: 28_958,
    of: "responses",
    optional: true,
    needed: "responses of the virtual server; without this file every call needs a simulator model",
  },
  ...sets.map(([set]): DataFile => ({
    path: `examples/reference_gpt35_cot/${set}.json.gz`,
    optional: true,
    needed: "win rate against the reference",
  })),
];

export const toolbench: Suite<"environment"> = {
  name: "toolbench",
  title: "ToolBench",
  summary: "answer by calling web APIs that may fail",
  revision: 1,
  paper: {
    title: "Tool-Planner: Task Planning with Clusters across Multiple Tools",
    venue: "ICLR 2025",
    url: "https://arxiv.org/abs/2406.03807",
  },
  licence:
    "ToolBench and StableToolBench: Apache-2.0, ToolBench for research and educational purposes; API texts and responses belong to third parties. The data are not part of Planwright: bring your own copy. The sample is this project's own.",
  splits: [
    ...sets.map(([name, title, count]) => ({ name, title, note: `${count} solvable queries` })),
    { name: "all", title: "all six sets", note: "765 solvable queries" },
  ],
  remarks: [
    "The catalogue scope of a run decides which APIs can be found: `query` offers each query's own APIs; `pool` is 16,531 APIs, a stand-in for the paper's 16,464",
  ],
  facets: [
    {
      name: "set",
      title: "Set",
      // The order of the paper's tables.
      order: ["G1_instruction", "G1_tool", "G1_category", "G2_instruction", "G2_category", "G3_instruction"],
    },
    { name: "group", title: "Group", order: ["single tool", "one category", "one collection"] },
    { name: "apis", title: "APIs offered" },
    { name: "relevant", title: "Relevant APIs" },
  ],
  strategies: [...actingOverToolkits, agent],
  options,
  // The setting of ToolEval's evaluators.
  judgeTemperature: 0.2,
  prompts,
  varies: ["questions"],
  maxShots: 5,
  measures,
  beside: retrieverMeasures,
  findings,
  ceilings: ["tooleval.win", "stable.sowr"].map((measure) => ({
    measure,
    sample: 0.5,
    why: "If both answers solve the task, the built-in judge prefers neither",
  })),
  unscored: ({ data, judge }) =>
    data !== "sample" && judge === undefined
      ? "No task will be scored, because a judge decides on success; add `judge: ENDPOINT/MODEL`"
      : undefined,
  // Success by the sample's rule, or else by the judge.
  withValue: (value, metrics) =>
    "success" in metrics ? { success: value } : { sopr: value, pass: value >= 0.5 ? 1 : 0 },
  form: queryForm,
  formName: queryFormName,
  scoredBy: [],
  errorKinds: errorClasses,
  faultKinds,
  analyses: [
    "overview",
    "efficiency",
    "tool-errors",
    "planner-actor",
    "clusters",
    "k-sweep",
    "compare",
    "answers",
    "consistency",
    "errors",
    "paper",
  ],
  data: {
    files: dataFiles,
    known: knownData,
    kept: ["toolkits", "references"],
    source: "https://github.com/THUNLP-MT/StableToolBench",
  },
  reported: async () => (await import("./paper/reported.ts")).readPaper(),
  open: async (from) => (await import("./loaded-suite.ts")).openSuite(toolbench, from),
  exporters: { toolbench: writeReferences },
  predictions: {
    splits: ["passrate", "preference"],
    sumsOnly: true,
    score: async (request) => (await import("./score/predictions.ts")).scorePredictions(request),
  },
};
