/** AdaPlanner's prompts, and the parsers of its plans. */
import type { PromptTemplate } from "../../protocol.ts";
import { prompted, promptMessages, promptPair } from "../../settings/prompt-template.ts";
import { textAt } from "../../text/json-record.ts";
import { listed, longestPlan } from "../../toolkits/plan.ts";
import type { Message, RunSpec, Task, ToolSpec } from "../../types.ts";

/** One step of a plan: its API, its goal, and the required content of its result. */
export type ApiStep = { readonly goal: string; readonly api: string; readonly expect: string };

const format =
  'Write it as a JSON list, one object per step in order: [{"goal": "what the step is for", "api": "name of the function to call", "expect": "what its result must hold"}].';

const planning = promptPair("plan", {
  role: "model",
  system: `You plan how a request is served by calling functions. Bind every step to one function, and say what its result must hold for the plan to go on. Do not answer the request itself. ${format}`,
  user: "Functions:\n{{functions}}\n\nRequest: {{request}}",
});

const stepping = promptPair("step", {
  role: "actor",
  system:
    "You carry out one step of a plan by calling its function. Take the arguments from the request and from earlier results.",
  user: "Request: {{request}}\n\nEarlier results:\n{{results}}\n\nThis step: {{goal}}\nIts result must hold: {{expected}}{{failures}}",
});

const extracting = promptPair("extract", {
  role: "actor",
  system:
    'Check a result against what was expected of it, and take from it what the request or later steps need. Reply with one JSON object: {"met": true or false, "value": "the values found, in a sentence"}.',
  user: "Request: {{request}}\n\nStep: {{goal}}\nExpected: {{expected}}\nResult: {{result}}",
});

const refining = promptPair("refine", {
  role: "model",
  system: `A step of your plan failed. Rewrite the plan from this step on, with other functions or another way; the steps before it stay as they are. ${format}`,
  user: "Functions:\n{{functions}}\n\nRequest: {{request}}\n\nPlan:\n{{plan}}\n\nResults so far:\n{{results}}\n\nStep {{step}} failed: {{failure}}{{failures}}",
});

const failing = (["step", "refine"] as const).map((stage): PromptTemplate => ({
  name: `${stage}.failures`,
  role: stage === "step" ? "actor" : "model",
  text: "Failed before:\n{{list}}",
}));

export const prompts: readonly PromptTemplate[] = [...planning, ...stepping, ...extracting, ...refining, ...failing];

type Asking = { readonly task: Pick<Task, "question">; readonly spec: Pick<RunSpec, "prompts"> };

export const apiPlanMessages = ({ task, spec }: Asking, tools: readonly ToolSpec[]): readonly Message[] =>
  promptMessages(spec, planning, { request: task.question, functions: listing(tools) });

const failedBefore = ({ spec }: Asking, stage: 0 | 1, failures: readonly string[]): string =>
  failures.length === 0
    ? ""
    : `\n\n${prompted(spec, failing[stage]!, { list: failures.map((failure) => `- ${failure}`).join("\n") })}`;

export const stepMessages = (
  asking: Asking,
  { goal, expect: expected }: ApiStep,
  results: readonly string[],
  failures: readonly string[],
): readonly Message[] =>
  promptMessages(asking.spec, stepping, {
    request: asking.task.question,
    results: numbered(results),
    goal,
    expected,
    failures: failedBefore(asking, 0, failures),
  });

export const extractMessages = (
  { task, spec }: Asking,
  { goal, expect: expected }: ApiStep,
  result: string,
): readonly Message[] => promptMessages(spec, extracting, { request: task.question, goal, expected, result });

export const refineMessages = (
  asking: Asking,
  tools: readonly ToolSpec[],
  plan: readonly ApiStep[],
  at: number,
  results: readonly string[],
  failures: readonly string[],
): readonly Message[] =>
  promptMessages(asking.spec, refining, {
    functions: listing(tools),
    request: asking.task.question,
    plan: plan.map(({ api, goal }, index) => `${index + 1}. ${api}: ${goal}`).join("\n"),
    results: numbered(results),
    step: String(at + 1),
    failure: String(failures.at(-1)),
    failures: failedBefore(asking, 1, failures.slice(0, -1)),
  });

const listing = (tools: readonly ToolSpec[]): string =>
  tools.map(({ name, description }) => `- ${name}: ${description}`).join("\n");

const numbered = (results: readonly string[]): string =>
  results.length === 0 ? "none" : results.map((result, index) => `${index + 1}. ${result}`).join("\n");

/** Returns the steps of a plan, at any position of the list in the reply; entries without an API are omitted. */
export const readApiPlan = (reply: string): readonly ApiStep[] =>
  listed(reply)
    .map((item) => ({ goal: textAt(item, "goal"), api: textAt(item, "api"), expect: textAt(item, "expect") }))
    .filter(({ api }) => api !== "")
    .slice(0, longestPlan);
