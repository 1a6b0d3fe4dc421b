/**
 * The search of ToolChain*: A* over a tree of calls. Independent of models and environments: sampling, looking ahead and
 * calling are parameters.
 *
 * The search takes the cheapest open node (of equals the shallower, then the older), makes its call, and adds the calls sampled
 * after it as children. It ends when a taken node has given the answer, or when the bounds or the open nodes are used up: then
 * with the cheapest open node that answers, otherwise with the deepest one reached.
 */
import { canonicalJson } from "../../text/json-record.ts";
import type { Step, ToolResult } from "../../types.ts";
import { pathTo, actionStep, type ActionNode, type Sampled } from "./action-node.ts";
import { remainingCost, stepCost, type Plan } from "./costs.ts";
import { counted } from "../../text/counted.ts";

export type SearchSettings = {
  readonly alpha: number;
  readonly beta: number;
  readonly stored: readonly Plan[];
  /** Most calls in a branch. */
  readonly depth: number;
};

export type SearchActs = {
  /** Yields one member per reply; undefined for a reply without a call. */
  sample(node: ActionNode): AsyncGenerator<Step, readonly (Sampled | undefined)[]>;
  /**
   * Returns how many calls the model expects after this call, including the call that ends the episode; undefined if it lists
   * none.
   */
  foresee(parent: ActionNode, sampled: Sampled): AsyncGenerator<Step, number | undefined>;
  call(sampled: Sampled): AsyncGenerator<Step, ToolResult>;
  /** Returns whether a call ends the episode. */
  ends(sampled: Sampled): boolean;
  /** Returns the limit that is reached; undefined if none is. */
  reached(): string | undefined;
};

/** Returns the node that gave the answer, or the deepest node; its `result` distinguishes them. */
export async function* bestFirst(settings: SearchSettings, acts: SearchActs): AsyncGenerator<Step, ActionNode> {
  const costs = { depth: 0, g: 0, h: 0, share: 1 };
  const root: ActionNode = {
    id: "n0",
    parent: undefined,
    sampled: undefined,
    ends: false,
    ...costs,
    state: "done",
    result: undefined,
  };
  yield actionStep(root);
  const open: ActionNode[] = [root];
  let deepest = root;
  let count = 1;
  for (;;) {
    const bound = acts.reached();
    const node = bound === undefined ? taken(open) : undefined;
    if (node === undefined) {
      yield { type: "note", kind: "bound", text: bound ?? "nothing is left to try" };
      break;
    }
    if (yield* isAnswer(node, acts)) return node;
    if (node.state === "pruned") continue;
    if (node.depth > deepest.depth) deepest = node;
    if (node.depth >= settings.depth) {
      yield { type: "note", kind: "bound", text: `A branch has at most ${counted(settings.depth, "call")}` };
      continue;
    }
    for (const child of yield* children(node, count, settings, acts)) {
      open.push(child);
      count += 1;
      yield actionStep(child);
    }
  }
  const answering = open.filter(({ ends }) => ends);
  for (let node = taken(answering); node !== undefined; node = taken(answering))
    if (yield* isAnswer(node, acts)) return node;
  return deepest;
}

/** Removes the cheapest node from the list, which contains the older nodes first. */
function taken(open: ActionNode[]): ActionNode | undefined {
  let best: ActionNode | undefined;
  for (const node of open) {
    if (best === undefined || (node.g + node.h - (best.g + best.h) || node.depth - best.depth) < 0) best = node;
  }
  if (best !== undefined) open.splice(open.indexOf(best), 1);
  return best;
}

/** Makes the node's call; returns true if that gave the answer. Prunes a node that gave up. */
async function* isAnswer(node: ActionNode, acts: SearchActs): AsyncGenerator<Step, boolean> {
  if (node.sampled === undefined) return false;
  const result = yield* acts.call(node.sampled);
  node.result = result;
  const answered = result.end?.answer !== undefined;
  node.state = result.end !== undefined && !answered ? "pruned" : result.ok ? "done" : "failed";
  yield actionStep(node);
  return answered;
}

/** Returns the distinct calls sampled after this node, in the order received. */
async function* children(
  parent: ActionNode,
  from: number,
  { alpha, beta, stored }: SearchSettings,
  acts: SearchActs,
): AsyncGenerator<Step, readonly ActionNode[]> {
  const samples = yield* acts.sample(parent);
  const groups = Map.groupBy(
    samples.filter((sampled) => sampled !== undefined),
    ({ call }) => canonicalJson([call.name, call.arguments ?? call.text]),
  );
  const nodes: ActionNode[] = [];
  for (const [sampled, ...same] of groups.values()) {
    const ends = acts.ends(sampled!);
    const depth = parent.depth + 1;
    const share = (1 + same.length) / samples.length;
    const { name } = sampled!.call;
    const plan = [...pathTo(parent).map((node) => node.sampled!.call.name), ...(ends ? [] : [name])];
    // With the whole weight on stored plans no lookahead is needed.
    const left = ends || beta === 1 ? undefined : yield* acts.foresee(parent, sampled!);
    // The root counts as an ancestor: a first call has one.
    const behind = left === undefined ? 0 : depth / (depth + left);
    nodes.push({
      id: `n${from + nodes.length}`,
      parent,
      sampled,
      ends,
      depth,
      share,
      g: parent.g + stepCost(plan, share, stored, alpha),
      h: ends ? 0 : remainingCost(name, behind, stored, beta),
      state: "open",
      result: undefined,
    });
  }
  return nodes;
}
