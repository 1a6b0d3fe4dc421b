/**
 * AdaPlanner (Sun et al., NeurIPS 2023), adapted to tool calls: an explicit plan first, in which every step names one API and
 * what its result must contain. A result that contains it provides the value for later steps (in-plan feedback); otherwise, or
 * after a failed call, the plan is rewritten from that step on (out-of-plan feedback) and execution resumes at that step. The
 * paper's skill memory is not used.
 */
import { ask, act } from "../run/ask.ts";
import type { Environment } from "../protocol.ts";
import type { TaskContext, Strategy } from "../strategy.ts";
import { field, objectIn } from "../text/json-record.ts";
import type { Step } from "../types.ts";
import {
  extractMessages,
  apiPlanMessages,
  readApiPlan,
  refineMessages,
  stepMessages,
  type ApiStep,
  prompts,
} from "./adaplanner/prompts.ts";
import { openEnvironment, atMost } from "./episode.ts";
import { boundOptions, boundsOf, mostRequests, Usage } from "./tool-planner/bounds.ts";
import { finalAnswer, finalPrompts } from "./tool-planner/final-answer.ts";

/** Maximum number of refinements of the plan (as in the paper). */
const mostRefinements = 3;
/** Further requests for a plan when none could be parsed. */
const planRetries = 2;

export const adaplanner: Strategy<"environment"> = {
  name: "adaplanner",
  title: "AdaPlanner",
  needs: "environment",
  revision: 1,
  roles: ["model", "actor"],
  options: boundOptions,
  prompts: [...prompts, ...finalPrompts],
  async *run(context) {
    const whole = await openEnvironment(context);
    // The tool that ends the episode is not a step of a plan.
    const tools = whole.tools.filter(({ name }) => name !== whole.finish?.tool.name);
    const environment = Object.assign(Object.create(whole) as Environment, { tools });
    const results = yield* follow(context, environment, new Usage(boundsOf(context.spec)));
    yield* finalAnswer(context, environment, results);
  },
  estimate: (context) => atMost(context, mostRequests(context.spec)),
};

async function* follow(
  context: TaskContext,
  environment: Environment,
  usage: Usage,
): AsyncGenerator<Step, readonly string[]> {
  const { question } = context.task;
  const results: string[] = [];
  const failures: string[] = [];
  yield { type: "node", id: "query", kind: "query", label: question, state: "open" };
  let plan = yield* planned(context, environment, usage, "plan", apiPlanMessages(context, environment.tools));
  let version = 1;
  if (plan.length === 0) yield { type: "note", kind: "bound", text: "No plan could be read" };
  const ids: string[] = [];
  yield* nodes(plan, 0, version, ids);
  for (let at = 0; at < plan.length;) {
    const bound = usage.reached();
    if (bound !== undefined) {
      yield { type: "note", kind: "bound", text: bound };
      return results;
    }
    const step = plan[at]!;
    const feedback = yield* executeStep(context, environment, usage, step, results, failures);
    yield nodeOf(step, at, ids, feedback.value === undefined ? "failed" : "done");
    if (feedback.value !== undefined) {
      results.push(feedback.value);
      at += 1;
      continue;
    }
    if (version > mostRefinements || usage.reached() !== undefined) {
      yield { type: "note", kind: "bound", text: `${version - 1} refinements were made` };
      return results;
    }
    version += 1;
    failures.push(feedback.problem);
    const messages = refineMessages(context, environment.tools, plan, at, results, failures);
    const rest = yield* planned(context, environment, usage, "refine", messages);
    yield { type: "note", kind: "replan", text: rest.map(({ api, goal }) => `${api}: ${goal}`).join(" -> ") };
    if (rest.length === 0) return results;
    plan = [...plan.slice(0, at), ...rest];
    yield* nodes(plan, at, version, ids);
  }
  return results;
}

async function* planned(
  context: TaskContext,
  environment: Environment,
  usage: Usage,
  stage: "plan" | "refine",
  messages: ReturnType<typeof apiPlanMessages>,
): AsyncGenerator<Step, readonly ApiStep[]> {
  for (let attempt = 0; attempt <= planRetries; attempt++) {
    if (attempt > 0 && usage.reached() !== undefined) return [];
    const { text } = yield* usage.counted(ask(context, { role: "model", stage, messages }));
    const steps = readApiPlan(text);
    const known = new Set(environment.tools.map(({ name }) => name));
    for (const { api } of steps)
      if (!known.has(api))
        yield { type: "note", kind: "hallucination", text: `The plan names \`${api}\`, which is not offered` };
    if (steps.length > 0) return steps;
  }
  return [];
}

type Feedback = { readonly value: string | undefined; readonly problem: string };

async function* executeStep(
  context: TaskContext,
  environment: Environment,
  usage: Usage,
  step: ApiStep,
  results: readonly string[],
  failures: readonly string[],
): AsyncGenerator<Step, Feedback> {
  const tool = environment.tools.find(({ name }) => name === step.api);
  if (tool === undefined) return { value: undefined, problem: `There is no API \`${step.api}\`` };
  const messages = stepMessages(context, step, results, failures);
  const { calls } = yield* usage.counted(ask(context, { role: "actor", stage: "step", messages, tools: [tool] }));
  const call = calls[0];
  if (call === undefined) return { value: undefined, problem: "The model called no function" };
  const result = yield* usage.counted(act(context, environment, call));
  if (!result.ok) return { value: undefined, problem: `${call.name} failed: ${result.observation}` };
  if (usage.reached() !== undefined) return { value: result.observation, problem: "" };
  const check = extractMessages(context, step, result.observation);
  const { text } = yield* usage.counted(ask(context, { role: "actor", stage: "extract", messages: check }));
  const read = objectIn(text);
  // When the check cannot be parsed, the result itself is used.
  if (read === undefined) return { value: result.observation, problem: "" };
  if (field(read, "met") === false)
    return {
      value: undefined,
      problem: `The result of ${call.name} does not hold what was expected: ${result.observation}`,
    };
  const value = field(read, "value");
  return { value: typeof value === "string" && value !== "" ? value : result.observation, problem: "" };
}

/** Yields the steps from `from` on as new nodes: a rewritten remainder branches off the last unchanged step. */
function* nodes(plan: readonly ApiStep[], from: number, version: number, ids: string[]): Generator<Step> {
  ids.length = from;
  for (const [index, step] of plan.entries()) {
    if (index < from) continue;
    ids.push(`p${version}.${index + 1}`);
    yield nodeOf(step, index, ids, "open");
  }
}

function nodeOf(step: ApiStep, index: number, ids: readonly string[], state: "open" | "done" | "failed"): Step {
  const parent = ids[index - 1] ?? "query";
  return { type: "node", id: ids[index]!, parent, kind: "step", label: `${step.api}: ${step.goal}`, state };
}
