/**
 * TravelPlanner: trips planned in a closed world and checked against thirteen constraints (Xie et al., ICML 2024). Read README.md
 * in this folder first: it compares these numbers with the published numbers.
 */
import { tripForm, tripFormName } from "./score/form.ts";
import { agent } from "../../source/engine/strategies/agent.ts";
import { cot, direct } from "../../source/engine/strategies/direct.ts";
import { react } from "../../source/engine/strategies/react.ts";
import { reflexion } from "../../source/engine/strategies/reflexion.ts";
import type { Suite, DataFile } from "../../source/engine/suite.ts";
import { prompts } from "./ask/prompts.ts";
import { knownData } from "./migration.ts";
import { errorKinds, faultKinds } from "./score/error-kinds.ts";
import { greedy } from "./ask/greedy.ts";
import { findings, measures } from "./score/measures.ts";
import { requestsFor } from "./data/query-files.ts";
import { writeSubmission } from "./score/extract.ts";

const SPACE = "https://huggingface.co/spaces/osunlp/TravelPlannerEnvironment/resolve/main/database";

const dataFiles: readonly DataFile[] = [
  {
    path: "queries/train.jsonl",
    count: 45,
    of: "requests with human plans",
    optional: true,
    needed: "the train split, if there is no train.csv",
  },
  {
    path: "queries/validation_reconstructed.jsonl",
    count: 180,
    of: "requests",
    optional: true,
    needed: "the validation split",
  },
  {
    path: "queries/validation.jsonl",
    count: 180,
    of: "requests",
    optional: true,
    needed: "sole-planning on validation, if there is no validation.csv",
  },
  {
    path: "queries/test.jsonl",
    count: 1000,
    of: "requests",
    optional: true,
    needed: "submissions for the test split, if there is no test.csv",
  },
];

/** The full flights table, which is built into the database, not copied. */
const FULL_FLIGHTS_URL = `${SPACE}/flights/clean_Flights_2022.csv`;

export const travelplanner: Suite<"stages" | "environment" | "baseline"> = {
  name: "travelplanner",
  title: "TravelPlanner",
  summary: "plans for a trip, within many constraints",
  revision: 3,
  paper: {
    title: "TravelPlanner: A Benchmark for Real-World Planning with Language Agents",
    venue: "ICML 2024",
    url: "https://arxiv.org/abs/2402.01622",
  },
  licence:
    "Code and tables MIT, requests CC BY 4.0; the underlying facts come from Kaggle and Google, whose terms may apply. The data are not part of Planwright: bring your own copy. The sample is this project's own.",
  splits: [
    { name: "train", title: "training", note: "45 requests with human plans" },
    { name: "validation", title: "validation", note: "180 requests; no human plans" },
    { name: "test", title: "test", note: "1,000 requests; cannot be scored locally, only exported as a submission" },
  ],
  facets: [
    { name: "level", title: "Level", order: ["easy", "medium", "hard"] },
    { name: "days", title: "Days", order: [3, 5, 7] },
    { name: "people", title: "People" },
    { name: "constraints", title: "Hard constraints" },
    { name: "split", title: "Split", order: ["train", "validation", "test"] },
  ],
  strategies: [direct, cot, react, reflexion, greedy, agent],
  options: [
    {
      name: "mode",
      title: "Mode",
      values: ["sole-planning", "two-stage"],
      default: "sole-planning",
      defaults: [{ when: { strategy: ["agent"] }, value: "two-stage" }],
      when: { strategy: ["react", "reflexion", "agent"] },
      note: "two-stage: the model searches with tools and writes a notebook, from which a planner writes the plan; sole-planning: the prompt gives all information, and ReAct and Reflexion can request the cost of a day. direct and cot use sole-planning only; your own agent gets the tools in two-stage, the information and the costs in sole-planning.",
    },
    {
      name: "hints",
      title: "Hints",
      values: ["off", "on"],
      default: "off",
      quiet: true,
      when: { strategy: ["direct", "cot", "react", "reflexion", "agent"] },
      note: "on: prompts state the constraints that plans are checked against; the paper's prompts do not, and the authors forbid stating them for validation and test results",
      noted: {
        on: "the prompts name the criteria that plans are checked for (hints: on), unlike the paper's prompts, so scores are not comparable with reported numbers",
      },
    },
  ],
  prompts,
  varies: ["questions"],
  actsInText: true,
  maxShots: 0,
  measures,
  findings,
  unscored: ({ split }) =>
    split === "test"
      ? "No plan will be scored, because the constraints of the test requests are not public: export a submission"
      : undefined,
  withValue: (value) => ({ finalPass: value }),
  form: tripForm,
  formName: tripFormName,
  scoredBy: [],
  errorKinds,
  faultKinds,
  analyses: [
    "overview",
    "constraints",
    "days",
    "tool-use",
    "cost",
    "errors",
    "efficiency",
    "compare",
    "answers",
    "consistency",
    "statistics",
  ],
  data: {
    files: dataFiles,
    known: knownData,
    source: `https://github.com/OSU-NLP-Group/TravelPlanner (full flights: ${FULL_FLIGHTS_URL})`,
  },
  reported: async () => (await import("./paper/reported.ts")).readPaper(),
  open: async (from) => (await import("./loaded-suite.ts")).openSuite(travelplanner, from),
  build: async (from, to, report, signal) => {
    const { buildData } = await import("./data/build-data.ts");
    await buildData(from, to, { report, signal });
  },
  predictions: {
    splits: ["train", "validation", "test"],
    score: async (request) => (await import("./score/predictions.ts")).scorePredictions(request),
  },
  standIn: requestsFor,
  exporters: { travelplanner: writeSubmission },
};
