/**
 * ToolBench with StableToolBench's solvable queries and virtual server, as Tool-Planner's paper uses it (ICLR 2025). Read
 * README.md beside this file first: it says how these numbers compare with the published ones.
 */
import { actingOverToolkits } from "../../source/engine/strategies/acting.ts";
import { agent } from "../../source/engine/strategies/agent.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { errorClasses } from "../../source/engine/toolkits/error-classes.ts";
import { retrieverMeasures } from "../../source/engine/toolkits/ranking.ts";
import { dataFiles } from "./data/data-files.ts";
import { knownData } from "./migration.ts";
import { measures } from "./score/measures.ts";
import { options } from "./ask/options.ts";
import { writeReferences } from "./data/reference-file.ts";
import { faultKinds } from "./ask/faults.ts";

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
    "ToolBench and StableToolBench: Apache-2.0, ToolBench for research and educational purposes; API texts and responses belong to third parties. Not redistributed here: bring your own copy. The sample is this project's own.",
  splits: [
    { name: "G1_instruction", title: "single tool, new instructions", note: "163 solvable queries" },
    { name: "G1_category", title: "single tool, new categories", note: "153 solvable queries" },
    { name: "G1_tool", title: "single tool, new tools", note: "158 solvable queries" },
    { name: "G2_instruction", title: "several tools of a category, new instructions", note: "106 solvable queries" },
    { name: "G2_category", title: "several tools of a category, new categories", note: "124 solvable queries" },
    { name: "G3_instruction", title: "several tools of a collection", note: "61 solvable queries" },
    { name: "all", title: "all six sets", note: "765 solvable queries" },
  ],
  remarks: [
    "The catalogue scope of a run decides what can be found: `query` offers each query's own APIs; `pool` is 16,531 APIs, a stand-in for the paper's 16,464",
  ],
  facets: [
    {
      name: "set",
      title: "Set",
      // As in the tables of the paper.
      order: ["G1_instruction", "G1_tool", "G1_category", "G2_instruction", "G2_category", "G3_instruction"],
    },
    { name: "group", title: "Group", order: ["single tool", "one category", "one collection"] },
    { name: "apis", title: "APIs offered" },
    { name: "relevant", title: "Relevant APIs" },
  ],
  strategies: [...actingOverToolkits, agent],
  options,
  maxShots: 5,
  measures,
  beside: retrieverMeasures,
  ceilings: ["tooleval.win", "stable.sowr"].map((measure) => ({
    measure,
    sample: 0.5,
    why: "The built-in judge sees two answers that solve the task, and prefers neither",
  })),
  unscored: ({ data, judge }) =>
    data !== "sample" && judge === undefined
      ? "No task will be scored: success is for a judge to say; add `judge: ENDPOINT/MODEL`"
      : undefined,
  // The sample's own success, else what the judge said.
  withValue: (value, metrics) =>
    "success" in metrics ? { success: value } : { sopr: value, pass: value >= 0.5 ? 1 : 0 },
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
