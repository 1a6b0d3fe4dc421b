/** The exchange of lines with an agent of the user's, as documentation/agents.md describes it. */
import { ask } from "../run/ask.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import { Problem } from "../problem.ts";
import type { AgentEvent, AgentProgram, TaskContext } from "../strategy.ts";
import { field, isRecord } from "../text/json-record.ts";
import type { Json, Message, Role, Step, ToolCall, ToolResult, ToolSpec } from "../types.ts";

/** Most lines and requests of one task: a program may loop. */
const mostEvents = 10_000;

/** The task for an agent, and the handlers of its lines. */
export type AgentTask<Ending> = {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** The name of the stage, if there are several. */
  readonly stage?: string;
  /** Stage under which its requests to models are logged. */
  readonly asks: string;
  /** Executes a call; `ending` is set if the call ends the conversation. */
  call(call: ToolCall): AsyncGenerator<Step, { readonly result: ToolResult; readonly ending?: Ending }>;
  /** Takes its answer; null gives up. */
  answer(answer: Json): AsyncGenerator<Step, Ending>;
};

/**
 * Uses the user's agent that a run names for one task, and releases it however the task ends. Throws `Problem` if it is
 * unavailable.
 */
export async function* withAgent(
  context: TaskContext,
  use: (program: AgentProgram) => AsyncGenerator<Step, void>,
): AsyncGenerator<Step> {
  const name = String(context.spec.options[agentOption.name] ?? "");
  const program = await context.agent?.(name);
  if (program === undefined) throw new Problem("tool", `Expected an agent \`${name}\`, which are not available here`);
  let answered = false;
  try {
    yield* use(program);
    answered = true;
  } finally {
    await program.release(answered);
  }
}

/** Sends a task, or a stage of one, to the agent, and serves its lines until it has answered. */
export async function* converse<Ending>(
  context: TaskContext,
  program: AgentProgram,
  conversation: AgentTask<Ending>,
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
        // Programs print progress, which is not part of the conversation.
        yield { type: "note", kind: "unread", text: JSON.stringify(value ?? null).slice(0, 500) };
    }
  }
  throw new Problem("budget", `The agent wrote ${mostEvents} lines without an answer`);
}

function taskLine({ task }: TaskContext, { stage, messages, tools }: AgentTask<unknown>, url: string): Json {
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

/** Returns an agent's answer as text. */
export const answerText = (answer: Json): string => (typeof answer === "string" ? answer : JSON.stringify(answer));
