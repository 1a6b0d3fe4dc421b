/**
 * Tool-Planner: planning over clusters of tools (Liu et al., ICLR 2025), Algorithm 1 as described in the paper. The released
 * program does not implement it: it never really replans and may not terminate; see suites/toolbench/README.md.  A plan is a
 * chain of toolkits. Within a step a failing API is replaced by another of the same toolkit (`switch`). When all of them have
 * failed the toolkit is excluded and a new plan is requested (`replan`); results of the leading steps both plans share are kept,
 * and execution resumes after their lowest common ancestor. Bounds end the search; the answer is then composed from the results
 * so far.
 */
import { clusterPrompts } from "../clustering/toolkits/cluster-prompts.ts";
import { ask } from "../run/ask.ts";
import { formatOption } from "../run/reply-format.ts";
import type { Toolkit } from "../protocol.ts";
import type { TaskContext, Strategy } from "../strategy.ts";
import type { Option } from "../option.ts";
import { commonPrefix, planText, type ToolkitStep } from "../toolkits/plan.ts";
import type { Step } from "../types.ts";
import { openEnvironment, atMost } from "./episode.ts";
import { boundOptions, boundsOf, mostRequests, replanOptions, Usage } from "./tool-planner/bounds.ts";
import { finalAnswer, finalPrompts } from "./tool-planner/final-answer.ts";
import {
  plan,
  planMessages,
  planPrompts,
  prefilterOption,
  replanMessages,
  shownToolkits,
  type Failed,
} from "./tool-planner/planning.ts";
import { checkOption, stateMessages, stepPrompts, tryToolkit } from "./tool-planner/toolkit-step.ts";

const options: readonly Option[] = [
  ...boundOptions,
  ...replanOptions,
  prefilterOption,
  checkOption,
  {
    name: "planner.restart",
    title: "Where a new plan starts",
    values: ["after-lca", "lca"],
    default: "after-lca",
    note: "The paper's pseudo-code reads as `lca`, which carries out the common step again",
  },
  {
    name: "planner.order",
    title: "Order of a toolkit's APIs",
    values: ["shuffled", "listed"],
    default: "shuffled",
    note: "The paper picks at random, the released program takes the stored order",
  },
  formatOption,
];

export const toolPlanner: Strategy<"environment"> = {
  name: "tool-planner",
  title: "Tool-Planner",
  needs: "environment",
  revision: 1,
  roles: ["model", "actor"],
  roleNames: { model: "Planner" },
  options,
  prompts: [...clusterPrompts, ...planPrompts, ...stepPrompts, ...finalPrompts],
  async *run(context) {
    const environment = await openEnvironment(context);
    const all = environment.toolkits;
    if (all === undefined || all.length === 0)
      throw new TypeError(
        `Expected \`${context.spec.suite}\` to offer toolkits, which Tool-Planner plans over; it has none`,
      );
    const usage = new Usage(boundsOf(context.spec));
    const shown = await shownToolkits(context, all);
    yield { type: "note", kind: "plan", text: `${shown.length} of ${all.length} toolkits are shown to the planner` };
    const results = yield* explore(context, environment, usage, shown);
    yield* finalAnswer(context, environment, results);
  },
  estimate: (context) => atMost(context, mostRequests(context.spec)),
};

type Position = { plan: readonly ToolkitStep[]; at: number; results: readonly string[] };

