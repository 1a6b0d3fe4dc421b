/** Sends a strategy's request to a model: every chunk becomes a step, and the whole reply is returned. */
import { type ReplyForm, checkedResult, type Environment } from "../protocol.ts";
import type { TaskContext } from "../strategy.ts";
import { renamedNote } from "../settings/varied-names.ts";
import { toolOrder } from "../settings/varied.ts";
import { type Sampling, samplingOf } from "../settings/role-settings.ts";
import { type Adjustment, requestSettings, type RequestSettings } from "../run-settings.ts";
import { withToolsInPrompt } from "../models/replies/tools-in-prompt.ts";
import { unmadeNote } from "../log/rows/run-warnings.ts";
import { heldNote, releasedNote, unsentNote } from "../log/rows/rows.ts";
import { givesFormat, responseFormat } from "./reply-format.ts";
import { estimateCalls, estimatePrompt } from "../models/limits/token-estimate.ts";
import { counted } from "../text/counted.ts";
import { tokensOf } from "../text/tokens.ts";
import { alternating } from "./turns.ts";
import type {
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
import { hash } from "node:crypto";
import { systemOption } from "../option.ts";
import { Problem } from "../problem.ts";
import { randomFrom } from "../statistics/random.ts";

/** A request to a model; its settings come from the strategy. */
export type Question = RequestSettings & {
  readonly role: Role;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** The function that ends an episode, which keeps its name in every variant. */
  readonly finish?: string | undefined;
  /** Form of the reply, which the run may ask the server for (`format`). */
  readonly form?: ReplyForm | undefined;
  /** True if a user's program wrote the messages, because the program has already received the run's system message. */
  readonly isOwn?: true;
};
type Answered = {
  readonly text: string;
  readonly thinking: Thinking | undefined;
  readonly calls: readonly ToolCall[];
  readonly finish: string;
  readonly tokens: number;
  /** Number of this request within the task. */
  readonly request: number;
  /** Calls had to be written as text, because the prompt described the tools. */
  readonly toolsInPrompt: boolean;
};

/**
 * Streams one request. Yields the `prompt` and every chunk as steps; returns the reply without text and calls voided by a
 * `retry`. Notes a prompt that is stopped before it is sent. Throws the model's error (a `ModelProblem`), which the runner
 * records as a failure.
 */
export async function* ask(context: TaskContext, question: Question): AsyncGenerator<Step, Answered> {
  const model = context.model(question.role);
  const request = context.nextRequest();
  const known = Object.keys(context.names?.own ?? {}).length;
  const { prompt, repetition, sent: unwatched } = requestOf(context, question, model.name, request);
  yield* renamedFunctions(context, known);
  const names = isMeasured(question) ? context.names : undefined;
  let isWaiting = false;
  const sent: ModelRequest = { ...unwatched, waits: (waits) => (isWaiting = waits) };
  const earlier = context.saved?.(prompt);
  const place = earlier === undefined ? await context.cached?.(model, sent, repetition) : undefined;
  const saved = earlier ?? place?.reply;
  if (saved === undefined && context.hold?.isDue === true) {
    yield { type: "note", kind: heldNote, text: `Before request ${request + 1} (${question.stage})` };
    try {
      await context.hold.wait(context.signal);
    } finally {
      yield { type: "note", kind: releasedNote, text: "" };
    }
  }
  yield saved === undefined ? prompt : { ...prompt, model: saved.model, saved: saved.took };
  const keeping: Chunk[] | undefined = saved === undefined && place !== undefined ? [] : undefined;
  let reply = noReply;
  // A request that waits for its next attempt was counted by its `retry`.
  let isCounted = false;
  try {
    for await (const given of saved?.chunks ?? model.stream(sent)) {
      keeping?.push(given);
      // A log has calls by their own names, a cache the replies as they came.
      const chunk = earlier === undefined ? (names?.chunk(given) ?? given) : given;
      reply = withChunk(reply, chunk);
      isCounted = chunk.type === "usage" || chunk.type === "finish" || (chunk.type === "retry" && chunk.wait > 0);
      yield { ...chunk, request };
    }
  } catch (thrown) {
    // The prompt is logged before its turn comes.
    if (isWaiting && reply === noReply)
      yield {
        type: "note",
        kind: unsentNote,
        text: "Stopped before the request was sent",
        data: { request, stage: question.stage },
      };
    else if (saved === undefined && sent.signal.aborted && !isWaiting && !isCounted)
      yield { ...cutUsage(sent, reply), request };
    throw thrown;
  }
  const unkept = keeping === undefined ? undefined : await place?.keep(keeping);
  if (unkept !== undefined) yield { type: "note", kind: "not-cached", text: unkept };
  const { adjusted, ...answered } = reply;
  yield* notesOn(adjusted, saved?.replaced === true);
  if ((question.tools ?? []).length > 0) context.toolUse?.take(reply.calls.length);
  const isAgain = sent.temperature === 0 && context.again?.(model.name, sent, reply) === true;
  if (isAgain) yield { type: "note", kind: sameReply, text: "The same request was sent before and got the same reply" };
  const toolsInPrompt = prompt.tools === undefined || adjusted.includes("tools-in-prompt");
  return { ...answered, request, toolsInPrompt };
}

function* notesOn(adjusted: readonly Adjustment[], isReplaced: boolean): Generator<Step> {
  if (isReplaced)
    yield { type: "note", kind: replacedNote, text: "The fork set this reply; the model did not give it" };
  for (const each of adjusted.filter((one) => one in readings))
    yield { type: "note", kind: each, text: readings[each]! };
}

/** Notes the functions that this request is the first to offer under other names; functions in `known` were noted before. */
function* renamedFunctions({ names }: TaskContext, known: number): Generator<Step> {
  const renamed = Object.entries(names?.own ?? {}).slice(known);
  if (renamed.length > 0)
    yield { type: "note", kind: renamedNote, text: renamedText(renamed), data: Object.fromEntries(renamed) };
}

/** Estimates the tokens of a request that was stopped after it was sent: servers charge for these tokens but do not report them. */
function cutUsage({ messages }: ModelRequest, { text, thinking, calls }: Reply): Chunk & { type: "usage" } {
  const output = tokensOf(text) + tokensOf(thinking?.text ?? "") + estimateCalls(calls);
  return { type: "usage", input: estimatePrompt(messages), output, estimated: true };
}

/** Returns the prompt of a request for the log, the request to send, and how often the task has sent the same before. */
function requestOf(context: TaskContext, question: Question, model: string, request: number) {
  const { spec, signal } = context;
  const { role, stage } = question;
  const names = isMeasured(question) || stage === "reflect" ? context.names : undefined;
  const offered = offeredIn(context, question);
  const tools = offered === undefined ? {} : { tools: offered };
  // With `tools: text` the request has no tools, because the logged prompt describes them.
  const inPrompt = spec.tools === "text" && (offered ?? []).length > 0;
  const own = alternating(isMeasured(question) ? withSystem(context, question.messages) : question.messages);
  const native = names?.messages(own) ?? own;
  const turns = inPrompt ? withToolsInPrompt(native, offered!) : native;
  const messages = context.rewrite?.(request, turns) ?? turns;
  const logged = { messages, ...(inPrompt ? {} : tools) };
  const settings = settingsOf(spec, question);
  // Counts only if it makes a difference, because a prompt can be long.
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
      asker: { task: context.task.id, role, stage, spec, ...(names && { names: names.own }) },
    },
  };
}

