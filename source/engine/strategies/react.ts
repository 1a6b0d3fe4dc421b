/**
 * ReAct: alternate reasoning, actions and observations (Yao et al., ICLR 2023).
 *
 * How an environment controls it. The loaded suite opens one `Environment` for the episode.
 * - With a `dialect` the model acts in text: every step requests a thought and then an action (`dialect.messages`), parses
 *   the action (`dialect.parse`), executes it (`call`) and adds the observation to the scratchpad, which `dialect.revise` may
 *   rewrite first. Limits: `dialect.maxSteps`, `dialect.maxPromptTokens`.
 * - Without one the model gets `tools` and calls functions. `opening` begins the conversation, every `ToolResult` is
 *   returned as a tool message (`observation`), `idle` answers a reply without calls. Limits: `maxRequests`, `maxDepth`.
 * In both cases a result with `end` ends the episode; its answer, if any, becomes the task's. A call that itself needs a
 * model asks for it by `consult`. The reason of the end is the text of the last `end` note.
 */
import type { Environment, TextDialect } from "../protocol.ts";
import type { TaskContext, Strategy } from "../strategy.ts";
import type { Step, Message } from "../types.ts";
import { askForCalls, type Ending, openEnvironment, tokensIn, episodesAtMost } from "./episode.ts";
import { ask, act } from "../run/ask.ts";
import { replyMessage } from "../run/turns.ts";

export const react: Strategy<"environment"> = {
  name: "react",
  title: "ReAct",
  needs: "environment",
  offersFunctions: true,
  revision: 1,
  roles: ["model"],
  async *run(context) {
    const ending = yield* episode(context, await openEnvironment(context), [], false);
    yield { type: "note", kind: "end", text: ending.reason };
    if (ending.answer !== undefined) yield { type: "answer", answer: ending.answer };
  },
  estimate: (context) => episodesAtMost(context, 1),
};

/** Runs one episode, by text if the environment has a dialect, otherwise by function calls. */
export function episode(
  context: TaskContext,
  environment: Environment,
  lessons: readonly string[],
  reflects: boolean,
): AsyncGenerator<Step, Ending> {
  const { dialect } = environment;
  return dialect === undefined
    ? callEpisode(context, environment, lessons)
    : textEpisode(context, environment, dialect, lessons, reflects);
}

/**
 * Runs one episode in the environment's text dialect (ReAct as in Yao et al. 2023 and in TravelPlanner's agents). `lessons` are
 * passed to every prompt; with `reflects`, requests a new lesson after each step after which the environment is stuck.
 */
async function* textEpisode(
  context: TaskContext,
  environment: Environment,
  dialect: TextDialect,
  lessons: readonly string[],
  reflects: boolean,
): AsyncGenerator<Step, Ending> {
  const learnt = [...lessons];
  const stop = dialect.stop ?? ["\n"];
  let scratchpad = "";
  const asked = { stop, maxTokens: dialect.maxTokens, role: "model" } as const;
  for (let step = 1; step <= dialect.maxSteps; step++) {
    if (tokensIn(dialect.messages("thought", step, scratchpad, learnt)) > dialect.maxPromptTokens) {
      return { reason: "prompt too long", answer: undefined, transcript: scratchpad };
    }
    scratchpad += `\nThought ${step}:`;
    const thought = yield* ask(context, {
      ...asked,
      stage: "thought",
      messages: dialect.messages("thought", step, scratchpad, learnt),
    });
    scratchpad += ` ${oneLine(thought.text, `Thought ${step}:`, stop)}\nAction ${step}:`;
    const acted = yield* ask(context, {
      ...asked,
      stage: "action",
      messages: dialect.messages("action", step, scratchpad, learnt),
    });
    const action = oneLine(acted.text, `Action ${step}:`, stop);
    const call = { ...dialect.parse(action), id: `step-${step}` };
    yield { type: "call", request: acted.request, call };
    context.toolUse?.take(call.name === "" ? 0 : 1);
    const result = yield* act(context, environment, call);
    scratchpad += ` ${action}`;
    scratchpad = dialect.revise?.(scratchpad, call, result) ?? scratchpad;
    scratchpad += `\nObservation ${step}: ${result.observation}`;
    if (result.end !== undefined) return { ...result.end, transcript: scratchpad };
    if (!reflects || dialect.reflect === undefined || environment.stuck?.() !== true) continue;
    const messages = dialect.reflect(scratchpad, learnt);
    const lesson = (yield* ask(context, { role: "model", stage: "reflect", messages })).text.trim();
    learnt.push(lesson);
    yield { type: "note", kind: "reflection", text: lesson };
  }
  return { reason: "step limit", answer: undefined, transcript: scratchpad };
}

/**
 * Returns a reply up to the stop strings (not all servers support `stop`), on one line as in the published agents. Chat models
 * often repeat the label that they were asked to complete; it is removed.
 */
function oneLine(reply: string, label: string, stop: readonly string[]): string {
  let text = reply.trim();
  if (text.startsWith(label)) text = text.slice(label.length).trim();
  for (const end of stop) {
    const at = text.indexOf(end);
    if (at !== -1) text = text.slice(0, at);
  }
  return text.replaceAll("\r", "").replaceAll("\n", "").trim();
}

/** Runs one chain of function calls, until a result ends it or `maxRequests` or `maxDepth` is reached. */
async function* callEpisode(
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
    const reply = yield* askForCalls(context, environment, [...messages]);
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
