/** DFSDT, ToolBench's depth-first search over a decision tree, and its plain chain (CoT@n), as strategies. */
import { act } from "../run/act.ts";
import { ask } from "../run/ask.ts";
import type { Environment } from "../protocol.ts";
import { pick } from "../statistics/random.ts";
import type { Play, Strategy } from "../strategy.ts";
import type { Option } from "../suite.ts";
import type { Message, Step, ToolCall } from "../types.ts";
import { atMost } from "./at-most.ts";
import { enter } from "./episode.ts";
import { chains, depthFirst, newSearch, type Ask, type Search } from "./tree-search/depth-first.ts";
import type { Act, SearchNode } from "./tree-search/tree.ts";

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

export const dfsdt: Strategy = {
  name: "dfsdt",
  title: "DFSDT",
  revision: 1,
  roles: ["model"],
  options: [widthOption, depthOption, queriesOption],
  async *run(play) {
    const { search, asking, acting } = prepare(play, await enter(play));
    const limits = {
      depth: number(play, depthOption),
      width: number(play, widthOption),
      queries: queries(play),
      answers: 1,
    };
    yield* depthFirst(search, limits, asking, acting);
    if (search.queries >= limits.queries)
      yield {
        type: "note",
        kind: "bound",
        text: `${limits.queries} model requests are used up; the last reply was thrown away`,
      };
    yield* ended(play, search);
  },
  estimate: (play) => atMost(play, queries(play)),
};

export const singleChain: Strategy = {
  name: "single-chain",
  title: "CoT@n (ToolBench's ReAct chain)",
  revision: 1,
  roles: ["model"],
  options: [depthOption, triesOption, { ...queriesOption, default: 60 }],
  async *run(play) {
    const environment = await enter(play);
    const { search, opening, asking, acting } = prepare(play, environment);
    const limits = { depth: number(play, depthOption), tries: number(play, triesOption), queries: queries(play, 60) };
    yield* chains(search, opening, limits, asking, acting);
    yield* ended(play, search);
  },
  estimate: (play) => atMost(play, queries(play, 60)),
};

function prepare(play: Play, environment: Environment) {
  const opening: readonly Message[] = environment.opening?.([]) ?? [{ role: "user", content: play.task.question }];
  const asking: Ask = (messages) => ask(play, { role: "model", stage: "step", messages, tools: environment.tools });
  const acting: Act = (call: ToolCall) => act(play, environment, call);
  return { search: newSearch(opening), opening, asking, acting };
}

/** The first answer found; without one, a branch that gave up is drawn, as the official program does. */
function* ended(play: Play, search: Search): Generator<Step> {
  const answered: SearchNode | undefined = search.answered[0];
  const leaf = answered ?? (search.gaveUp.length === 0 ? undefined : pick(search.gaveUp, () => play.random()));
  const text = answered?.answer?.reason ?? (leaf === undefined ? "no answer" : "gave up");
  yield { type: "note", kind: "end", text, data: { leaf: leaf?.id ?? null } };
  if (answered?.answer?.answer !== undefined) yield { type: "answer", answer: answered.answer.answer };
}

function number(play: Play, option: Option): number {
  const value = Number(play.spec.options[option.name] ?? option.default);
  return Number.isFinite(value) && value >= 1 ? Math.floor(value) : Number(option.default);
}

/** The search's own limit, or the task's budget where that is smaller. */
function queries(play: Pick<Play, "spec">, usual = 200): number {
  const asked = Number(play.spec.options[queriesOption.name] ?? usual);
  return Math.min(Number.isFinite(asked) && asked >= 1 ? asked : usual, play.spec.budget.task?.steps ?? Infinity);
}
