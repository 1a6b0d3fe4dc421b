/** UltraTool: planning, and creating and using tools, in six abilities and two languages. */
import { answerForm, answerFormName } from "./score/form.ts";
import { formatOption } from "../../source/engine/run/reply-format.ts";
import { stagedAgent } from "../../source/engine/strategies/agent.ts";
import { cot, direct } from "../../source/engine/strategies/direct.ts";
import type { Suite, DataFile } from "../../source/engine/suite.ts";
import { prompts } from "./ask/templates.ts";
import { aspects, aspectTitles, homeMadeAspects, languages } from "./data/aspects.ts";
import { knownData } from "./migration.ts";
import { errorKinds, faultKinds } from "./score/error-kinds.ts";
import { ceilings, measures, withValue } from "./score/measures.ts";

const homeMadeNote =
  "The public files lack this test set, so its tasks are derived from the base file `test.jsonl`; they are labelled home-made and not comparable with published numbers";

/** Answers that only a judge can score, by ability. */
const judged: Readonly<Record<string, string>> = { planning: "plans", tool_creation: "created tools" };

const splits = languages.flatMap((language) =>
  aspects.map((aspect) => ({
    name: `${language}/${aspect}`,
    title: `${aspectTitles[aspect]}, ${language === "en" ? "English" : "Chinese"}${homeMadeAspects.includes(aspect) ? " (home-made)" : ""}`,
    ...(homeMadeAspects.includes(aspect) ? { note: homeMadeNote } : {}),
    ...(aspect in judged ? { note: "Scored by a judge model" } : {}),
  })),
);

const sets = ["test", "planning", "tool_creation", "tool_usage", "tool_usage_awareness"] as const;
const missing = ["tool_selection", "tool_creation_awareness"] as const;
const predictions = ["planning", "planning_judge", "tool_usage", "tool_usage_awareness"] as const;

/** Gzipped JSON Lines, one object per row; row `i` is the same sample in every file and both languages. */
const dataFiles: readonly DataFile[] = [
  ...languages.flatMap((language): DataFile[] => [
    { path: `${language}/examples.json`, needed: `The worked examples in every prompt (${language})` },
    ...sets.map((set): DataFile => ({ path: `${language}/${set}.jsonl.gz`, count: 1000, of: "rows" })),
    ...missing.map((set): DataFile => ({
      path: `${language}/${set}.jsonl.gz`,
      count: 1000,
      of: "rows",
      optional: true,
      needed: `The published ${set} tasks; without this file the tasks are derived from the base file test.jsonl`,
    })),
  ]),
  ...["gpt-4", "gpt-3.5"].flatMap((model) =>
    predictions.map((task): DataFile => ({
      path: `predictions/en/${model}/${task}.jsonl.gz`,
      count: 1000,
      of: "predictions",
      optional: true,
      needed: `Recomputing the published numbers of ${model}`,
    })),
  ),
];

export const ultratool: Suite<"stages"> = {
  name: "ultratool",
  title: "UltraTool",
  summary: "planning, creating, choosing and using tools",
  revision: 1,
  paper: {
    title:
      "Planning, Creation, Usage: Benchmarking LLMs for Comprehensive Tool Utilization in Real-World Complex Scenarios",
    venue: "Findings of ACL 2024",
    url: "https://arxiv.org/abs/2401.17167",
  },
  licence: "The authors state no licence: data and predictions are for research and must not be redistributed",
  splits,
  remarks: ["Prompts are in this project's own words, so new runs are similar to the published ones, but not the same"],
  facets: [
    { name: "domain", title: "Domain" },
    { name: "depth", title: "Depth of the plan tree" },
    { name: "steps", title: "Plan steps" },
    { name: "tools", title: "Different tools" },
    { name: "toolset", title: "Offered tools" },
    { name: "nested", title: "Calls that use an earlier result" },
    { name: "aspect", title: "Ability", order: aspects },
    { name: "language", title: "Language", order: languages },
    { name: "edition", title: "Edition", order: ["published", "home-made", "sample", "own"] },
  ],
  strategies: [direct, cot, stagedAgent],
  options: [
    {
      name: "lists",
      title: "Lists in the prompt",
      values: ["python", "json"],
      default: "python",
      note: "python: as published; json: as JSON. The form affects models' answers",
    },
    {
      name: "parser",
      title: "Official parser",
      values: ["gpt", "other"],
      default: "gpt",
      note: "`other`: used by the authors for all models except the two GPT models",
    },
    // A chain of thought is not JSON.
    { ...formatOption, when: { strategy: ["direct"] }, note: `${formatOption.note}; plans are text in either case` },
  ],
  prompts,
  varies: ["tools", "questions"],
  maxShots: 0,
  measures,
  ceilings,
  unscored({ split, judge }) {
    const answers = judged[split.split("/")[1]!];
    if (judge !== undefined || answers === undefined) return undefined;
    return `No answer will be scored: ${answers} need a judge; add \`judge: ENDPOINT/MODEL\``;
  },
  withValue,
  form: answerForm,
  formName: answerFormName,
  scoredBy: ["parser"],
  errorKinds,
  faultKinds,
  analyses: ["overview", "aspects", "formatting", "domain", "depth", "judge", "errors", "answers", "consistency"],
  data: { files: dataFiles, known: knownData, source: "https://github.com/JoeYing1019/UltraTool" },
  async reported() {
    return (await import("./paper/reported.ts")).reported();
  },
  async open({ folder, data }) {
    return (await import("./loaded-suite.ts")).openSuite(ultratool, folder, data);
  },
  predictions: {
    splits: splits.map(({ name }) => name),
    flags: { parser: ["gpt", "other"] },
    async score(request) {
      return (await import("./score/predictions.ts")).scorePredictions(request);
    },
  },
};
