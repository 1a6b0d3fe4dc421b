/**
 * PlanBench: plans in STRIPS domains, scored by a validator equal to VAL (NeurIPS 2023). Read README.md in this folder first: it
 * explains how replies are read and how these numbers compare with the published numbers.
 */
import { direct } from "../../source/engine/strategies/direct.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { floor } from "./ask/floor.ts";
import { faultKinds } from "./ask/oracle.ts";
import { prompts } from "./ask/prompts.ts";
import { splits, taskKinds } from "./data/catalogue.ts";
import { dataFiles, dataFolders } from "./data/data-files.ts";
import { replyForm, replyFormName } from "./score/form.ts";
import { measures } from "./score/measures.ts";
import { extractors } from "./score/record.ts";
import { errorKinds } from "./score/score.ts";

export const planbench: Suite<"stages" | "baseline"> = {
  name: "planbench",
  title: "PlanBench",
  summary: "plans in Blocksworld, Logistics and others",
  revision: 1,
  paper: {
    title:
      "PlanBench: An Extensible Benchmark for Evaluating Large Language Models on Planning and Reasoning about Change",
    venue: "NeurIPS 2023 Datasets and Benchmarks",
    url: "https://arxiv.org/abs/2206.10498",
  },
  licence: "MIT. The data are not part of Planwright: bring your own copy. The sample is this project's own.",
  splits,
  facets: [
    { name: "config", title: "Config" },
    { name: "domain", title: "Domain" },
    { name: "task", title: "Task", order: taskKinds },
    { name: "prompt", title: "Prompt", order: ["words", "pddl"] },
    { name: "shot", title: "Examples", order: ["zero", "one"] },
    { name: "steps", title: "Reference steps" },
  ],
  strategies: [direct, floor],
  options: [
    {
      name: "extractor",
      title: "Extractor",
      values: extractors,
      default: "official",
      note: "how a plan is extracted from a reply; figures show the scores of both extractors",
      noted: {
        official: "Plans are read by the official rule extractor",
        lenient: "Plans are read by the lenient extractor, not by the official one",
      },
    },
  ],
  prompts,
  maxShots: 0,
  measures,
  withValue: (value) => ({ right: value }),
  form: replyForm,
  formName: replyFormName,
  scoredBy: ["extractor"],
  errorKinds,
  faultKinds,
  analyses: ["overview", "difficulty", "errors", "compare", "answers", "consistency", "efficiency", "cost", "paper"],
  data: { files: dataFiles, folders: dataFolders, source: "https://github.com/karthikv792/LLMs-Planning" },
  reported: async () => (await import("./paper/reported.ts")).readPaper(),
  open: async (from) => (await import("./loaded-suite.ts")).openSuite(planbench, from),
  build: async (...given) => (await import("./data/build.ts")).buildData(...given),
  predictions: {
    splits: ["verdicts", "extraction", "verification", "execution", ...splits.map(({ name }) => name)],
    flags: { extractor: extractors },
    score: async (request) => (await import("./score/predictions.ts")).scorePredictions(request),
  },
};
