/**
 * APIBench: which model of a hub serves a request (Gorilla, NeurIPS 2024), as used by Tool-Planner's paper (ICLR 2025). Read
 * README.md in this folder first: it compares these numbers with the published numbers.
 */
import { hubForm, hubFormName } from "./score/form.ts";
import { actingOverToolkits } from "../../source/engine/strategies/acting.ts";
import { agent } from "../../source/engine/strategies/agent.ts";
import { direct } from "../../source/engine/strategies/direct.ts";
import type { Suite, DataFile } from "../../source/engine/suite.ts";
import { prompts } from "./ask/prompts.ts";
import { retrieverMeasures } from "../../source/engine/toolkits/ranking.ts";
import { knownData } from "./migration.ts";
import { hubs } from "./score/extraction.ts";
import { errorKinds, measures } from "./score/measures.ts";
import { options } from "./ask/options.ts";
import { faultKinds } from "./ask/oracle.ts";

const counts = { torchhub: [94, 186], huggingface: [936, 911], tensorflowhub: [696, 688] } as const;

const dataFiles: readonly DataFile[] = Object.entries(counts).flatMap(([hub, [apis, questions]]): DataFile[] => [
  { path: `catalogue/${hub}_api.jsonl.gz`, count: apis, of: "APIs" },
  {
    path: `catalogue/${hub}_match_keys.jsonl.gz`,
    count: apis,
    of: "match keys",
    needed:
      "the keys by which the official matcher finds each API. The publisher does not release this file, see suites/apibench/README.md",
  },
  { path: `eval/${hub}_eval.jsonl.gz`, count: questions, of: "questions" },
]);

export const apibench: Suite<"stages" | "environment"> = {
  name: "apibench",
  title: "APIBench",
  summary: "choose and call a model for a request",
  revision: 1,
  paper: {
    title: "Gorilla: Large Language Model Connected with Massive APIs",
    venue: "NeurIPS 2024",
    url: "https://arxiv.org/abs/2305.15334",
  },
  licence:
    "Gorilla: Apache-2.0; model cards and API texts belong to their authors. The data are not part of Planwright: bring your own copy. The sample is this project's own.",
  splits: [
    { name: "torchhub", title: "Torch Hub", note: "186 questions, 94 APIs" },
    { name: "huggingface", title: "Hugging Face", note: "911 questions, 936 rows (895 distinct calls)" },
    { name: "tensorflowhub", title: "TensorFlow Hub", note: "688 questions, 696 rows (80 distinct calls)" },
  ],
  facets: [
    { name: "hub", title: "Hub", order: hubs },
    { name: "domain", title: "Domain" },
  ],
  strategies: [direct, ...actingOverToolkits, agent],
  options,
  prompts,
  varies: ["questions"],
  maxShots: 5,
  measures,
  beside: retrieverMeasures,
  ceilings: [
    {
      measure: "official.win",
      sample: 0,
      why: "The oracle repeats the data set's own answer, so each comparison is a tie, and ties are not wins",
    },
  ],
  withValue: (value) => ({ pass: value }),
  form: hubForm,
  formName: hubFormName,
  scoredBy: [],
  errorKinds,
  faultKinds,
  analyses: [
    "overview",
    "efficiency",
    "tool-errors",
    "planner-actor",
    "clusters",
    "k-sweep",
    "shots",
    "compare",
    "answers",
    "consistency",
    "errors",
    "paper",
  ],
  data: { files: dataFiles, known: knownData, source: "https://github.com/ShishirPatil/gorilla" },
  reported: async () => (await import("./paper/reported.ts")).readPaper(),
  open: async (from) => (await import("./loaded-suite.ts")).openSuite(apibench, from),
  predictions: {
    splits: hubs,
    score: async (request) => (await import("./score/predictions.ts")).scorePredictions(request),
  },
};
