/** The tree of both of ToolBench's searches: thoughts, actions and their inputs, each a separate node. */
import { replyMessage } from "../../run/turns.ts";
import type { Message, Step, Thinking, ToolCall, ToolResult } from "../../types.ts";

/** A message of a conversation; an invalid message was for one request only and is omitted from later requests. */
export type ConversationEntry = { readonly message: Message; valid: boolean };

export type SearchNode = {
  readonly id: string;
  readonly kind: "Thought" | "Action" | "Action Input";
  readonly text: string;
  readonly depth: number;
  readonly parent: SearchNode | undefined;
  readonly children: SearchNode[];
  readonly messages: ConversationEntry[];
  observation: string;
  code: string | number | undefined;
  /** The final answer was given at or above this node. */
  solved: boolean;
  answer: ToolResult["end"];
  pruned: boolean;
  finished: boolean;
  /** Order in which the search visited the node, from 0. */
  expand: number;
};

/** Maximum number of calls of one reply that are executed; further calls are ignored. */
const mostParallel = 64;
/** Shown to the model instead of a function name it hallucinated. */
const hallucinatedName = "invalid_hallucination_function_name";

export class SearchTree {
  readonly root: SearchNode;
  private count = 0;

  constructor(opening: readonly Message[]) {
    const messages = opening.map((message) => ({ message, valid: true }));
    this.root = this.node("Action Input", "", undefined, messages);
  }

  /** Adds a child of `parent` (or the root), with a copy of the conversation so far. */
  node(kind: SearchNode["kind"], text: string, parent?: SearchNode, messages?: readonly ConversationEntry[]) {
    const node: SearchNode = {
      id: `n${this.count++}`,
      kind,
      text,
      depth: parent === undefined ? 0 : parent.depth + 1,
      parent,
      children: [],
      messages: (messages ?? parent?.messages ?? []).map((entry) => ({ ...entry })),
      observation: "",
      code: undefined,
      solved: parent?.solved ?? false,
      answer: parent?.answer,
      pruned: false,
      finished: false,
      expand: 0,
    };
    parent?.children.push(node);
    return node;
  }
}

/** Executes one call for the search. */
export type Act = (call: ToolCall) => AsyncGenerator<Step, ToolResult>;

/**
 * Adds a reply below `from`: a thought for its text, then an action and its input for every call, parallel calls as one chain.
 * Returns the last node. An empty reply becomes an empty thought, so that every reply adds depth (the official search asks
 * again at the same node, possibly until its last query).
 */
export async function* grow(
  tree: SearchTree,
  from: SearchNode,
  reply: { readonly text: string; readonly calls: readonly ToolCall[]; readonly thinking?: Thinking | undefined },
  act: Act,
): AsyncGenerator<Step, SearchNode> {
  const calls = reply.calls.slice(0, mostParallel);
  let at = from;
  if (reply.text !== "" || calls.length === 0) {
    at = tree.node("Thought", reply.text, at);
    yield stepOf(at);
  }
  const names = calls.map(({ name }) => name);
  const assistantMessage = (): Message =>
    replyMessage({ ...reply, calls: calls.map((call, index) => ({ ...call, name: names[index]! })) });
  if (calls.length === 0) at.messages.push({ message: assistantMessage(), valid: true });
  for (const [index, call] of calls.entries()) {
    at = tree.node("Action", call.name, at);
    yield stepOf(at);
    at = tree.node("Action Input", call.text, at);
    yield stepOf(at);
    const result = yield* act(call);
    at.observation = result.observation;
    at.code = result.status;
    if (result.end?.answer !== undefined) {
      at.solved = true;
      at.answer = result.end;
    } else if (result.end !== undefined) at.pruned = true;
    if (result.status === 1) names[index] = hallucinatedName;
    if (index === 0) at.messages.push({ message: assistantMessage(), valid: true });
    at.messages.push({ message: { role: "tool", callId: call.id, content: result.observation }, valid: true });
    yield stepOf(at);
  }
  return at;
}

/** Returns the number of nodes with several equal children; 0 if any node has different children. */
export function equalChildren(root: SearchNode): number {
  let alike = 0;
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const replies = new Set(node.children.map(replyOf));
    if (replies.size > 1) return 0;
    if (node.children.length > 1) alike += 1;
    open.push(...node.children);
  }
  return alike;
}

/** Returns the first text and call of the reply that starts with this node. */
function replyOf(node: SearchNode): string {
  const action = node.kind === "Thought" ? node.children.find(({ kind }) => kind === "Action") : node;
  return JSON.stringify([node.text, action?.text, action?.children[0]?.text]);
}

/** Marks a node and its ancestors as finished, up to `levels` action inputs (including the node's own). */
export function finishUp(node: SearchNode, levels: number): void {
  let left = levels;
  for (let at: SearchNode | undefined = node; at !== undefined; at = at.parent) {
    at.finished = true;
    if (at.kind === "Action Input") left -= 1;
    if (left < 0) return;
  }
}

/** Returns a node in its present state, as a step. */
export function stepOf(node: SearchNode): Step {
  const { id, kind, text, parent, code, pruned, expand, depth } = node;
  const state = pruned ? "pruned" : code === undefined || code === 0 || node.solved ? "done" : "failed";
  return {
    type: "node",
    id,
    ...(parent === undefined ? {} : { parent: parent.id }),
    kind,
    label: text === "" ? (parent === undefined ? "start" : "(nothing)") : text,
    state: code === undefined && kind === "Action Input" && !pruned && parent !== undefined ? "open" : state,
    detail: {
      code: code ?? null,
      expand,
      depth,
      ...(node.observation === "" ? {} : { observation: node.observation }),
    },
  };
}

/** Returns the messages of a request at this node. */
export const messagesAt = (node: SearchNode): Message[] =>
  node.messages.filter(({ valid }) => valid).map(({ message }) => message);
