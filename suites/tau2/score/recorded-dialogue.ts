/** Dialogues of the conformance files: the strategy of runs receives their replies, and all its requests are recorded. */
import { createHash } from "node:crypto";
import { conversation } from "../../../source/engine/strategies/conversation.ts";
import type { TaskContext } from "../../../source/engine/strategy.ts";
import type { ConversationAnswer, ConversationSide } from "../../../source/engine/protocol.ts";
import type { Chunk, Json, Message, ModelRequest, Step, ToolSpec } from "../../../source/engine/types.ts";
import { conversationIn, type Rules } from "../ask/conversation.ts";
import { canonicalJson, pythonJson } from "../environment/value.ts";
import type { World } from "../environment/world.ts";
import type { Call, Turn } from "./evaluate.ts";
import { officialEnd, turnsOf, countedSteps } from "./answer.ts";

export type Said = { readonly text?: string | null; readonly calls?: readonly Call[] };
type Fact = { readonly [name: string]: Json };
type Played = {
  readonly requests: readonly Fact[];
  readonly messages: readonly Fact[];
  readonly turns: readonly Turn[];
  readonly steps: number;
  readonly errors: number;
  /** Undefined if a reply with neither text nor calls ended it. */
  readonly end: string | undefined;
};

/** The last replies of both sides, after their recorded replies are used up. */
const last = { model: { text: "Anything else?" }, user: { text: "###STOP###" } };

class BrokenOff extends Error {}

/** Executes a dialogue with these replies; its calls change the world. */
export async function playedRecord(
  task: string,
  world: World,
  replies: Readonly<Record<ConversationSide, readonly Said[]>>,
  rules: Rules,
): Promise<Played> {
  const toolsOf = (tools: object = {}) =>
    Object.keys(tools).map((name): ToolSpec => ({ name, description: "", parameters: {} }));
  const told = {
    model: { prompt: "", tools: toolsOf(world.agentTools) },
    user: { prompt: "", tools: toolsOf(world.userTools) },
  };
  const steps: Step[] = [];
  try {
    const context = scriptedContext(task, replies, () => conversationIn(world, told, rules));
    for await (const step of conversation.run(context)) steps.push(step);
  } catch (thrown) {
    if (!(thrown instanceof BrokenOff)) throw thrown;
  }
  const requests = steps.flatMap((step) => (step.type === "prompt" ? [requestFact(step)] : []));
  const given = steps.findLast((step) => step.type === "answer");
  if (given?.type !== "answer")
    return { requests, messages: [], turns: [], steps: countedSteps(steps), errors: 0, end: undefined };
  const answer = given.answer as ConversationAnswer;
  const messages = messageFacts(answer, steps);
  const { steps: count, errors } = answer;
  return { requests, messages, turns: turnsOf(answer), steps: count, errors, end: officialEnd(answer.end) };
}

function scriptedContext(
  id: string,
  replies: Readonly<Record<ConversationSide, readonly Said[]>>,
  open: () => ReturnType<typeof conversationIn>,
): TaskContext<"conversation"> {
  const next = { model: 0, user: 0 };
  let [request, calls] = [0, 0];
  const stream = async function* ({ asker }: ModelRequest): AsyncIterable<Chunk> {
    const side = asker.role as ConversationSide;
    const { text, calls: own = [] }: Said = replies[side][next[side]++] ?? last[side];
    if ((text ?? "").trim() === "" && own.length === 0) throw new BrokenOff();
    if (typeof text === "string") yield { type: "text", text };
    for (const { name, args } of own) {
      const written = pythonJson(args);
      yield { type: "call", call: { id: `call_${calls++}`, name, text: written, arguments: {} } };
    }
    yield { type: "finish", reason: "stop" };
  };
  const asks = { conversation: { open: async () => open(), limits: () => ({ requests: 0, prompt: 0, reply: 0 }) } };
  return {
    task: { id, question: "", input: undefined, answer: undefined, facets: {} },
    loaded: { asks } as unknown as TaskContext<"conversation">["loaded"],
    spec: { options: {}, temperature: 0, seed: 0, user: "recorded" } as unknown as TaskContext["spec"],
    shots: [],
    model: (role) => ({ name: role, readsAnswerKey: false, stream }),
    random: () => 0,
    signal: new AbortController().signal,
    nextRequest: () => request++,
  };
}

export const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

type Prompt = Extract<Step, { readonly type: "prompt" }>;

function requestFact({ role, messages, tools = [] }: Prompt): Fact {
  const sent = messages.slice(1).map(sentMessage);
  return {
    side: role === "user" ? "user" : "agent",
    roles: messages.map((message) => message.role[0]!).join(""),
    sha: shortHash(canonicalJson(sent)),
    tools: tools.length,
  };
}

/** Returns a message as the official program passes it to its client library. */
function sentMessage(message: Message) {
  if (message.role === "tool") return { role: "tool", content: message.content, tool_call_id: message.callId };
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  const calls = (message.calls ?? []).map(({ id, name, text }) => ({
    id,
    name,
    type: "function",
    function: { name, arguments: text },
  }));
  return {
    role: "assistant",
    content: message.content === "" ? null : message.content,
    tool_calls: calls.length === 0 ? null : calls,
  };
}

function messageFacts({ turns }: ConversationAnswer, steps: readonly Step[]): readonly Fact[] {
  const results = steps.flatMap((step) => (step.type === "result" ? [step] : [])).values();
  return turns.flatMap(({ by, text = null, calls = [] }) => {
    const [role, names] = [by === "model" ? "assistant" : "user", calls.map(({ name }) => name)];
    const executed = calls.flatMap((): Fact[] => {
      const { value } = results.next();
      if (value === undefined) return [];
      const { ok, observation } = value.result;
      const isComparable = ok || observation.startsWith("Error: Tool '");
      return [
        { role: "tool", to: role, id: value.callId, error: !ok, ...(isComparable && { sha: shortHash(observation) }) },
      ];
    });
    return [{ role, text, ...(names.length > 0 && { calls: names }) }, ...executed];
  });
}
