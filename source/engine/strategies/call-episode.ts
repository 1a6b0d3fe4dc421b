/** Episodes by function calls: the model gets the tools, each result is returned as a tool message. */
import { act } from "../run/act.ts";
import { ask } from "../run/ask.ts";
import { replyMessage } from "../run/turns.ts";
import type { Environment } from "../protocol.ts";
import type { TaskContext } from "../strategy.ts";
import type { Message, Step } from "../types.ts";
import type { Ending } from "./episode.ts";

/** One chain of function calls, until a result ends it or `maxRequests` or `maxDepth` is reached. */
export async function* callEpisode(
  context: TaskContext,
  environment: Environment,
  lessons: readonly string[],
): AsyncGenerator<Step, Ending> {
  const messages: Message[] = [...(environment.opening?.(lessons) ?? plainOpening(context.task.question, lessons))];
  const from = messages.length;
  const ending = (reason: string, end?: Pick<Ending, "reason" | "answer">): Ending => ({
    reason,
    answer: undefined,
    ...end,
    transcript: transcriptOf(messages.slice(from)),
  });
  let depth = 0;
  for (let request = 0; request < (environment.maxRequests ?? 30); request++) {
    const reply = yield* ask(context, {
      role: "model",
      stage: "step",
      messages: [...messages],
      tools: environment.tools,
    });
    const { text, calls } = reply;
    messages.push(replyMessage(reply));
    if (text !== "") depth += 1;
    if (calls.length === 0 && environment.idle !== undefined) {
      messages.push({ role: "user", content: environment.idle });
    }
    for (const call of calls) {
      const result = yield* act(context, environment, call);
      depth += 2;
      messages.push({ role: "tool", callId: call.id, content: result.observation });
      if (result.end !== undefined) return ending(result.end.reason, result.end);
    }
    if (depth >= (environment.maxDepth ?? Infinity)) return ending("depth limit");
  }
  return ending("step limit");
}

function plainOpening(question: string, lessons: readonly string[]): Message[] {
  const learnt = lessons.map((lesson) => `Lesson from an earlier attempt: ${lesson}`);
  return [{ role: "user", content: [...learnt, question].join("\n\n") }];
}

function transcriptOf(messages: readonly Message[]): string {
  const lines: string[] = [];
  for (const message of messages) {
    if (message.content !== "") lines.push(`${message.role}: ${message.content}`);
    if (message.role !== "assistant") continue;
    for (const call of message.calls ?? []) lines.push(`call: ${call.name}(${call.text})`);
  }
  return lines.join("\n");
}
