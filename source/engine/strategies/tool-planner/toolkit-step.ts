/** One step of a plan: tries the APIs of its toolkit in order until one succeeds. */
import { prompted, promptMessages, promptPair } from "../../settings/prompt-template.ts";
import { ask, act } from "../../run/ask.ts";
import type { Environment, PromptTemplate, Toolkit } from "../../protocol.ts";
import { shuffled } from "../../statistics/random.ts";
import type { TaskContext } from "../../strategy.ts";
import type { Option } from "../../option.ts";
import type { ToolkitStep } from "../../toolkits/plan.ts";
import type { Json, Message, Step, ToolCall, ToolResult, ToolSpec } from "../../types.ts";
import type { Usage } from "./bounds.ts";
import { factOf } from "../../work/fact.ts";

export type FailedAttempt = { readonly api: string; readonly problem: string };
export type StepOutcome = {
  /** The response of the API that succeeded; undefined when none did. */
  readonly response: string | undefined;
  readonly tool: ToolSpec | undefined;
  readonly tried: readonly FailedAttempt[];
};

export const checkOption: Option = {
  name: "planner.check",
  title: "What makes a response good",
  values: ["status", "model"],
  default: "status",
  note: "status: it reports no error and is not empty; model: the acting model also finds that it serves the step",
};

const checking = promptPair("check", {
  role: "actor",
  when: { [checkOption.name]: ["model"] },
  system:
    "Say whether the response of an API serves the step it was called for. Reply with yes or no, and why in one sentence.",
  user: "Request: {{request}}\n\nStep: {{goal}}\nResponse: {{response}}",
});

const stepping = promptPair("step", {
  role: "actor",
  system:
    "You carry out one step of a plan. The function you may call is given with its document: read it, and call it with arguments that serve this step.",
  user: "Request: {{request}}\n\nResult so far: {{result}}\n\nThis step: {{goal}}{{failures}}",
});

const failing: PromptTemplate = {
  name: "step.failures",
  role: "actor",
  text: "This is not the first attempt at this step. These APIs of the same toolkit were called and failed:\n{{list}}\nCall the one offered now instead; take its arguments from its own document.",
};

const stating = promptPair("state", {
  role: "actor",
  system:
    "A step of a plan has been carried out. Say in at most three sentences what is known now, with every value from the response that the request or a later step needs, and what comes next.",
  user: "Request: {{request}}\n\n{{known}}Step: {{goal}}\nAPI: {{api}}: {{description}}\nResponse: {{response}}",
});

const knowing: PromptTemplate = { name: "state.known", role: "actor", text: "Known before:\n{{results}}" };

export const stepPrompts: readonly PromptTemplate[] = [...stepping, failing, ...checking, ...stating, knowing];

/** Most characters of an observation in later prompts. */
const longestKept = 1500;
const noCall = "The model called no function";

/**
 * Tries the toolkit's APIs in seeded random order (those named in the request or sub-goal first), at most `bounds.apisPerToolkit`
 * of them. Each attempt offers one function and lists the failed attempts. A call of any other function is not executed.
 */
export async function* tryToolkit(
  context: TaskContext,
  environment: Environment,
  usage: Usage,
  node: {
    readonly id: string;
    readonly after: string;
    readonly step: ToolkitStep;
    readonly toolkit: Toolkit;
    readonly isReplan: boolean;
  },
): AsyncGenerator<Step, StepOutcome> {
  const tried: FailedAttempt[] = [];
  const order = orderOf(context, node.toolkit, node.step.goal).slice(0, usage.bounds.apisPerToolkit);
  for (const [index, tool] of order.entries()) {
    if (usage.reached() !== undefined) break;
    if (index > 0)
      yield {
        type: "note",
        kind: "switch",
        text: `Toolkit ${node.toolkit.id}: ${order[index - 1]!.name} failed, trying ${tool.name}`,
      };
    const id = `${node.id}/${index}`;
    const named = { type: "node", id, parent: node.id, kind: "api", label: tool.name } as const;
    const chosenBy = index > 0 ? "switch" : node.isReplan ? "replan" : "first";
    yield { ...named, state: "open", detail: { toolkit: node.toolkit.id, chosenBy } };
    const messages = stepMessages(context, node.step, node.after, tried);
    const { calls, text } = yield* usage.counted(
      ask(context, { role: "actor", stage: "step", messages, tools: [tool] }),
    );
    const call = calls[0];
    const from = performance.now();
    const result =
      call === undefined ? missing(text) : yield* usage.counted(executeCall(context, environment, tool, call));
    const ms = Math.round(performance.now() - from);
    const objection = result.ok ? yield* objectionTo(context, usage, node.step, result) : undefined;
    const good = result.ok && objection === undefined;
    const detail: Json = { toolkit: node.toolkit.id, chosenBy, arguments: call?.text ?? "", status: result.status, ms };
    yield { ...named, state: good ? "done" : "failed", detail };
    if (good) return { response: clip(result.observation), tool, tried };
    tried.push({ api: tool.name, problem: objection ?? clip(result.observation) });
  }
  return { response: undefined, tool: undefined, tried };
}

