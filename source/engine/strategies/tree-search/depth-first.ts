/**
 * DFSDT, ToolBench's depth-first search over a decision tree (Qin et al., ICLR 2024), as in its official program, and its
 * plain chain (CoT@n). Both are independent of models and environments: `ask` and `act` are parameters.
 *
 * Peculiarities of the official program: depth counts nodes (a thought, an action and its input are three); the reply to the
 * last query allowed is discarded; after an answer or a giving-up the search goes back two levels, so that it continues at
 * the node above their parent.
 */
import type { PromptTemplate } from "../../protocol.ts";
import { prompted } from "../../settings/prompt-template.ts";
import type { Message, RunSpec, Step, Thinking, ToolCall } from "../../types.ts";
import { finishUp, grow, messagesAt, SearchTree, stepOf, type Act, type SearchNode } from "./tree.ts";

export type Ask = (
  messages: readonly Message[],
) => AsyncGenerator<
  Step,
  { readonly text: string; readonly calls: readonly ToolCall[]; readonly thinking?: Thinking | undefined }
>;

export type SearchLimits = {
  /** Depth at which a branch is pruned. */
  readonly depth: number;
  /** Children per node. */
  readonly width: number;
  readonly queries: number;
  /** Answers after which the search ends. */
  readonly answers: number;
};

export type Search = {
  readonly tree: SearchTree;
  queries: number;
  readonly answered: SearchNode[];
  readonly gaveUp: SearchNode[];
  /** The return value of the official search at its root; compared in tests. */
  returned: number;
};

const levelsBack = 2;
const outOfQueries = 100_000;
const enoughAnswers = 10_000;

export const newSearch = (opening: readonly Message[]): Search => ({
  tree: new SearchTree(opening),
  queries: 0,
  answered: [],
  gaveUp: [],
  returned: 0,
});

const differing: PromptTemplate = {
  name: "step.again",
  role: "model",
  message: "user",
  text: `You have been in this state before. From here these calls were tried already, and none of them led to an answer:
{{tried}}{{state}}
Propose a call that differs from all of them: another function, or other arguments. Say first what went wrong and what you will do differently.`,
};

const observed: PromptTemplate = {
  name: "step.state",
  role: "model",
  text: "The state you are in came from this observation: {{observation}}",
};

export const searchPrompts: readonly PromptTemplate[] = [differing, observed];

/** Runs the search; yields every node that is added or changed. */
export async function* depthFirst(
  search: Search,
  limits: SearchLimits,
  ask: Ask,
  act: Act,
  spec: Pick<RunSpec, "prompts"> = {},
): AsyncGenerator<Step> {
  let visited = 0;
  async function* visit(node: SearchNode): AsyncGenerator<Step, number> {
    node.expand = visited++;
    if (node.depth >= limits.depth || node.pruned || node.solved) {
      if (node.solved) {
        search.answered.push(node);
        return levelsBack;
      }
      const gaveUp = node.pruned && node.kind === "Action Input";
      node.pruned = true;
      yield stepOf(node);
      if (!gaveUp) return 1;
      search.gaveUp.push(node);
      return levelsBack;
    }
    for (let child = 0; child < limits.width; child++) {
      if (child > 0) yield { type: "note", kind: "backtrack", text: `Back to depth ${node.depth} for another way` };
      const diverse = diversityMessage(node, spec);
      if (diverse !== undefined) node.messages.push(diverse);
      const reply = yield* ask(messagesAt(node));
      search.queries += 1;
      if (search.queries >= limits.queries) return outOfQueries;
      if (diverse !== undefined) diverse.valid = false;
      const leaf = yield* grow(search.tree, node, reply, act);
      if (leaf.solved) finishUp(leaf, levelsBack);
      const back = yield* visit(leaf);
      if (search.answered.length >= limits.answers) return enoughAnswers;
      if (back > 1) return back - 1;
    }
    return 1;
  }
  search.returned = yield* visit(search.tree.root);
}

/**
 * Returns the message added to a node's second request: the calls tried from this node with their results, and the request for a
 * different call.
 */
function diversityMessage(
  node: SearchNode,
  spec: Pick<RunSpec, "prompts">,
): SearchNode["messages"][number] | undefined {
  const tried: object[] = [];
  for (const child of node.children) {
    let at = child;
    while (!at.solved && at.kind !== "Action Input" && at.children[0] !== undefined) at = at.children[0];
    if (at.kind !== "Action Input" || at.parent === undefined) continue;
    tried.push({
      name: at.parent.text,
      arguments: at.text,
      function_output: at.observation,
      "mento-carlo-action-value": 0,
    });
  }
  if (tried.length === 0) return undefined;
  const { observation } = node;
  const state = observation === "" ? "" : `\n${prompted(spec, observed, { observation })}`;
  const content = prompted(spec, differing, { tried: JSON.stringify(tried, null, 2), state });
  return { message: { role: "user", content }, valid: true };
}

/**
 * CoT@n: makes up to `tries` chains from the start, each until it answers, gives up or reaches the depth limit. The last chain is
 * the tree.
 */
export async function* chains(
  search: Search,
  opening: readonly Message[],
  limits: { readonly depth: number; readonly tries: number; readonly queries: number },
  ask: Ask,
  act: Act,
): AsyncGenerator<Step, SearchNode | undefined> {
  let last: SearchNode | undefined;
  for (let attempt = 0; attempt < limits.tries; attempt++) {
    const tree = attempt === 0 ? search.tree : new SearchTree(opening);
    let at = tree.root;
    while (!at.pruned && !at.solved) {
      if (search.queries >= limits.queries) return last;
      const reply = yield* ask(messagesAt(at));
      search.queries += 1;
      at = yield* grow(tree, at, reply, act);
      if (at.depth >= limits.depth && !at.solved) {
        at.pruned = true;
        yield stepOf(at);
      }
    }
    last = at;
    if (at.solved) {
      search.answered.push(at);
      search.returned = 1;
      return last;
    }
  }
  return last;
}