async function* explore(
  context: TaskContext,
  environment: Awaited<ReturnType<typeof openEnvironment>>,
  usage: Usage,
  toolkits: readonly Toolkit[],
): AsyncGenerator<Step, readonly string[]> {
  const tree = new PlanTree(context.task.question);
  const byId = new Map(toolkits.map((toolkit) => [toolkit.id, toolkit]));
  const failed: Failed[] = [];
  yield tree.rootStep();
  const first = yield* plan(context, usage, "plan", planMessages(context, toolkits), toolkits);
  if (first.length === 0) yield { type: "note", kind: "bound", text: "No plan could be read" };
  let now: Position = { plan: first, at: 0, results: [] };
  yield* tree.grow(first, 0);
  while (now.at < now.plan.length) {
    const bound = usage.reached();
    if (bound !== undefined) {
      yield { type: "note", kind: "bound", text: bound };
      return now.results;
    }
    const step = now.plan[now.at]!;
    const after = now.results.at(-1) ?? "nothing yet";
    const node = { id: tree.idAt(now.at), after, step, toolkit: byId.get(step.toolkit)!, isReplan: usage.replans > 0 };
    const { response, tool, tried } = yield* tryToolkit(context, environment, usage, node);
    if (response !== undefined) {
      const messages = stateMessages(context, step, now.results, tool!, response);
      const { text } = yield* usage.counted(ask(context, { role: "actor", stage: "state", messages }));
      now = { ...now, at: now.at + 1, results: [...now.results, text.trim() === "" ? response : text.trim()] };
      yield tree.mark(now.at - 1, "done");
      continue;
    }
    yield tree.mark(now.at, "failed");
    byId.delete(step.toolkit);
    const errors = tried.map(({ api, problem }) => `- ${api}: ${problem}`).join("\n");
    failed.push({ plan: now.plan, at: now.at, errors });
    const next = yield* revise(context, usage, tree, [...byId.values()], now, failed);
    if (next === undefined) return now.results;
    now = next;
  }
  return now.results;
}

/** Replans across toolkits; returns undefined when a bound is reached or no plan can be parsed. */
async function* revise(
  context: TaskContext,
  usage: Usage,
  tree: PlanTree,
  toolkits: readonly Toolkit[],
  now: Position,
  failed: readonly Failed[],
): AsyncGenerator<Step, Position | undefined> {
  const { replans } = usage.bounds;
  const bound =
    usage.replans >= replans
      ? `${replans} new plans were tried`
      : toolkits.length === 0
        ? "every toolkit has failed"
        : usage.reached();
  if (bound !== undefined) {
    yield { type: "note", kind: "bound", text: bound };
    return undefined;
  }
  usage.replans += 1;
  const messages = replanMessages(context, toolkits, now.results, failed);
  const revised = yield* plan(context, usage, "replan", messages, toolkits);
  if (revised.length === 0) {
    yield { type: "note", kind: "bound", text: "No new plan could be read" };
    return undefined;
  }
  const shared = commonPrefix(now.plan, revised, now.at);
  const kept = context.spec.options["planner.restart"] === "lca" ? Math.max(0, shared - 1) : shared;
  const data = { shared, kept, again: now.at - kept };
  yield { type: "note", kind: "replan", text: `${planText(revised)} (keeps ${kept} of ${now.at} results)`, data };
  yield* tree.grow(revised, kept);
  return { plan: revised, at: kept, results: now.results.slice(0, kept) };
}

type Planned = { readonly id: string; readonly step: ToolkitStep; state: "open" | "done" | "failed" | "pruned" };

class PlanTree {
  readonly #question: string;
  #version = 0;
  #branch: Planned[] = [];

  constructor(question: string) {
    this.#question = question;
  }

  rootStep(): Step {
    return { type: "node", id: "query", kind: "query", label: this.#question, state: "open" };
  }

  /** Sets a new plan that shares its first `kept` steps with the previous plan, whose remaining open steps are pruned. */
  *grow(plan: readonly ToolkitStep[], kept: number): Generator<Step> {
    this.#version += 1;
    for (const [index, old] of this.#branch.entries()) {
      if (old.state !== "open") continue;
      old.state = "pruned";
      yield this.#stepOf(index);
    }
    const branch = this.#branch.slice(0, kept);
    this.#branch = branch;
    for (const [index, step] of plan.entries()) {
      if (index < kept) continue;
      branch.push({ id: `p${this.#version}.${index + 1}`, step, state: "open" });
      yield this.#stepOf(index);
    }
  }

  mark(index: number, state: "done" | "failed"): Step {
    this.#branch[index]!.state = state;
    return this.#stepOf(index);
  }

  idAt(index: number): string {
    return this.#branch[index]!.id;
  }

  #stepOf(index: number): Step {
    const { id, step, state } = this.#branch[index]!;
    const parent = this.#branch[index - 1]?.id ?? "query";
    const label = `Toolkit ${step.toolkit}${step.goal === "" ? "" : `: ${step.goal}`}`;
    const detail = { plan: this.#version, step: index + 1, toolkit: step.toolkit };
    return { type: "node", id, parent, kind: "toolkit", label, state, detail };
  }
}
