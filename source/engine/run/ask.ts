/** Asking a model from inside a strategy: every chunk becomes a step, the reply comes back whole. */
import { type ReplyForm, checkedResult, type Environment } from "../protocol.ts";
import type { TaskContext } from "../strategy.ts";
import { requestSettings, type RequestSettings, unsentSettings } from "../run-settings.ts";
import { withToolsInPrompt } from "../models/replies/tools-in-prompt.ts";
import { unsentNote } from "../log/rows/rows.ts";
import { responseFormat } from "./reply-format.ts";
import { requestSeed } from "./request-seed.ts";
import { alternating } from "./turns.ts";
import type {
  Adjustment,
  Chunk,
  Message,
  ModelRequest,
  Role,
  RunSpec,
  Step,
  Thinking,
  ToolCall,
  ToolSpec,
  ToolResult,
} from "../types.ts";

/** Settings given here are the strategy's own. */
export type Question = RequestSettings & {
  readonly role: Role;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** What the reply is read as, which the server is asked for where the run says so (`format`). */
  readonly form?: ReplyForm | undefined;
};
type Answered = {
  readonly text: string;
  readonly thinking: Thinking | undefined;
  readonly calls: readonly ToolCall[];
  readonly finish: string;
  readonly tokens: number;
  /** Number of this request within the task. */
  readonly request: number;
};

/**
 * Streams one request. Yields the `prompt` and every chunk as steps; returns the reply, in which text and calls voided
 * by a `retry` are gone. A prompt that is stopped before it was sent is noted as such. Throws what the model throws (a `ModelProblem`), which the runner records as a failure.
 */
export async function* ask(context: TaskContext, question: Question): AsyncGenerator<Step, Answered> {
  const model = context.model(question.role);
  const request = context.nextRequest();
  const { role, stage } = question;
  const { spec } = context;
  const tools = question.tools === undefined ? {} : { tools: question.tools };
  // With `tools: text` the request has no tools: they stand in the prompt, as the log has it.
  const inPrompt = spec.tools === "text" && (question.tools ?? []).length > 0;
  const native = alternating(question.messages);
  const turns = inPrompt ? withToolsInPrompt(native, question.tools!) : native;
  const messages = context.rewrite?.(request, turns) ?? turns;
  const logged = { messages, ...(inPrompt ? {} : tools) };
  const prompt = { type: "prompt", request, role, model: model.name, stage, ...logged } as const;
  const settings = settingsOf(spec, question);
  // Counted only for whom it makes a difference: a prompt can be long.
  const counts = settings.seed !== undefined || context.cached !== undefined;
  const asked = { model: model.name, messages, ...tools, ...settings };
  const repetition = (counts ? context.repetition?.(asked) : undefined) ?? 0;
  let isWaiting = false;
  const sent: ModelRequest = {
    waits: (waits) => (isWaiting = waits),
    messages,
    ...tools,
    ...settings,
    ...(settings.seed === undefined ? {} : { seed: requestSeed(settings.seed, spec.trial, repetition) }),
    signal: context.signal,
    asker: { task: context.task.id, role, stage, spec },
  };
  const earlier = context.saved?.(prompt);
  const place = earlier === undefined ? await context.cached?.(model, sent, repetition) : undefined;
  const saved = earlier ?? place?.reply;
  yield saved === undefined ? prompt : { ...prompt, model: saved.model, saved: saved.took };
  const keeping: Chunk[] | undefined = saved === undefined && place !== undefined ? [] : undefined;
  let text = "";
  let thinking: Thinking | undefined;
  let calls: ToolCall[] = [];
  let finish = "";
  let tokens = 0;
  let adjusted: readonly Adjustment[] = [];
  let isAnswered = false;
  try {
    for await (const chunk of saved?.chunks ?? model.stream(sent)) {
      isAnswered = true;
      keeping?.push(chunk);
      switch (chunk.type) {
        case "text":
          text += chunk.text;
          break;
        case "thinking":
          thinking = moreThinking(thinking, chunk, text);
          if (chunk.textBefore === true) text = "";
          break;
        case "call":
          calls.push(chunk.call);
          break;
        case "retry":
          text = "";
          thinking = undefined;
          calls = [];
          break;
        case "usage":
          tokens = chunk.input + chunk.output;
          break;
        case "finish":
          finish = chunk.reason;
          adjusted = chunk.adjusted ?? [];
          break;
        default:
          chunk satisfies never;
      }
      yield { ...chunk, request };
    }
  } catch (thrown) {
    // A prompt is written down before its turn comes.
    if (isWaiting && !isAnswered)
      yield { type: "note", kind: unsentNote, text: "Stopped before it was sent", data: { request, stage } };
    throw thrown;
  }
  const unkept = keeping === undefined ? undefined : await place?.keep(keeping);
  if (unkept !== undefined) yield { type: "note", kind: "not-cached", text: unkept };
  const read = adjusted.filter((each) => each in readings);
  for (const each of read) yield { type: "note", kind: each, text: readings[each]! };
  if ((question.tools ?? []).length > 0) context.toolUse?.take(calls.length);
  return { text, thinking, calls, finish, tokens, request };
}

