/**
 * tau2-bench: customer service in which agent and user both act (version 0.2.0). Read README.md in this folder first: it explains
 * which parts are compared with the official program, and how versions differ.
 */
import { conversation } from "../../source/engine/strategies/conversation.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { prompts } from "./ask/prompts.ts";
import { faultKinds } from "./ask/oracle.ts";
import { dataFiles } from "./data/data-files.ts";
import { issues, personas } from "./data/service-task.ts";
import { domainNames, predictionSplits, splits } from "./data/splits.ts";
import { measures, withoutUser } from "./score/measures.ts";
import { errorKinds } from "./score/score.ts";

export const tau2: Suite<"conversation"> = {
  name: "tau2",
  title: "tau2-bench",
  summary: "customer service: agent and user use tools",
  revision: 1,
  paper: {
    title: "tau2-Bench: Evaluating Conversational Agents in a Dual-Control Environment",
    venue: "arXiv 2506.07982, version 0.2.0 of the program",
    url: "https://arxiv.org/abs/2506.07982",
  },
  licence:
    "MIT (Sierra Research). The data are not part of Planwright: bring your own copy. The sample is this project's own.",
  splits: splits.map(({ name, title }) => ({ name, title })),
  facets: [
    { name: "domain", title: "Domain", order: domainNames },
    { name: "writes", title: "Changes" },
    { name: "told", title: "Facts to report", order: ["yes", "no"] },
    { name: "issue", title: "Issue", order: issues },
    { name: "faults", title: "Faults of the phone" },
    { name: "persona", title: "Persona", order: personas },
  ],
  strategies: [conversation],
  options: [
    {
      name: "maxSteps",
      title: "Step limit",
      values: "number",
      default: 200,
      note: "each reply is one step, and all calls of a reply together are one more; leaderboards use 200 or 100",
    },
    { name: "maxErrors", title: "Error limit", values: "number", default: 10, note: "failed calls by agent and user" },
    {
      name: "validate",
      title: "Text with calls",
      values: ["off", "on"],
      default: "off",
      note: "on: a message with both text and calls ends the conversation; off: only its author sees the text",
    },
    {
      name: "policy",
      title: "Technical support",
      values: ["manual", "workflow"],
      default: "manual",
      note: "the form of the telecom policy in the agent's prompt",
    },
  ],
  prompts,
  maxShots: 0,
  measures,
  beside: [withoutUser],
  remarks: [
    "Version 0.2.0 (October 2025): since 1.0 (March 2026) airline and retail have different tasks, and retail has a different reward, so later leaderboards are comparable for telecom only",
    "Simple rules guess who was at fault; the official reward ignores this guess",
  ],
  withValue: (value) => ({ reward: value }),
  errorKinds,
  faultKinds,
  analyses: ["overview", "difficulty", "checks", "errors", "consistency", "compare", "efficiency", "cost", "paper"],
  data: { files: dataFiles, source: "https://github.com/sierra-research/tau2-bench" },
  reported: async () => (await import("./paper/reported.ts")).readPaper(),
  open: async (from) => (await import("./loaded-suite.ts")).openSuite(tau2, from),
  predictions: {
    splits: predictionSplits,
    sumsOnly: true,
    score: async (request) => (await import("./score/predictions.ts")).scorePredictions(request),
  },
};
