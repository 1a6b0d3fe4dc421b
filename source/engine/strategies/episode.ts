/** Common parts of both kinds of episode, by text and by function calls. */
import type { Environment, EpisodeLimits } from "../protocol.ts";
import type { TaskContext, Estimate } from "../strategy.ts";
import { ask, type Question } from "../run/ask.ts";
import { tokensOf } from "../text/tokens.ts";
import type { Json, Message, RunSpec } from "../types.ts";

export type Ending = {
  /** As reported by the environment, or `step limit`, `depth limit`, `prompt too long`. */
  readonly reason: string;
  readonly answer: Json | undefined;
  /** The whole episode as text; lessons are drawn from it. */
  readonly transcript: string;
};

/**
 * Requests the next calls. If the environment accepts text as an answer, a text without a call becomes the call that submits it.
 * If calls are written as text, only a call submits an answer.
 */
export async function* askForCalls(
  context: TaskContext,
  environment: Environment,
  messages: readonly Message[],
  more: Pick<Question, "temperature"> = {},
) {
  const { tools, finish, endsByText = false } = environment;
  const reply = yield* ask(context, {
    role: "model",
    stage: "step",
    messages,
    tools,
    finish: finish?.tool.name,
    ...more,
  });
  const isAnswer = endsByText && !reply.toolsInPrompt && reply.calls.length === 0 && reply.text.trim() !== "";
  return isAnswer && finish !== undefined ? { ...reply, calls: [finish.answer(reply.text)] } : reply;
}

/** Opens a new environment for an episode of this task. It is closed when the task ends. */
export async function openEnvironment(context: TaskContext<"environment">): Promise<Environment> {
  const { loaded, task, spec, signal } = context;
  const environment = await loaded.asks.environment.open(task, spec, signal);
  context.opened?.(environment);
  return environment;
}

/**
 * Estimates the tokens of these messages; a sequence of spaces, frequent in tables, counts as one character. Used only for limits
 * on prompts, which published code counts with one vendor's tokenizer.
 */
export function tokensIn(messages: readonly Message[]): number {
  let sum = 0;
  for (const { content } of messages) sum += tokensOf(content.replaceAll(/ {2,}/g, " "));
  return sum;
}

type Asked = Pick<TaskContext, "task" | "loaded" | "spec">;

/** Returns `requests` with the largest prompt each, or the task's own budget if the budget is smaller. */
export function atMost({ task, loaded, spec }: Asked, requests: number): Estimate | undefined {
  const limits = loaded.asks.environment?.limits(task, spec);
  return limits && withinLimits({ ...limits, requests }, spec);
}

/** Returns an upper bound of an episode: each request with the largest prompt. */
export function withinLimits(limits: EpisodeLimits, spec: RunSpec): Estimate {
  const calls = Math.min(limits.requests, spec.budget.task?.steps ?? Infinity);
  return { calls, input: calls * limits.prompt, output: calls * (spec.maxTokens ?? limits.reply), atMost: true };
}

/** Returns an upper bound of this many episodes, with a lesson after each but the last. */
export function episodesAtMost(context: Asked, trials: number): Estimate | undefined {
  const limits = context.loaded.asks.environment?.limits(context.task, context.spec);
  if (limits === undefined) return undefined;
  const inside = trials > 1 ? limits.lessons : undefined;
  return atMost(context, inside === undefined ? trials * limits.requests + trials - 1 : limits.requests + inside);
}
