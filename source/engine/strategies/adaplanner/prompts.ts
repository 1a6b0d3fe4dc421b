/** AdaPlanner's prompts, and the parsers of its plans. */
import { systemAndUser } from "../../text/system-and-user.ts";
import { field, isRecord, parseJson, type JsonRecord } from "../../text/json-record.ts";
import { listed, longestPlan } from "../../toolkits/plan.ts";
import type { Json, Message, ToolSpec } from "../../types.ts";

/** One step of a plan: its API, its goal, and what its result must contain. */
export type ApiStep = { readonly goal: string; readonly api: string; readonly expect: string };

const format =
  'Write it as a JSON list, one object per step in order: [{"goal": "what the step is for", "api": "name of the function to call", "expect": "what its result must hold"}].';

export function apiPlanMessages(question: string, tools: readonly ToolSpec[]): readonly Message[] {
  return systemAndUser(
    `You plan how a request is served by calling functions. Bind every step to one function, and say what its result must hold for the plan to go on. Do not answer the request itself. ${format}`,
    `Functions:\n${listing(tools)}\n\nRequest: ${question}`,
  );
}

const failedBefore = (failures: readonly string[]): string =>
  failures.length === 0 ? "" : `\n\nFailed before:\n${failures.map((failure) => `- ${failure}`).join("\n")}`;

export function stepMessages(
  question: string,
  step: ApiStep,
  results: readonly string[],
  failures: readonly string[],
): readonly Message[] {
  return systemAndUser(
    "You carry out one step of a plan by calling its function. Take the arguments from the request and from earlier results.",
    `Request: ${question}\n\nEarlier results:\n${numbered(results)}\n\nThis step: ${step.goal}\nIts result must hold: ${step.expect}${failedBefore(failures)}`,
  );
}

export function extractMessages(question: string, step: ApiStep, observation: string): readonly Message[] {
  return systemAndUser(
    'Check a result against what was expected of it, and take from it what the request or later steps need. Reply with one JSON object: {"met": true or false, "value": "the values found, in a sentence"}.',
    `Request: ${question}\n\nStep: ${step.goal}\nExpected: ${step.expect}\nResult: ${observation}`,
  );
}

export function refineMessages(
  question: string,
  tools: readonly ToolSpec[],
  plan: readonly ApiStep[],
  at: number,
  results: readonly string[],
  failures: readonly string[],
): readonly Message[] {
  const steps = plan.map(({ api, goal }, index) => `${index + 1}. ${api}: ${goal}`).join("\n");
  return systemAndUser(
    `A step of your plan failed. Rewrite the plan from this step on, with other functions or another way; the steps before it stay as they are. ${format}`,
    `Functions:\n${listing(tools)}\n\nRequest: ${question}\n\nPlan:\n${steps}\n\nResults so far:\n${numbered(results)}\n\nStep ${at + 1} failed: ${failures.at(-1)}${failedBefore(failures.slice(0, -1))}`,
  );
}

const listing = (tools: readonly ToolSpec[]): string =>
  tools.map(({ name, description }) => `- ${name}: ${description}`).join("\n");

const numbered = (results: readonly string[]): string =>
  results.length === 0 ? "none" : results.map((result, index) => `${index + 1}. ${result}`).join("\n");

/** Returns the steps of a plan, wherever the list is in the reply; entries without an API are left out. */
export function readApiPlan(reply: string): readonly ApiStep[] {
  return listed(reply)
    .map((item) => ({ goal: textAt(item, "goal"), api: textAt(item, "api"), expect: textAt(item, "expect") }))
    .filter(({ api }) => api !== "")
    .slice(0, longestPlan);
}

/** Returns the object in a reply, undefined if there is none. */
export function readExtract(reply: string): JsonRecord | undefined {
  const value = parseJson(reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1));
  return isRecord(value) ? value : undefined;
}

function textAt(item: Json, name: string): string {
  const value = field(item, name);
  return typeof value === "string" ? value : "";
}
