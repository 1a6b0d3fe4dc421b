/**
 * An agent of the user's, in any language: a program that is given a task with its tools, and answers it. It calls tools through
 * the suite's environment, and may ask models through an endpoint of ours, so that all it does is in the log. The lines are
 * described in documentation/agents.md.
 */
import { act } from "../run/act.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import { ask } from "../run/ask.ts";
import { Problem } from "../problem.ts";
import type { Environment } from "../protocol.ts";
import type { AgentEvent, AgentProgram, Strategy, TaskContext } from "../strategy.ts";
import { field, isRecord } from "../text/json-record.ts";
import type { Json, Role, Step, ToolCall, ToolResult } from "../types.ts";
import { openEnvironment } from "./episode.ts";

/** Lines and requests of one task, at most: a program may go round in circles. */
const mostEvents = 10_000;

export const agent: Strategy<"environment"> = {
  name: "agent",
  title: "Agent of your own",
  needs: "environment",
  revision: 1,
  roles: ["model", "actor"],
  mayLackModel: true,
  options: [agentOption],
  async *run(context) {
    const name = String(context.spec.options[agentOption.name] ?? "");
    const environment = await openEnvironment(context);
    const program = await context.agent?.(name);
    if (program === undefined)
      throw new Problem("tool", `Expected an agent \`${name}\`, of which none are at hand here`);
    let answered = false;
    try {
      const ending = yield* converse(context, environment, program);
      answered = true;
      yield { type: "note", kind: "end", text: ending.reason };
      if (ending.answer !== undefined) yield { type: "answer", answer: ending.answer };
    } finally {
      await program.release(answered);
    }
  },
};

type Ending = NonNullable<ToolResult["end"]>;

async function* converse(
  context: TaskContext<"environment">,
  environment: Environment,
  program: AgentProgram,
): AsyncGenerator<Step, Ending> {
  await program.write(taskLine(context, environment, program.modelUrl));
  for (let count = 0; count < mostEvents; count++) {
    const event = await program.next(context.signal);
    if (event.type === "request") {
      yield* answerRequest(context, event);
      continue;
    }
    const { value } = event;
    switch (field(value, "type")) {
      case "call": {
        const result = yield* called(context, environment, callIn(value, count));
        await program.write({ type: "result", ...shown(value, result) });
        if (result.end !== undefined) return result.end;
        break;
      }
      case "answer":
        return yield* handedIn(context, environment, field(value, "answer"));
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

function taskLine({ task }: TaskContext, environment: Environment, url: string): Json {
  const opening = environment.opening?.([]) ?? [{ role: "user", content: task.question }];
  // The tool that ends the episode is the line `answer` here.
  const tools = environment.tools.filter(({ name }) => name !== environment.finish?.tool.name);
  return {
    type: "task",
    task: task.id,
    question: task.question,
    messages: opening.map(({ role, content }) => ({ role, content })),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    model: { url },
  };
}

async function* answerRequest(
  context: TaskContext,
  { role, messages, tools, reply, refuse }: Extract<AgentEvent, { readonly type: "request" }>,
): AsyncGenerator<Step> {
  const asked: Role = role === "actor" ? "actor" : "model";
  try {
    const offered = tools.length === 0 ? {} : { tools };
    const { text, calls } = yield* ask(context, { role: asked, stage: "agent", messages, ...offered });
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

/** A call of an agent belongs to no request of a model: a node says what was called. */
async function* called(
  context: TaskContext,
  environment: Environment,
  call: ToolCall,
): AsyncGenerator<Step, ToolResult> {
  const node = { type: "node", id: call.id, kind: "call", label: `${call.name}(${call.text})` } as const;
  yield { ...node, state: "open" };
  const result = yield* act(context, environment, call);
  yield { ...node, state: result.ok ? "done" : "failed" };
  return result;
}

function shown(value: Json | undefined, { ok, observation }: ToolResult): { readonly [key: string]: Json } {
  return { id: field(value, "id") ?? null, ok, content: observation };
}

/** Null gives up. */
async function* handedIn(
  context: TaskContext,
  environment: Environment,
  answer: Json | undefined,
): AsyncGenerator<Step, Ending> {
  const { finish } = environment;
  const given = answer === undefined || answer === null ? undefined : answer;
  if (finish === undefined) return { reason: given === undefined ? "gave up" : "answered", answer: given };
  const text = typeof given === "string" ? given : JSON.stringify(given);
  const { end } = yield* act(context, environment, given === undefined ? finish.giveUp() : finish.answer(text));
  return end ?? { reason: "no answer", answer: undefined };
}
