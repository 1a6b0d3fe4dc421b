/** The tree of ToolChain*: every node is a call that could be made, below the calls made before it. */
import type { Message, Step, ToolCall, ToolResult } from "../../types.ts";

/** A call that was sampled, and the reply it came with. */
export type Sampled = {
  readonly call: ToolCall;
  readonly thought: string;
  /** The reply as a message of the conversation that follows. */
  readonly message: Message;
  /** The request that was answered with it. */
  readonly request: number;
};

export type ActionNode = {
  readonly id: string;
  readonly parent: ActionNode | undefined;
  /** Absent at the root. */
  readonly sampled: Sampled | undefined;
  /** Whether the call ends the episode. */
  readonly ends: boolean;
  /** Calls on the way here, this one counted. */
  readonly depth: number;
  /** Cost of the way here, and estimated cost of what is left; `share` of the samples that were this call. */
  readonly g: number;
  readonly h: number;
  readonly share: number;
  state: "open" | "done" | "failed" | "pruned";
  /** Absent until the call was made. */
  result: ToolResult | undefined;
};

/** The nodes from the first call to this one. */
export function pathTo(node: ActionNode): readonly ActionNode[] {
  const path: ActionNode[] = [];
  for (let at: ActionNode | undefined = node; at?.sampled !== undefined; at = at.parent) path.unshift(at);
  return path;
}

/** The conversation of a request below this node. */
export function conversation(opening: readonly Message[], node: ActionNode): readonly Message[] {
  const turns = pathTo(node).flatMap(({ sampled, result }): Message[] => [
    sampled!.message,
    { role: "tool", callId: sampled!.call.id, content: result?.observation ?? "" },
  ]);
  return [...opening, ...turns];
}

/** The node as it stands, with its costs. */
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
