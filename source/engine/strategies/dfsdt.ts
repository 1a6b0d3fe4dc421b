/** DFSDT, ToolBench's depth-first search over a decision tree, and its chain without a tree (CoT@n), as strategies. */
import { act } from "../run/ask.ts";
import type { Environment } from "../protocol.ts";
import { pick } from "../statistics/random.ts";
import type { TaskContext, Strategy } from "../strategy.ts";
import type { Option } from "../option.ts";
import { counted } from "../text/counted.ts";
import type { Message, Step, ToolCall } from "../types.ts";
import { askForCalls, openEnvironment, atMost } from "./episode.ts";
import { chains, depthFirst, newSearch, searchPrompts, type Ask, type Search } from "./tree-search/depth-first.ts";
import { type Act, equalChildren, type SearchNode } from "./tree-search/tree.ts";

const depthOption: Option = {
  name: "search.depth",
  title: "Most nodes in a branch",
  values: "number",
  default: 12,
  note: "A thought, an action and its input count one each: 12 are about four to six requests",
};
const queriesOption: Option = { name: "search.queries", title: "Most model requests", values: "number", default: 200 };
const widthOption: Option = { name: "search.width", title: "Children per node", values: "number", default: 2 };
const triesOption: Option = { name: "search.tries", title: "Chains until one answers", values: "number", default: 1 };

export const dfsdt: Strategy<"environment"> = {
  name: "dfsdt",
  title: "DFSDT",
  needs: "environment",
  offersFunctions: true,
  revision: 2,
  roles: ["model"],
  options: [widthOption, depthOption, queriesOption],
  prompts: searchPrompts,
  async *run(context) {
    const { search, asking, acting } = prepare(context, await openEnvironment(context));
    const limits = {
      depth: number(context, depthOption),
      width: number(context, widthOption),
      queries: queries(context),
      answers: 1,
    };
    yield* depthFirst(search, limits, asking, acting, context.spec);
    if (search.queries >= limits.queries)
      yield {
        type: "note",
        kind: "bound",
        text: `${limits.queries} model requests are used up; the last reply was thrown away`,
      };
    const alike = equalChildren(search.tree.root);
    if (alike > 0) {
      const text = `Equal children at ${counted(alike, "node")}, different ones at none: the search tried nothing new`;
      yield { type: "note", kind: "equal-children", text };
    }
    yield* ended(context, search);
  },
  estimate: (context) => atMost(context, queries(context)),
};

export const singleChain: Strategy<"environment"> = {
  name: "single-chain",
  title: "CoT@n (ToolBench's ReAct chain)",
  needs: "environment",
  offersFunctions: true,
  revision: 2,
  roles: ["model"],
  options: [depthOption, triesOption, { ...queriesOption, default: 60 }],
  async *run(context) {
    const environment = await openEnvironment(context);
    const { search, opening, asking, acting } = prepare(context, environment);
    const limits = {
      depth: number(context, depthOption),
      tries: number(context, triesOption),
      queries: queries(context, 60),
    };
    yield* chains(search, opening, limits, asking, acting);
    if (search.answered.length === 0 && search.queries >= limits.queries)
      yield { type: "note", kind: "bound", text: `Model requests are used up: ${limits.queries}` };
    yield* ended(context, search);
  },
  estimate: (context) => atMost(context, queries(context, 60)),
};

function prepare(context: TaskContext, environment: Environment) {
  const opening: readonly Message[] = environment.opening?.([]) ?? [{ role: "user", content: context.task.question }];
  const asking: Ask = (messages) => askForCalls(context, environment, messages);
  const acting: Act = (call: ToolCall) => act(context, environment, call);
  return { search: newSearch(opening), opening, asking, acting };
}

/** Yields the first answer; without an answer, draws at random a branch that gave up, as in the official program. */
function* ended(context: TaskContext, search: Search): Generator<Step> {
  const [answered]: readonly (SearchNode | undefined)[] = search.answered;
  const leaf = answered ?? (search.gaveUp.length === 0 ? undefined : pick(search.gaveUp, () => context.random()));
  const text = answered?.answer?.reason ?? (leaf === undefined ? "no answer" : "gave up");
  yield { type: "note", kind: "end", text, data: { leaf: leaf?.id ?? null } };
  if (answered?.answer?.answer !== undefined) yield { type: "answer", answer: answered.answer.answer };
}

function number(context: TaskContext, option: Option): number {
  const value = Number(context.spec.options[option.name] ?? option.default);
  return Number.isFinite(value) && value >= 1 ? Math.floor(value) : Number(option.default);
}

/** Returns the search's limit, or the task's budget if smaller. */
function queries(context: Pick<TaskContext, "spec">, fallback = 200): number {
  const requested = Number(context.spec.options[queriesOption.name] ?? fallback);
  return Math.min(
    Number.isFinite(requested) && requested >= 1 ? requested : fallback,
    context.spec.budget.task?.steps ?? Infinity,
  );
}
