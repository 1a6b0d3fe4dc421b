/**
 * AppBench: one plan of API calls over several apps (Wang et al., EMNLP 2024). Read README.md in this folder first: it compares
 * these numbers with the published numbers.
 */
import { stagedAgent } from "../../source/engine/strategies/agent.ts";
import { cot, direct } from "../../source/engine/strategies/direct.ts";
import { findings } from "./score/score.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { remarks } from "./ask/remarks.ts";
import { prompts } from "./ask/templates.ts";
import { dataFiles } from "./data/data-files.ts";
import { knownData } from "./migration.ts";
import { errorKinds, faultKinds } from "./score/error-kinds.ts";
import { planForm, planFormName } from "./score/form.ts";
import { ceilings, measures } from "./score/measures.ts";

export const appbench: Suite<"stages"> = {
  name: "appbench",
  title: "AppBench",
  summary: "one plan of calls over several apps",
  revision: 2,
  paper: {
    title: "AppBench: Planning of Multiple APIs from Various APPs for Complex User Instruction",
    venue: "EMNLP 2024, pages 15322-15336",
    url: "https://aclanthology.org/2024.emnlp-main.856/",
  },
  licence:
    "The publisher states no licence; the data derive from the Schema-Guided Dialogue corpus. The data are not part of Planwright: bring your own copy. The sample is this project's own.",
  splits: [
    { name: "ss", title: "single app, single API", note: "200 tasks" },
    { name: "sm", title: "single app, multiple APIs", note: "200 tasks" },
    { name: "ms", title: "multiple apps, single API", note: "201 tasks" },
    { name: "mm", title: "multiple apps, multiple APIs", note: "200 tasks" },
    { name: "all", title: "all four categories", note: "801 tasks" },
  ],
  remarks,
  facets: [
    { name: "category", title: "Category", order: ["SS", "SM", "MS", "MM"] },
    { name: "apps", title: "Apps" },
    { name: "calls", title: "Calls" },
    { name: "parallel", title: "Parallel scale" },
    { name: "sequential", title: "Sequential scale" },
    { name: "references", title: "References" },
  ],
  strategies: [direct, cot, stagedAgent],
  options: [
    {
      name: "prompting",
      title: "Prompting",
      values: ["hierarchical", "flat"],
      default: "hierarchical",
      note: "hierarchical: choose the apps first, then plan with them (two requests); flat: plan with all apps (one request).",
    },
  ],
  prompts,
  varies: ["tools", "questions"],
  maxShots: 10,
  measures,
  findings,
  ceilings,
  withValue: (value) => ({ "official.total_match": value }),
  form: planForm,
  formName: planFormName,
  scoredBy: [],
  errorKinds,
  faultKinds,
  analyses: [
    "overview",
    "difficulty",
    "scale",
    "errors",
    "prompting",
    "shots",
    "compare",
    "answers",
    "consistency",
    "statistics",
    "paper",
  ],
  data: { files: dataFiles, known: knownData, source: "https://github.com/ruleGreen/AppBench" },
  reported: async () => (await import("./paper/reported.ts")).readPaper(),
  open: async (from) => (await import("./loaded-suite.ts")).openSuite(appbench, from),
  predictions: {
    splits: ["all"],
    score: async (request) => (await import("./score/predictions.ts")).scorePredictions(request),
  },
};