/**
 * With `planner.check: model`, the acting model judges whether a response serves the step; a plain no is the reason to try
 * another API. After any other reply the response is accepted.
 */
async function* objectionTo(
  context: TaskContext,
  usage: Usage,
  step: ToolkitStep,
  result: ToolResult,
): AsyncGenerator<Step, string | undefined> {
  if (context.spec.options[checkOption.name] !== "model" || usage.reached() !== undefined) return undefined;
  const slots = { request: context.task.question, goal: step.goal, response: clip(result.observation) };
  const messages = promptMessages(context.spec, checking, slots);
  const { text } = yield* usage.counted(ask(context, { role: "actor", stage: "check", messages }));
  return /^\W{0,3}no\b/i.test(text) ? `It answered, but not what the step needs: ${clip(text)}` : undefined;
}

async function* executeCall(
  context: TaskContext,
  environment: Environment,
  offered: ToolSpec,
  call: ToolCall,
): AsyncGenerator<Step, ToolResult> {
  if (call.name === offered.name) return yield* act(context, environment, call);
  const observation = JSON.stringify({ error: `No such function name: ${call.name}`, response: "" });
  const result: ToolResult = { ok: false, observation, status: 1 };
  yield { type: "result", callId: call.id, name: call.name, result };
  return result;
}

const missing = (text: string): ToolResult => ({
  ok: false,
  observation: text.trim() === "" ? noCall : `${noCall}, it said: ${clip(text)}`,
  status: "no call",
});

function orderOf(context: TaskContext, toolkit: Toolkit, goal: string): readonly ToolSpec[] {
  const listed = context.spec.options["planner.order"] === "listed";
  const order = listed ? toolkit.tools : shuffled(toolkit.tools, () => context.random());
  const text = plain(`${context.task.question} ${goal}`);
  const named = new Set(order.filter((tool) => namesOf(tool).some((name) => text.includes(name))));
  return [...order.filter((tool) => named.has(tool)), ...order.filter((tool) => !named.has(tool))];
}

/**
 * Returns the names that a request may use for an API: its name, or its name without the tool's name. Cached, because a toolkit
 * may contain most of a catalogue.
 */
const namesOf = factOf(({ name }: ToolSpec): readonly string[] => [plain(name), plain(name.split("_for_")[0]!)]);

const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

type Asking = Pick<TaskContext, "task" | "spec">;

function stepMessages(
  { task, spec }: Asking,
  { goal }: ToolkitStep,
  result: string,
  tried: readonly FailedAttempt[],
): readonly Message[] {
  const list = tried.map(({ api, problem }) => `- ${api}: ${problem}`).join("\n");
  const failures = tried.length === 0 ? "" : `\n\n${prompted(spec, failing, { list })}`;
  return promptMessages(spec, stepping, { request: task.question, result, goal, failures });
}

/** Returns the prompt for the state after a step (x_l): the known results, in at most three sentences. */
export function stateMessages(
  { task, spec }: Asking,
  { goal }: ToolkitStep,
  before: readonly string[],
  { name: api, description }: ToolSpec,
  response: string,
): readonly Message[] {
  const results = before.map((result, index) => `${index + 1}. ${result}`).join("\n");
  const known = results === "" ? "" : `${prompted(spec, knowing, { results })}\n\n`;
  return promptMessages(spec, stating, {
    request: task.question,
    known,
    goal,
    api,
    description: clip(description),
    response,
  });
}

const clip = (text: string): string => (text.length > longestKept ? `${text.slice(0, longestKept)}...` : text);