/** What is noted where calls came in another way than the protocol's. */
const readings: Readonly<Partial<Record<Adjustment, string>>> = {
  "calls-read-from-text": "The calls came as text and were read from it",
  "calls-read-from-function-call": "The call came as `function_call`, the protocol's older form",
  "call-arguments-were-an-object": "The call's arguments came as an object instead of text",
};

function moreThinking(before: Thinking | undefined, chunk: Chunk & { type: "thinking" }, text: string): Thinking {
  const { field = before?.field } = chunk;
  const own = `${chunk.textBefore === true ? text : ""}${chunk.text}`;
  const items = [...(before?.items ?? []), ...(chunk.item === undefined ? [] : [chunk.item])];
  return {
    text: (before?.text ?? "") + own,
    ...(field === undefined ? {} : { field }),
    ...(items.length === 0 ? {} : { items }),
  };
}

/** The run's settings under the strategy's own: texts such as `stop` are sent together, otherwise the strategy's own hold. */
function settingsOf(spec: RunSpec, own: Question): Pick<ModelRequest, "request" | keyof RequestSettings> {
  const unsent: readonly string[] = unsentSettings(spec);
  const settings = requestSettings.flatMap(({ name }) => {
    const [first, second] = [own[name], unsent.includes(name) ? undefined : spec[name]];
    const value =
      Array.isArray(first) && Array.isArray(second) ? [...new Set([...first, ...second])] : (first ?? second);
    return value === undefined ? [] : [[name, value]];
  });
  const request = { ...spec.request, ...responseFormat(spec, own.form) };
  return {
    ...(Object.fromEntries(settings) as RequestSettings),
    ...(Object.keys(request).length === 0 ? {} : { request }),
  };
}

/** How often an environment's question is put to a model until it can read the reply (StableToolBench's simulator). */
export const mostTries = 3;

/**
 * Carries out one call: puts the environment's own question to a model first where it has one (`Environment.consult`),
 * yields that conversation and the `result` step, returns the result. `asked` is the request the call came with, where others
 * were sent since.
 */
export async function* act(
  context: TaskContext,
  environment: Environment,
  call: ToolCall,
  asked?: number,
): AsyncGenerator<Step, ToolResult> {
  const consultation = environment.consult?.(call);
  let reply: string | undefined;
  for (let tries = 0; consultation !== undefined && tries < mostTries; tries++) {
    reply = (yield* ask(context, consultation)).text;
    if (consultation.readable?.(reply) ?? true) break;
  }
  const result = checkedResult(await environment.call(call, context.signal, reply), call);
  yield { type: "result", callId: call.id, name: call.name, result, ...(asked === undefined ? {} : { asked }) };
  return result;
}
