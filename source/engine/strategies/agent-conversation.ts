/** The lines an agent of the user's and we exchange, as documentation/agents.md describes them, whatever it is asked. */
import { ask } from "../run/ask.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import { Problem } from "../problem.ts";
import type { AgentEvent, AgentProgram, TaskContext } from "../strategy.ts";
import { field, isRecord } from "../text/json-record.ts";
import type { Json, Message, Role, Step, ToolCall, ToolResult, ToolSpec } from "../types.ts";

/** Lines and requests of one task, at most: a program may go round in circles. */
const mostEvents = 10_000;

/** What an agent is asked, and what becomes of what it does. */
export type Conversation<Ending> = {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** The stage it is asked at, where there are several. */
  readonly stage?: string;
  /** What its requests to models are logged as. */
  readonly asks: string;
  /** Carries a call out; with an ending where that ends the conversation. */
  call(call: ToolCall): AsyncGenerator<Step, { readonly result: ToolResult; readonly ending?: Ending }>;
  /** Takes its answer; null gives up. */
  answer(answer: Json): AsyncGenerator<Step, Ending>;
};

/** Uses the agent a run names for one task, and releases it however that ends. Throws `Problem` where it cannot be had. */
export async function* withAgent(
  context: TaskContext,
  use: (program: AgentProgram) => AsyncGenerator<Step, void>,
): AsyncGenerator<Step> {
  const name = String(context.spec.options[agentOption.name] ?? "");
  const program = await context.agent?.(name);
  if (program === undefined) throw new Problem("tool", `Expected an agent \`${name}\`, of which none are at hand here`);
  let answered = false;
  try {
    yield* use(program);
    answered = true;
  } finally {
    await program.release(answered);
  }
}

/** Puts a task, or a stage of one, to the agent, and does what it says until it has answered. */
export async function* converse<Ending>(
  context: TaskContext,
  program: AgentProgram,
  conversation: Conversation<Ending>,
): AsyncGenerator<Step, Ending> {
  await program.write(taskLine(context, conversation, program.modelUrl));
  for (let count = 0; count < mostEvents; count++) {
    const event = await program.next(context.signal);
    if (event.type === "request") {
      yield* answerRequest(context, conversation.asks, event);
      continue;
    }
    const { value } = event;
    switch (field(value, "type")) {
      case "call": {
        const { result, ending } = yield* conversation.call(callIn(value, count));
        await program.write({ type: "result", ...shown(value, result) });
        if (ending !== undefined) return ending;
        break;
      }
      case "answer":
        return yield* conversation.answer(field(value, "answer") ?? null);
      case "note":
        yield { type: "note", kind: "agent", text: String(field(value, "text") ?? "") };
        break;
      default:
        // Programs print what they do; that is no part of the conversation.
        yield { type: "note", kind: "unread", text: JSON.stringify(value ?? null).slice(0, 500) };
    }
  }
  throw new Problem("budget", `The agent wrote ${mostEvents} lines without an answer`);
}

function taskLine({ task }: TaskContext, { stage, messages, tools }: Conversation<unknown>, url: string): Json {
  return {
    type: "task",
    task: task.id,
    ...(stage === undefined ? {} : { stage }),
    question: task.question,
    messages: messages.map(({ role, content }) => ({ role, content })),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    model: { url },
  };
}

async function* answerRequest(
  context: TaskContext,
  stage: string,
  { role, messages, tools, reply, refuse }: Extract<AgentEvent, { readonly type: "request" }>,
): AsyncGenerator<Step> {
  const asked: Role = role === "actor" ? "actor" : "model";
  try {
    const offered = tools.length === 0 ? {} : { tools };
    const { text, calls } = yield* ask(context, { role: asked, stage, messages, ...offered });
    reply({ text, calls });
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

/** What an agent hands in, as text. */
export const answerText = (answer: Json): string => (typeof answer === "string" ? answer : JSON.stringify(answer));