/** Returns the functions of a request as this variant of the run offers them. */
function offeredIn({ spec, names }: TaskContext, question: Question): Question["tools"] {
  const { tools, finish } = question;
  if (tools === undefined || !isMeasured(question)) return tools;
  const ordered = toolOrder(spec)(tools, ({ name }) => name);
  return names?.tools(ordered, finish) ?? ordered;
}

const renamedText = (names: readonly (readonly [name: string, own: string])[]): string =>
  `Functions sent under a different name: ${names.map(([name, own]) => `${own} is ${name}`).join(", ")}`;

/**
 * Returns true if a request gets the run's system message. Measured roles get it, except when they reflect on their own
 * actions.
 */
const isMeasured = ({ role, stage, isOwn }: Question): boolean =>
  (role === "model" || role === "actor") && stage !== "reflect" && isOwn !== true;

/** Returns the messages with the run's system message before the benchmark's own; a benchmark may have an option of that name. */
export function withSystem(
  { spec, loaded }: Pick<TaskContext, "spec" | "loaded">,
  messages: readonly Message[],
): readonly Message[] {
  const text = String(spec.options[systemOption.name] ?? "");
  if (text === "" || loaded.suite.options.some(({ name }) => name === systemOption.name)) return messages;
  const [first, ...rest] = messages;
  return first?.role === "system"
    ? [{ ...first, content: `${text}\n\n${first.content}` }, ...rest]
    : [{ role: "system", content: text }, ...messages];
}

type Reply = Omit<Answered, "request" | "toolsInPrompt"> & { readonly adjusted: readonly Adjustment[] };

const noReply: Reply = { text: "", thinking: undefined, calls: [], finish: "", tokens: 0, adjusted: [] };

/** Returns the reply with the chunk added. */
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
  }
}

