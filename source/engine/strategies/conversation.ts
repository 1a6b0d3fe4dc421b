/**
 * A conversation of two models in which both act (tau2-bench, section 3 of its paper): the user starts, then each side receives
 * requests until it sends a message instead of calling tools. Each side has a separate history, without the other's calls. Calls
 * change one environment, so a resumed or forked task restores its state by the calls of its saved replies.
 */
import { seenNote } from "../log/rows/row-notes.ts";
import { ask, act } from "../run/ask.ts";
import { replyMessage } from "../run/turns.ts";
import { Problem } from "../problem.ts";
import { ContextProblem } from "../models/problem.ts";
import type {
  Conversation,
  ConversationAnswer,
  ConversationEnd,
  ConversationSide,
  ConversationTurn,
} from "../protocol.ts";
import { withinLimits } from "./episode.ts";
import type { Strategy, TaskContext } from "../strategy.ts";
import { isRecord } from "../text/json-record.ts";
import type { Message, Step, ToolCall } from "../types.ts";

/** Maximum number of requests for one message: the request is repeated after a reply with neither text nor readable calls. */
const mostRequests = 4;

type Said = { readonly text: string; readonly calls: readonly ToolCall[]; readonly message: Message; asked: number };
type State = {
  readonly histories: Readonly<Record<ConversationSide, Message[]>>;
  readonly turns: ConversationTurn[];
  steps: number;
  errors: number;
  /** The last note. */
  seen?: string;
};

async function* run(context: TaskContext<"conversation">): AsyncGenerator<Step> {
  const { loaded, task, spec, signal } = context;
  const conversation = await loaded.asks.conversation.open(task, spec, signal);
  context.opened?.(conversation);
  if (spec.user === undefined)
    yield { type: "note", kind: "own-user", text: "The run names no user: its model plays the user, too" };
  // Between calls, both sides talk; a reply without a call is no sign that a model cannot act.
  const { toolUse: _, ...talking } = context;
  const state = opened(conversation);
  try {
    yield* ending(state, yield* played(talking, conversation, state));
  } catch (thrown) {
    if (!(thrown instanceof ContextProblem)) throw thrown;
    yield* ending(state, { by: "limit", reason: "context" }, `: ${thrown.message}`);
    throw thrown;
  }
}

function opened({ sides, greeting }: Conversation): State {
  const histories = { model: [...sides.model.opening], user: [...sides.user.opening] };
  if (greeting !== undefined) {
    histories.model.push({ role: "assistant", content: greeting });
    histories.user.push({ role: "user", content: greeting });
  }
  const turns: ConversationTurn[] = greeting === undefined ? [] : [{ by: "model", text: greeting }];
  return { histories, turns, steps: 0, errors: 0 };
}

async function* played(
  context: TaskContext,
  conversation: Conversation,
  state: State,
): AsyncGenerator<Step, ConversationEnd> {
  const { histories, turns } = state;
  for (let by: ConversationSide = "user"; ;) {
    const said = yield* asked(context, conversation, by, histories[by]);
    if (said === undefined) return { by, reason: "no message" };
    const { text, calls, message } = said;
    state.steps += 1;
    histories[by].push(message);
    turns.push(turnOf(by, said));
    let end: ConversationEnd | undefined;
    if (calls.length > 0) {
      if (conversation.separate === true && text.trim() !== "") return { by, reason: "text beside calls" };
      yield* acted(context, conversation, by, said, state);
    } else {
      const reason = conversation.ends(by, text);
      end = reason === undefined ? undefined : { by, reason };
      by = by === "user" ? "model" : "user";
      histories[by].push({ role: "user", content: text });
    }
    // A limit that is reached by the last message counts more than its end.
    end = limitOf(conversation, state) ?? end;
    if (end !== undefined) return end;
  }
}

function limitOf({ limits }: Conversation, { steps, errors }: State): ConversationEnd | undefined {
  if (errors >= limits.errors) return { by: "limit", reason: "error limit" };
  return steps >= limits.steps ? { by: "limit", reason: "step limit" } : undefined;
}

/**
 * Requests a side's next message; undefined if the model gives no message. Throws `Problem` if the user gives none or its prompt
 * is too long, because the model must not be scored for that.
 */
async function* asked(
  context: TaskContext,
  { sides, written }: Conversation,
  role: ConversationSide,
  messages: readonly Message[],
): AsyncGenerator<Step, Said | undefined> {
  const { tools } = sides[role];
  const question = { role, stage: "talk", messages: [...messages], ...(tools.length > 0 && { tools }) } as const;
  for (let tries = 0; tries < mostRequests; tries++) {
    const reply = yield* fitting(ask(context, question), role);
    if (reply.text.trim() === "" && reply.calls.length === 0) continue;
    if (!reply.calls.every((call) => isRecord(call.arguments))) continue;
    const calls = reply.calls.map((call) => (written === undefined ? call : { ...call, text: written(call) }));
    return { text: reply.text, calls, message: replyMessage({ ...reply, calls }), asked: reply.request };
  }
  if (role === "model") return undefined;
  throw new Problem("tool", `The user's model gave no message that can be read in ${mostRequests} requests`);
}

async function* fitting<Reply>(asking: AsyncGenerator<Step, Reply>, role: ConversationSide) {
  try {
    return yield* asking;
  } catch (thrown) {
    if (role === "user" && thrown instanceof ContextProblem)
      throw new Problem("tool", `The next request does not fit the context of the user's model: ${thrown.message}`);
    throw thrown;
  }
}

async function* acted(
  context: TaskContext,
  conversation: Conversation,
  by: ConversationSide,
  { calls, asked: request }: Said,
  state: State,
): AsyncGenerator<Step> {
  const { tools } = conversation.sides[by];
  const environment = {
    tools,
    call: (call: ToolCall, signal: AbortSignal) => conversation.call(by, call, signal),
  };
  for (const call of calls) {
    const result = yield* act(context, environment, call, request);
    if (!result.ok) state.errors += 1;
    state.histories[by].push({ role: "tool", callId: call.id, content: result.observation });
  }
  state.steps += 1;
  const seen = conversation.sees?.(by);
  if (seen === undefined || seen === state.seen) return;
  state.seen = seen;
  yield { type: "note", kind: seenNote, text: seen, data: { side: by } };
}

function turnOf(by: ConversationSide, { text, calls }: Said): ConversationTurn {
  const made = calls.map(({ name, text: given }) => ({ name, arguments: given }));
  return { by, ...(text !== "" && { text }), ...(made.length > 0 && { calls: made }) };
}

function* ending({ turns, steps, errors }: State, end: ConversationEnd, message = ""): Generator<Step> {
  yield { type: "answer", answer: { end, steps, errors, turns } satisfies ConversationAnswer };
  yield { type: "note", kind: "end", text: `${end.reason}${message}`, data: { by: end.by, steps, errors } };
}

export const conversation: Strategy<"conversation"> = {
  name: "conversation",
  title: "Agent and user",
  needs: "conversation",
  offersFunctions: true,
  revision: 1,
  roles: ["model", "user"],
  roleNames: { model: "Agent" },
  run,
  // The models decide when a conversation ends.
  estimate: ({ task, loaded, spec }) => withinLimits(loaded.asks.conversation.limits(task, spec), spec),
};
