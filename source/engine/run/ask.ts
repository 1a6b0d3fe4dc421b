/** Asking a model from inside a strategy: every chunk becomes a step, the reply comes back whole. */
import { type ReplyForm, checkedResult, type Environment } from "../protocol.ts";
import type { TaskContext } from "../strategy.ts";
import { requestSettings, type RequestSettings, unsentSettings } from "../run-settings.ts";
import { withToolsInPrompt } from "../models/replies/tools-in-prompt.ts";
import { unsentNote } from "../log/rows/rows.ts";
import { responseFormat } from "./reply-format.ts";
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
import { createHash } from "node:crypto";
import { randomFrom } from "../statistics/random.ts";

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
 * by a `retry` are gone. Notes a prompt that is stopped before it was sent. Throws what the model throws (a `ModelProblem`),
 * which the runner records as a failure.
 */
export async function* ask(context: TaskContext, question: Question): AsyncGenerator<Step, Answered> {
  const model = context.model(question.role);
  const request = context.nextRequest();
  const { prompt, repetition, sent: unwatched } = requestOf(context, question, model.name, request);
  let isWaiting = false;
  const sent: ModelRequest = { ...unwatched, waits: (waits) => (isWaiting = waits) };
  const earlier = context.saved?.(prompt);
  const place = earlier === undefined ? await context.cached?.(model, sent, repetition) : undefined;
  const saved = earlier ?? place?.reply;
  yield saved === undefined ? prompt : { ...prompt, model: saved.model, saved: saved.took };
  const keeping: Chunk[] | undefined = saved === undefined && place !== undefined ? [] : undefined;
  let reply = noReply;
  try {
    for await (const chunk of saved?.chunks ?? model.stream(sent)) {
      keeping?.push(chunk);
      reply = withChunk(reply, chunk);
      yield { ...chunk, request };
    }
  } catch (thrown) {
    // A prompt is written down before its turn comes.
    if (isWaiting && reply === noReply)
      yield {
        type: "note",
        kind: unsentNote,
        text: "Stopped before it was sent",
        data: { request, stage: question.stage },
      };
    throw thrown;
  }
  const unkept = keeping === undefined ? undefined : await place?.keep(keeping);
  if (unkept !== undefined) yield { type: "note", kind: "not-cached", text: unkept };
  const { adjusted, ...answered } = reply;
  for (const each of adjusted.filter((one) => one in readings))
    yield { type: "note", kind: each, text: readings[each]! };
  if ((question.tools ?? []).length > 0) context.toolUse?.take(reply.calls.length);
  return { ...answered, request };
}

/** The prompt of a request as the log has it, what is sent for it, and how often the task has sent the same before. */
function requestOf(context: TaskContext, question: Question, model: string, request: number) {
  const { spec, signal } = context;
  const { role, stage } = question;
  const tools = question.tools === undefined ? {} : { tools: question.tools };
  // With `tools: text` the request has no tools: they stand in the prompt, as the log has it.
  const inPrompt = spec.tools === "text" && (question.tools ?? []).length > 0;
  const native = alternating(question.messages);
  const turns = inPrompt ? withToolsInPrompt(native, question.tools!) : native;
  const messages = context.rewrite?.(request, turns) ?? turns;
  const logged = { messages, ...(inPrompt ? {} : tools) };
  const settings = settingsOf(spec, question);
  // Counted only if it makes a difference: a prompt can be long.
  const counts = settings.seed !== undefined || context.cached !== undefined;
  const repetition = (counts ? context.repetition?.({ model, messages, ...tools, ...settings }) : undefined) ?? 0;
  return {
    prompt: { type: "prompt", request, role, model, stage, ...logged } as const,
    repetition,
    sent: {
      messages,
      ...tools,
      ...settings,
      ...(settings.seed === undefined ? {} : { seed: requestSeed(settings.seed, spec.trial, repetition) }),
      signal,
      asker: { task: context.task.id, role, stage, spec },
    },
  };
}

type Reply = Omit<Answered, "request"> & { readonly adjusted: readonly Adjustment[] };

const noReply: Reply = { text: "", thinking: undefined, calls: [], finish: "", tokens: 0, adjusted: [] };

/** The reply with one chunk more. */
function withChunk(reply: Reply, chunk: Chunk): Reply {
  const { text, thinking, calls } = reply;
  switch (chunk.type) {
    case "text":
      return { ...reply, text: text + chunk.text };
    case "thinking":
      return {
        ...reply,
        thinking: moreThinking(thinking, chunk, text),
        text: chunk.textBefore === true ? "" : text,
      };
    case "call":
      return { ...reply, calls: [...calls, chunk.call] };
    case "retry":
      return { ...reply, text: "", thinking: undefined, calls: [] };
    case "usage":
      return { ...reply, tokens: chunk.input + chunk.output };
    case "finish":
      return { ...reply, finish: chunk.reason, adjusted: chunk.adjusted ?? [] };
    default:
      return chunk satisfies never;
  }
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

/** Servers take seeds of 31 bits without a sign. */
const seeds = 2 ** 31;

/**
 * The seed of the request that repeats an equal one for the `repetition`-th time (0: asked for the first time) in one task of
 * a trial. The first one of trial 1 sends the run's own seed, so that single runs send what they always sent; every other
 * one a seed derived from all three numbers, the same on every machine.
 */
export function requestSeed(seed: number, trial: number, repetition: number): number {
  if (trial === 1 && repetition === 0) return seed;
  return Math.floor(randomFrom(`seed ${seed}, trial ${trial}, repetition ${repetition}`)() * seeds);
}

/** Counts equal requests within one task: how often exactly this was asked before. They must not be changed afterwards. */
export function requestRepetitions(): (request: unknown) => number {
  const counts = new Map<string, number>();
  let first: { readonly request: unknown } | undefined;
  return (request) => {
    // Most tasks ask once, and prompts are long: there is nothing to compare the first one with.
    if (first === undefined) {
      first = { request };
      return 0;
    }
    if (counts.size === 0) counts.set(keyOf(first.request), 1);
    const key = keyOf(request);
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  };
}

/** Short, as a task can ask hundreds of long prompts. */
const keyOf = (request: unknown): string => createHash("sha256").update(JSON.stringify(request)).digest("base64");