/** Notes for calls in another form than the protocol's. */
const readings: Readonly<Partial<Record<Adjustment, string>>> = {
  "calls-read-from-text": "The calls were read from the text of the reply",
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

/**
 * Merges the settings of the role with the strategy's own: texts such as `stop` are combined, otherwise the strategy's take
 * precedence.
 */
function settingsOf(spec: RunSpec, own: Question): Sampling {
  const sampling = samplingOf(spec, own.role);
  const settings = requestSettings.flatMap(({ name }) => {
    const [first, second] = [own[name], sampling[name]];
    const value =
      Array.isArray(first) && Array.isArray(second) ? [...new Set([...first, ...second])] : (first ?? second);
    return value === undefined ? [] : [[name, value]];
  });
  const format = responseFormat(spec, own.form, own.role);
  const isOwnFormat = own.role === "judge" && givesFormat(sampling.request ?? {});
  const request = { ...sampling.request, ...(isOwnFormat ? {} : format) };
  return {
    ...(Object.fromEntries(settings) as RequestSettings),
    ...(Object.keys(request).length === 0 ? {} : { request }),
  };
}

/** Number of tries until an environment can read the reply to its question (StableToolBench's simulator). */
export const mostTries = 3;

/**
 * Executes one call and returns its result. If the environment needs a model's answer for it (`Environment.consult`), first sends
 * this request and yields the conversation; then yields the `result` step. If a fork's log has the result, uses it and makes no
 * external call. `asked` is the request that contained the call, if others were sent since. Throws `Problem` if no reply to the
 * environment's request can be read.
 */
export async function* act(
  context: TaskContext,
  environment: Environment,
  call: ToolCall,
  asked?: number,
): AsyncGenerator<Step, ToolResult> {
  const consultation = environment.consult?.(call);
  let reply: string | undefined;
  for (let tries = 1; consultation !== undefined; tries++) {
    reply = (yield* ask(context, consultation)).text;
    if (consultation.readable?.(reply) ?? true) break;
    // The model that acts is not scored for what another one has written.
    if (tries === mostTries)
      throw new Problem(
        "tool",
        `The reply to stage \`${consultation.stage}\` cannot be read after ${mostTries} requests`,
      );
  }
  const isOutside = environment.isOutside?.(call) === true;
  const logged = context.logged?.of(call, isOutside);
  const made = logged !== undefined && isOutside ? undefined : await environment.call(call, context.signal, reply);
  const result = logged?.result ?? checkedResult(made!, call);
  const unmade = made === undefined || !isOutside ? 0 : (context.logged?.unmade() ?? 0);
  if (unmade > 0) yield { type: "note", kind: unmadeNote, text: unmadeText(unmade) };
  const saved = logged && { saved: logged.took };
  yield { type: "result", callId: call.id, name: call.name, result, ...(asked !== undefined && { asked }), ...saved };
  if (logged?.replaced === true)
    yield { type: "note", kind: replacedNote, text: "The fork set this result; the tool did not return it" };
  return result;
}

/** Kind of the note after a reply or result by which a fork has replaced the original. */
const replacedNote = "replaced";

const unmadeText = (calls: number) =>
  `${counted(calls, "earlier call")} of tool servers ${calls === 1 ? "was" : "were"} not repeated: a state that only these calls would have created is missing`;

/** Servers accept seeds of 31 bits without a sign. */
const seeds = 2 ** 31;

/**
 * Returns the seed of the `repetition`-th repetition of a request (0: the first time) in one task of a trial. The first request
 * of trial 1 sends the run's own seed, so that single runs send the same seed as in earlier versions; every other request sends a
 * seed derived from all three numbers, which is the same on every machine.
 */
export function requestSeed(seed: number, trial: number, repetition: number): number {
  if (trial === 1 && repetition === 0) return seed;
  return Math.floor(randomFrom(`seed ${seed}, trial ${trial}, repetition ${repetition}`)() * seeds);
}

/** Counts equal requests within one task. The requests must not be changed afterwards. */
export function requestRepetitions(): (request: unknown) => number {
  const counts = new Map<string, number>();
  let first: { readonly request: unknown } | undefined;
  return (request) => {
    // Most tasks ask once, and prompts are long, so the first request is not hashed until there is a second.
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

/** Kind of the note on a request that was sent again at temperature 0 and got the same reply. */
const sameReply = "same-reply";

/** Returns whether an equal request of the task already got an equal reply. The requests must not be changed afterwards. */
export function equalReplies(): NonNullable<TaskContext["again"]> {
  const replies = new Map<string, string>();
  let first: (() => readonly [string, string]) | undefined;
  return (model, { messages, tools = [] }, { text, calls }) => {
    const keys = () =>
      [
        keyOf([model, messages, tools]),
        keyOf([text, calls.map(({ name, text: written }) => [name, written])]),
      ] as const;
    // Most tasks ask once, and prompts are long, so the first request is not hashed until there is a second.
    if (first === undefined) {
      first = keys;
      return false;
    }
    if (replies.size === 0) replies.set(...first());
    const [request, reply] = keys();
    const isAgain = replies.get(request) === reply;
    replies.set(request, reply);
    return isAgain;
  };
}

/** A hash saves memory, because a task can send hundreds of long prompts. */
const keyOf = (request: unknown): string => hash("sha256", JSON.stringify(request), "base64");
