/** The tree of ToolChain*: every node is a possible call after the calls on its path. */
import type { Message, Step, ToolCall, ToolResult } from "../../types.ts";

/** A sampled call, and its reply. */
export type Sampled = {
  readonly call: ToolCall;
  readonly thought: string;
  /** The reply as a message of the conversation. */
  readonly message: Message;
  /** The request whose reply contained the call. */
  readonly request: number;
};

export type ActionNode = {
  readonly id: string;
  readonly parent: ActionNode | undefined;
  /** Absent at the root. */
  readonly sampled: Sampled | undefined;
  /** True if the call ends the episode. */
  readonly ends: boolean;
  /** Number of calls on the path, including its own call. */
  readonly depth: number;
  /** Cost of the path, and estimated remaining cost; `share` is the share of samples with this call. */
  readonly g: number;
  readonly h: number;
  readonly share: number;
  state: "open" | "done" | "failed" | "pruned";
  /** Absent until the call is made. */
  result: ToolResult | undefined;
};

/** Returns the nodes from the first call to this node. */
export function pathTo(node: ActionNode): readonly ActionNode[] {
  const path: ActionNode[] = [];
  for (let at: ActionNode | undefined = node; at?.sampled !== undefined; at = at.parent) path.unshift(at);
  return path;
}

/** Returns the conversation of a request below this node. */
export function messagesBelow(opening: readonly Message[], node: ActionNode): readonly Message[] {
  const turns = pathTo(node).flatMap(({ sampled, result }): Message[] => [
    sampled!.message,
    { role: "tool", callId: sampled!.call.id, content: result?.observation ?? "" },
  ]);
  return [...opening, ...turns];
}

/** Returns the node in its present state, with its costs. */
export function actionStep({ id, parent, sampled, depth, g, h, share, state, result }: ActionNode): Step {
  if (sampled === undefined) return { type: "node", id, kind: "query", label: "start", state: "done" };
  const { call, thought } = sampled;
  const detail = {
    f: g + h,
    g,
    h,
    share,
    depth,
    name: call.name,
    arguments: call.text,
    ...(thought === "" ? {} : { thought }),
    ...(result === undefined ? {} : { code: result.status, observation: result.observation }),
  };
  const label = `${call.name}(${call.text})`;
  return {
    type: "node",
    id,
    ...(parent === undefined ? {} : { parent: parent.id }),
    kind: "call",
    label,
    state,
    detail,
  };
}
