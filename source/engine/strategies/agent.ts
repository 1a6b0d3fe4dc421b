/**
 * The user's agent, in any language: a program that receives a task with its tools, and answers it. It calls tools through the
 * suite's environment, and may send requests to models through an endpoint of this program, so that all its requests and calls
 * are logged. The lines are described in documentation/agents.md.
 */
import { act } from "../run/ask.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import type { Environment } from "../protocol.ts";
import type { Strategy, TaskContext } from "../strategy.ts";
import type { Json, Step, ToolCall, ToolResult } from "../types.ts";
import { answerText, converse, withAgent } from "./agent-conversation.ts";
import { inStages } from "./direct.ts";
import { openEnvironment } from "./episode.ts";

const common = {
  name: "agent",
  title: "Agent of your own",
  revision: 1,
  roles: ["model", "actor"],
  mayLackModel: true,
  options: [agentOption],
} as const;

/** For suites that give tasks an environment. */
export const agent: Strategy<"environment"> = {
  ...common,
  needs: "environment",
  async *run(context) {
    const environment = await openEnvironment(context);
    yield* withAgent(context, async function* (program) {
      const { reason, answer } = yield* converse(context, program, {
        messages: environment.opening?.([]) ?? [{ role: "user", content: context.task.question }],
        // The line `answer` replaces the tool that ends the episode.
        tools: environment.tools.filter(({ name }) => name !== environment.finish?.tool.name),
        asks: "agent",
        call: (call) => called(context, environment, call),
        answer: (given) => handedIn(context, environment, given),
      });
      yield { type: "note", kind: "end", text: reason };
      if (answer !== undefined) yield { type: "answer", answer };
    });
  },
};

/**
 * For suites that send requests in stages: the agent receives each stage as a separate task without tools, and its answer is read
 * like a model's reply.
 */
export const stagedAgent: Strategy<"stages"> = {
  ...common,
  needs: "stages",
  usesShots: true,
  async *run(context) {
    yield* withAgent(context, (program) =>
      inStages(context, "none", (stage, messages) =>
        converse<string | undefined>(context, program, {
          messages,
          tools: [],
          stage: stage.name,
          // Its requests have the suite's stage name, so that built-in models recognize them.
          asks: stage.name,
          call: noTools,
          answer: givenUpOrText,
        }),
      ),
    );
  },
};

type Ending = NonNullable<ToolResult["end"]>;

/** An agent's call belongs to no request of a model: a node records the call. */
export async function* called(
  context: TaskContext,
  environment: Environment,
  call: ToolCall,
): AsyncGenerator<Step, { readonly result: ToolResult; readonly ending?: Ending }> {
  const node = { type: "node", id: call.id, kind: "call", label: `${call.name}(${call.text})` } as const;
  yield { ...node, state: "open" };
  const result = yield* act(context, environment, call);
  yield { ...node, state: result.ok ? "done" : "failed" };
  return { result, ...(result.end && { ending: result.end }) };
}

async function* handedIn(context: TaskContext, environment: Environment, given: Json): AsyncGenerator<Step, Ending> {
  const { finish } = environment;
  if (finish === undefined)
    return given === null ? { reason: "gave up", answer: undefined } : { reason: "answered", answer: given };
  const last = given === null ? finish.giveUp() : finish.answer(answerText(given));
  const { end } = yield* act(context, environment, last);
  return end ?? { reason: "no answer", answer: undefined };
}

// oxlint-disable-next-line require-yield -- a refused call yields no step
async function* noTools(): AsyncGenerator<Step, { readonly result: ToolResult }> {
  return { result: { ok: false, observation: "There are no tools in this task", status: "no tools" } };
}

// oxlint-disable-next-line require-yield -- the answer is read, and yielded by the stage
async function* givenUpOrText(given: Json): AsyncGenerator<Step, string | undefined> {
  return given === null ? undefined : answerText(given);
}
