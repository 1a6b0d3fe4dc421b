/**
 * PlanningArena: Planner and Responder fulfil a person's request with apps and APIs (ACL 2025). Read README.md in this folder
 * first: it lists the publisher's releases and compares these numbers with the paper's.
 */
import { formatOption } from "../../source/engine/run/reply-format.ts";
import { dialogue } from "../../source/engine/strategies/dialogue.ts";
import type { Suite, DataFile } from "../../source/engine/suite.ts";
import { prompts } from "./ask/prompts.ts";
import { evolutionPrompts } from "./data/evolution/prompts.ts";
import { isGenerated, installing, sampleFor } from "./data/generated-folder.ts";
import { knownData } from "./migration.ts";
import { errorKinds, faultKinds } from "./score/error-kinds.ts";
import { plannerForm, plannerFormName } from "./score/form.ts";
import { findings } from "./score/score.ts";
import { measures } from "./score/measures.ts";
import { levels, relations, scenarios, structures } from "./data/records.ts";

const dataFiles: readonly DataFile[] = [
  { path: "apps.json", needed: "the apps that planners may use" },
  { path: "apis.json", needed: "the tools that planners may use" },
  { path: "profiles.json", needed: "the users who make the requests" },
  {
    path: "example-tasks.json",
    sha256: "30cac3fd6a3ade0e0b2df6b1f172400c6566bd10f3ff420aff187feacb075f34",
    optional: true,
    needed: "split `examples`: the 10 tasks published by the authors",
  },
  {
    path: "tasks.jsonl",
    optional: true,
    needed: `split \`generated\`: ${installing}`,
  },
];

export const planningarena: Suite<"dialogue"> = {
  name: "planningarena",
  title: "PlanningArena",
  summary: "step-by-step plans of calls over many apps",
  revision: 2,
  paper: {
    title: "PlanningArena: A Modular Benchmark for Multidimensional Evaluation of Planning and Tool Learning",
    venue: "ACL 2025, pages 31047-31086",
    url: "https://aclanthology.org/2025.acl-long.1499/",
  },
  licence:
    "The authors state no licence. The data are not part of Planwright: bring your own copy. Sample and generated tasks are this project's own.",
  splits: [
    {
      name: "generated",
      title: "generated tasks",
      note: "made with `planwright generate planningarena` or in the form; their answer keys are known by construction",
    },
    {
      name: "examples",
      title: "published examples",
      note: "10 tasks; their answer keys are extracted from reference dialogues",
    },
  ],
  facets: [
    { name: "level", title: "Level", order: levels },
    { name: "interface", title: "Interface", order: ["APP", "API"] },
    { name: "relation", title: "Relation", order: relations },
    { name: "structure", title: "Structure", order: [...relations, ...structures] },
    { name: "scenario", title: "Scenario", order: scenarios },
    { name: "tools", title: "Tools" },
    { name: "subtasks", title: "Subtasks" },
    { name: "profile", title: "User" },
  ],
  groupFacet: "profile",
  strategies: [dialogue],
  options: [
    {
      name: "profile",
      title: "User profile",
      values: ["on", "off"],
      default: "on",
      note: "off: the Planner is not shown the user profile; answer keys do not change.",
    },
    {
      name: "language",
      title: "Wording",
      values: ["en", "zh"],
      default: "en",
      note: "zh: generated tasks are worded in Chinese; names and values do not change.",
    },
    {
      name: "hints",
      title: "Hints",
      values: ["off", "on"],
      default: "off",
      quiet: true,
      note: "on: the Planner's prompt states the criteria that plans are checked for; the paper's prompt does not",
      noted: {
        on: "the prompts name the criteria that plans are checked for (hints: on), unlike the paper's prompts, so scores are not comparable with reported numbers",
      },
    },
    formatOption,
  ],
  prompts,
  varies: ["tools", "questions"],
  maxShots: 0,
  measures,
  findings,
  withValue: (value) => ({ result: value }),
  form: plannerForm,
  formName: plannerFormName,
  scoredBy: ["profile", "language"],
  errorKinds,
  faultKinds,
  analyses: [
    "overview",
    "structure",
    "scenario",
    "profile",
    "checks",
    "difficulty",
    "errors",
    "compare",
    "answers",
    "consistency",
    "statistics",
    "paper",
  ],
  data: { files: dataFiles, known: knownData, source: "https://github.com/KeLes-Coding/PlanningArena" },
  reported: async () => (await import("./paper/reported.ts")).readPaper(),
  open: async (from) => (await import("./loaded-suite.ts")).openSuite(planningarena, from),
  predictions: {
    // Each line contains its task, so there is no split to choose.
    splits: [],
    score: async (request) => (await import("./score/predictions.ts")).scorePredictions(request),
  },
  generate: async (request) => (await import("./data/generator/generate.ts")).generatePlanningArena(request),
  standIn: sampleFor,
  isGenerated,
  evolvePrompts: Object.values(evolutionPrompts).flat(),
  evolve: async (request) => (await import("./data/evolution/evolve-folder.ts")).evolvePlanningArena(request),
};
