/**
 * ToolChain*: A* over a tree of API calls (Zhuang et al., ICLR 2024, "ToolChain*: Efficient Action Space Navigation in Large
 * Language Models with A* Search", section 3), adapted to function calls. `toolchain-star/costs.ts` contains the costs of
 * nodes, `toolchain-star/best-first.ts` the search.
 *
 * Choices the paper leaves open: a reply with several calls counts as its first one; a call that ends the episode has no
 * remaining cost (h = 0) and no lookahead; a branch has as many calls as the environment allows; a branch that gives up is
 * pruned. When the budget is used up without an answer, one is composed from the deepest branch.
 */
import { ask, act } from "../run/ask.ts";
import { solutionNote } from "../run/solutions.ts";
import { replyMessage } from "../run/turns.ts";
import type { Option } from "../option.ts";
import type { Environment } from "../protocol.ts";
import type { TaskContext, Strategy } from "../strategy.ts";
import type { Step } from "../types.ts";
import { askForCalls, openEnvironment, atMost } from "./episode.ts";
import { boundOptions, boundsOf, mostRequests, Usage } from "./tool-planner/bounds.ts";
import { finalAnswer, finalPrompts } from "./tool-planner/final-answer.ts";
import { messagesBelow, pathTo, type ActionNode, type Sampled } from "./toolchain-star/action-node.ts";
import { bestFirst, type SearchActs } from "./toolchain-star/best-first.ts";
import { type Plan, foresightMessages, foresightPrompts, readForesight } from "./toolchain-star/costs.ts";

const samplesOption: Option = { name: "toolchain.samples", title: "Samples per node", values: "number", default: 5 };
const alphaOption: Option = {
  name: "toolchain.alpha",
  title: "Weight of stored plans (alpha)",
  values: "number",
  default: 0.5,
  note: "In the cost of a step, from 0 to 1; the rest is how often it was sampled",
};
const betaOption: Option = {
  name: "toolchain.beta",
  title: "Weight of positions (beta)",
  values: "number",
  default: 0.5,
  note: "In the remaining cost, from 0 to 1; the rest is the model's forecast, one request for each new call",
};
const memoryOption: Option = {
  name: "toolchain.memory",
  title: "Stored plans",
  values: ["fixed", "growing"],
  default: "fixed",
  note: "fixed: those of the demonstrations; growing: also those of the tasks solved before, which are executed one at a time, in order: results depend on that order",
  noted: {
    growing:
      "toolchain.memory: growing: plans of solved tasks are used in later ones, so results depend on the order of tasks",
  },
};
const temperatureOption: Option = {
  name: "toolchain.temperature",
  title: "Temperature of samples",
  values: "number",
  default: 0.7,
  note: "Samples at temperature 0 are all the same; other requests have the run's own temperature",
};

export const toolchainStar: Strategy<"environment"> = {
  name: "toolchain-star",
  title: "ToolChain*",
  needs: "environment",
  revision: 1,
  roles: ["model"],
  usesShots: true,
  options: [samplesOption, alphaOption, betaOption, memoryOption, temperatureOption, ...boundOptions],
  prompts: [...foresightPrompts, ...finalPrompts],
  sequential: ({ options }) => options[memoryOption.name] === "growing",
  async *run(context) {
    const environment = await openEnvironment(context);
    const node = yield* bestFirst(
      {
        alpha: share(context, alphaOption),
        beta: share(context, betaOption),
        stored: storedPlans(context),
        depth: Math.floor((environment.maxDepth ?? Infinity) / 2),
      },
      actsOf(context, environment, new Usage(boundsOf(context.spec))),
    );
    const end = node.result?.end;
    if (end?.answer === undefined) {
      yield* finalAnswer(context, environment, found(node));
      return;
    }
    yield solutionNote(pathTo(node).flatMap(({ ends, sampled }) => (ends ? [] : [sampled!.call.name])));
    yield { type: "note", kind: "end", text: end.reason, data: { leaf: node.id } };
    yield { type: "answer", answer: end.answer };
  },
  estimate: (context) => atMost(context, mostRequests(context.spec)),
};

function actsOf(context: TaskContext<"environment">, environment: Environment, usage: Usage): SearchActs {
  const opening = environment.opening?.([]) ?? [{ role: "user", content: context.task.question }];
  const samples = Math.max(1, Math.floor(number(context, samplesOption)));
  const temperature = number(context, temperatureOption);
  return {
    async *sample(node) {
      const messages = messagesBelow(opening, node);
      const replies: (Sampled | undefined)[] = [];
      while (replies.length < samples && (replies.length === 0 || usage.reached() === undefined))
        replies.push(yield* sampled(messages));
      return replies;
    },
    async *foresee(parent, next) {
      if (usage.reached() !== undefined) return undefined;
      const messages = foresightMessages(context, environment, parent, next);
      const { text } = yield* usage.counted(ask(context, { role: "model", stage: "foresee", messages }));
      return readForesight(text, environment);
    },
    call: ({ call, request }) => usage.counted(act(context, environment, call, request)),
    ends: ({ call }) => call.name === environment.finish?.tool.name,
    reached: () => usage.reached(),
  };

  async function* sampled(messages: ReturnType<typeof messagesBelow>): AsyncGenerator<Step, Sampled | undefined> {
    const reply = yield* usage.counted(askForCalls(context, environment, messages, { temperature }));
    const [call] = reply.calls;
    if (call === undefined) return undefined;
    return { call, thought: reply.text, message: replyMessage({ ...reply, calls: [call] }), request: reply.request };
  }
}

/** Returns the plans of the demonstrations, and of solved tasks if the run stores them. */
function storedPlans({ loaded, shots, solutions = [], spec }: TaskContext<"environment">): readonly Plan[] {
  const { plan } = loaded.asks.environment;
  return [...(plan === undefined ? [] : shots.map((shot) => plan(shot, spec))), ...solutions];
}

/** Returns the results of the calls on the path to a node. */
const found = (node: ActionNode): readonly string[] =>
  pathTo(node).flatMap(({ result }) => (result?.ok === true ? [result.observation] : []));

function number({ spec }: Pick<TaskContext, "spec">, { name, default: standard }: Option): number {
  const value = Number(spec.options[name] ?? standard);
  return Number.isFinite(value) && value >= 0 ? value : Number(standard);
}

const share = (context: Pick<TaskContext, "spec">, option: Option): number => Math.min(1, number(context, option));
