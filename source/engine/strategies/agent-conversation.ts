/** The exchange of lines with an agent or a process of the user's, as documentation/agents.md and processes.md describe it. */
import { ask, withSystem } from "../run/ask.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import { Problem } from "../problem.ts";
import type { AgentEvent, AgentProgram } from "../protocol.ts";
import type { TaskContext } from "../strategy.ts";
import { field, isRecord, recordAt, textAt } from "../text/json-record.ts";
import type { Json, Message, Role, Step, ToolCall, ToolResult, ToolSpec } from "../types.ts";

/** Maximum number of lines and requests of one task: a program may loop. */
const mostEvents = 10_000;

/** The task for an agent, and the handlers of its lines. */
export type AgentTask<Ending> = {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** The name of the stage, if there are several. */
  readonly stage?: string;
  /** Stage under which the agent's requests to models are logged. */
  readonly asks: string;
  /** Roles that the agent's requests may name; all other requests go to the model. If absent, the actor. */
  readonly roles?: readonly Role[];
  /** Additional fields of the line `task`, besides the fields for every agent. */
  readonly more?: { readonly [field: string]: Json };
  /** Executes a call; `ending` is set if the call ends the conversation. */
  call(call: ToolCall): AsyncGenerator<Step, { readonly result: ToolResult; readonly ending?: Ending }>;
  /** Receives the answer of the agent; null gives up. */
  answer(answer: Json): AsyncGenerator<Step, Ending>;
  /** Receives the score that the program gives itself before it answers. If absent, the program gives no score. */
  score?(line: Json): AsyncGenerator<Step, void>;
};

/** Uses the user's agent of a run for one task, and releases it however the task ends. Throws `Problem` if it is unavailable. */
export async function* withAgent(
  context: TaskContext,
  use: (program: AgentProgram) => AsyncGenerator<Step, void>,
): AsyncGenerator<Step> {
  const name = String(context.spec.options[agentOption.name] ?? "");
  const program = await context.agent?.(name);
  if (program === undefined)
    throw new Problem("tool", `Expected the agent \`${name}\` to be available here, found none`);
  let answered = false;
  try {
    yield* use(program);
    answered = true;
  } finally {
    await program.release(answered);
  }
}

/** Sends a task, or a stage of a task, to the agent, and handles its lines until it has answered. */
export async function* converse<Ending>(
  context: TaskContext,
  program: AgentProgram,
  conversation: AgentTask<Ending>,
): AsyncGenerator<Step, Ending> {
  const messages = withSystem(context, conversation.messages);
  await program.write(taskLine(context, { ...conversation, messages }, program.modelUrl));
  /** Request numbers of this task by the ids of the calls in their replies. A step may contain the result of such a call. */
  const asked = new Map<string, number>();
  for (let count = 0; count < mostEvents; count++) {
    const event = await program.next(context.signal);
    if (event.type === "request") {
      const { calls, request } = yield* answerRequest(context, conversation, event);
      for (const { id } of calls) asked.set(id, request);
      continue;
    }
    const { value } = event;
    switch (field(value, "type")) {
      case "call": {
        const { result, ending } = yield* conversation.call(callIn(value, count));
        await program.write({ type: "result", task: context.task.id, ...shown(value, result) });
        if (ending !== undefined) return ending;
        break;
      }
      case "step":
        yield* ownStep(value!, count, asked);
        break;
      case "answer":
        return yield* conversation.answer(field(value, "answer") ?? null);
      case "note":
        yield { type: "note", kind: "agent", text: String(field(value, "text") ?? "") };
        break;
      case "score":
        yield* conversation.score?.(value!) ?? unread(value);
        break;
      default:
        yield* unread(value);
    }
  }
  throw new Problem("budget", `The agent wrote ${mostEvents} lines without an answer`);
}

/** Notes a line that is not part of the conversation, such as progress that a program prints. */
function* unread(value: Json | undefined): Generator<Step, void> {
  yield { type: "note", kind: "unread", text: JSON.stringify(value ?? null).slice(0, 500) };
}

/** Notes a call that the program executed itself: a call by a model, identified by its id, or the program's own call. */
function* ownStep(value: Json, count: number, asked: ReadonlyMap<string, number>): Generator<Step> {
  const call = callIn(value, count);
  const id = textAt(value, "id");
  const content = field(value, "content") ?? "";
  const ok = field(value, "ok") !== false;
  const observation = typeof content === "string" ? content : JSON.stringify(content);
  const result = { ok, observation, status: ok ? "ok" : "error" };
  const request = asked.get(id);
  if (request !== undefined) return yield { type: "result", callId: id, name: call.name, result, asked: request };
  const node = { type: "node", id: call.id, kind: "call", label: `${call.name}(${call.text})` } as const;
  yield { ...node, state: "open" };
  yield { type: "result", callId: call.id, name: call.name, result };
  yield { ...node, state: ok ? "done" : "failed" };
}

function taskLine({ task }: TaskContext, { stage, messages, tools, more }: AgentTask<unknown>, url: string): Json {
  return {
    type: "task",
    task: task.id,
    ...more,
    ...(stage === undefined ? {} : { stage }),
    question: task.question,
    messages: messages.map(({ role, content }) => ({ role, content })),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    model: { url, ...(more !== undefined && recordAt(more, "model")) },
  };
}

async function* answerRequest(
  context: TaskContext,
  { asks: stage, roles = ["actor"] }: AgentTask<unknown>,
  { role, messages, tools, reply, refuse }: Extract<AgentEvent, { readonly type: "request" }>,
) {
  const asked = roles.find((each) => each === role) ?? "model";
  try {
    const offered = tools.length === 0 ? {} : { tools };
    const answered = yield* ask(context, { role: asked, stage, messages, isOwn: true, ...offered });
    const { text, calls } = answered;
    reply({ text, calls });
    return answered;
  } catch (thrown) {
    refuse((thrown as Error).message);
    throw thrown;
  }
}

function callIn(value: Json | undefined, count: number): ToolCall {
  const name = field(value, "name");
  const given = field(value, "arguments") ?? {};
  const text = typeof given === "string" ? given : JSON.stringify(given);
  return {
    id: `agent-${count}`,
    name: typeof name === "string" ? name : "",
    text,
    arguments: isRecord(given) ? given : undefined,
  };
}

function shown(value: Json | undefined, { ok, observation }: ToolResult): { readonly [key: string]: Json } {
  return { id: field(value, "id") ?? null, ok, content: observation };
}

/** Returns an agent's answer as text. */
export const answerText = (answer: Json): string => (typeof answer === "string" ? answer : JSON.stringify(answer));
