/** A model behind an endpoint, requested through the `openai` package, with our own retry policy. */
import type { OpenAI } from "openai";
import type { Endpoint } from "../settings/settings.ts";
import { joined } from "../text/joined-text.ts";
import { tokensOf } from "../text/tokens.ts";
import { refusableFields } from "../run-settings.ts";
import type { Adjustment, Chunk, ModelRequest, TokenUsage } from "../types.ts";
import { AnswerText } from "./replies/answer-text.ts";
import {
  adaptationFor,
  adapted,
  type Adaptation,
  type Body,
  leftOut,
  asksForResponses,
  notInResponses,
  refusesThinking,
  refusesTools,
} from "./protocols/adaptation.ts";
import { identityHeader, identityOf } from "./builtin/identity.ts";
import type { Limiter, Permit } from "./limits/limiter.ts";
import { receptionOf } from "./limits/overload.ts";
import { pause } from "./limits/pause.ts";
import { ContextProblem, ModelProblem, OutageProblem, withoutKeys } from "./problem.ts";
import { isTooLong } from "./limits/context-length.ts";
import { defaultOutageTimeout, type Outage, timeInWords } from "./limits/outage.ts";
import { readReply, type ReplyBody } from "./network/reply-body.ts";
import { requestBody, type Wording } from "./protocols/chat/chat-body.ts";
import type { RequestFailure, RetryPolicy } from "./limits/retry-policy.ts";
import { nextWait, outageWait } from "./limits/retry-policy.ts";
import { ResponseEvents } from "./protocols/responses/response-events.ts";
import { responsesBody } from "./protocols/responses/responses-body.ts";
import { StreamedReply } from "./replies/streamed-reply.ts";
import { estimateCalls, estimatePrompt } from "./limits/token-estimate.ts";
import type { Clock } from "../work/clock.ts";
import { IdleTimeout } from "./network/idle-timeout.ts";
import { counted } from "../text/counted.ts";

/** An endpoint's connection, shared by all requests to it. */
export type Connection = {
  /** What was learnt of the server, by model. */
  readonly adaptations: Map<string, Set<Adaptation>>;
  readonly endpoint: Endpoint;
  readonly client: OpenAI;
  /** Removed from all that is shown or kept. */
  readonly secrets: readonly string[];
  readonly limiter: Limiter;
  readonly outage: Outage;
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  /** Classifies an error of the client; undefined for a bug. */
  requestFailureOf(error: unknown): RequestFailure | undefined;
};

/**
 * Streams one reply, with retries according to the policy; every failed attempt is reported as a `retry` chunk. Throws
 * `ModelProblem` when it gives up, `OutageProblem` when an endpoint that had answered stayed away for too long, and the
 * signal's reason when aborted.
 */
export async function* streamReply(
  connecting: Promise<Connection>,
  model: string,
  request: ModelRequest,
): AsyncGenerator<Chunk> {
  const connection = await connecting;
  const { signal } = request;
  const { endpoint, limiter, outage } = connection;
  const known = adaptationsOf(connection, model);
  /** Remembered only after a reply: an error message may mention a setting by chance. */
  const tried = new Set<Adaptation>();
  const headers = endpoint.identify ? { [identityHeader]: identityOf(request.asker) } : {};
  const expected = limiter.countsTokens ? estimatePrompt(request.messages) + (request.maxTokens ?? 0) : 0;
  let busy = 0;
  /** Attempts that an outage failed: they are counted by time. */
  let away = 0;
  let answersBefore: number | undefined;
  for (let attempt = 1; ; attempt++) {
    const learnt = known.union(tried);
    const adaptations = learnt.has("responses") ? learnt.union(new Set(notInResponses)) : learnt;
    const wording = wordingFor(request, adaptations);
    const body = adapted(requestBody(model, request, wording), adaptations);
    const byResponses = adaptations.has("responses") ? responsesBody(body, adaptations) : undefined;
    const events = byResponses && new ResponseEvents(byResponses.max_output_tokens ?? undefined);
    request.waits?.(true);
    const permit = await limiter.acquire(signal, expected, attempt > 1);
    request.waits?.(false);
    const idleTimeout = new IdleTimeout(signal, endpoint.idleTimeout * 1000, connection.clock);
    const reply = new StreamedReply();
    const answer = new AnswerText(request, adaptations);
    let received: ReplyBody | undefined;
    let failure: RequestFailure | undefined;
    let finished = false;
    try {
      const { chat, responses } = connection.client;
      // How long to wait is the idle timeout's matter alone.
      const options = { signal: idleTimeout.signal, headers, timeout: Infinity };
      const asked = byResponses ? responses.create(byResponses, options) : chat.completions.create(body, options);
      const response = await asked.asResponse();
      outage.answered();
      received = await readReply(response, () => idleTimeout.restart());
      for await (const values of received.pieces) {
        for (const chunk of joined(answered(values, events, reply, answer))) yield chunk;
        if (answer.stopped) break;
      }
      yield* answer.take(reply.end());
      finished = !answer.stopped;
    } catch (error) {
      signal.throwIfAborted();
      // A connection that breaks after the finish reason does no harm.
      if (reply.finish === undefined && !answer.stopped && !idleTimeout.expired) {
        failure = connection.requestFailureOf(error);
        if (failure === undefined) throw error;
      }
    } finally {
      const rest = idleTimeout.close(finished, received?.rest);
      const reception = signal.aborted ? undefined : receptionOf(failure);
      // Until its answer has ended, the server counts a request as one that it has taken.
      if (rest === undefined) permit.release(reception);
      else void rest.then(() => permit.release(reception));
    }
    signal.throwIfAborted();
    if (failure === undefined && !isComplete(reply, received, answer)) failure = unfinished(idleTimeout, endpoint);
    if (failure?.status !== undefined && failure.away !== true) outage.answered();
    const adaptation =
      failure === undefined
        ? stopsCutThinking(request, body, reply)
        : (wantsResponses(failure, endpoint, adaptations) ??
          adaptationAfter(failure, request, { body, sent: byResponses ?? body }, wording));
    if (failure === undefined && adaptation === undefined) {
      for (const each of tried) known.add(each);
      yield* answer.end(reply.calls().length === 0);
      const finish = finishOf(model, reply, answer, adjustments(request, adaptations, body));
      const without = leftOut(request, adaptations);
      yield* ending(reply, request, permit, answer, { ...finish, ...(without.length === 0 ? {} : { without }) });
      return;
    }
    const usage = failedUsage(reply, request);
    const spent = usage === undefined ? {} : { usage };
    if (adaptation !== undefined) {
      tried.add(adaptation);
      const words =
        failure?.error ?? "the stop strings were met while the model was thinking: they are applied here instead";
      const error = withoutKeys(words, connection.secrets);
      yield { type: "retry", attempt, status: failure?.status, error, wait: 0, ...spent };
      continue;
    }
    if (failure === undefined) return;
    const error = withoutKeys(failure.error, connection.secrets);
    const left = failure.away === true ? outage.failed(error) : undefined;
    // Where others are answered meanwhile, the endpoint is there, and only this request fails.
    if (left !== undefined && (answersBefore ?? outage.answers) === outage.answers) {
      answersBefore = outage.answers;
      away += 1;
      if (left === 0) throw new OutageProblem(stayedAway(endpoint, error));
      const wait = outageWait(connection.policy, failure, { asked: away, left });
      yield { type: "retry", attempt, status: failure.status, error, wait, ...spent };
      await pause(wait, signal, connection.clock);
      continue;
    }
    answersBefore = outage.answers;
    if (failure.kind === "busy") busy += 1;
    const next = nextWait(connection.policy, failure, { attempt: attempt - away, busy });
    if (isTooLong(failure)) throw new ContextProblem(failed(endpoint, failure, error, ""));
    if ("giveUp" in next)
      throw new ModelProblem(`${failed(endpoint, failure, error, next.giveUp)}${hint(failure, request, endpoint)}`, {
        status: failure.status,
        attempts: attempt,
        hopeless: failure.hopeless === true,
      });
    yield { type: "retry", attempt, status: failure.status, error, wait: next.wait, ...spent };
    await pause(next.wait, signal, connection.clock);
  }
}

/** What these values of a stream are as chunks of the answer. */
function* answered(
  values: Iterable<unknown>,
  events: ResponseEvents | undefined,
  reply: StreamedReply,
  answer: AnswerText,
): Generator<Chunk> {
  for (const value of values) {
    for (const chunk of events?.chunks(value) ?? [value]) yield* answer.take(reply.take(chunk));
    if (answer.stopped) return;
  }
}

function adaptationsOf(connection: Connection, model: string): Set<Adaptation> {
  const refused = (connection.endpoint.refuses ?? []).flatMap((field) => refusableFields.get(field) ?? []);
  const known = connection.adaptations.get(model) ?? new Set<Adaptation>(refused);
  if (connection.endpoint.api === "responses") known.add("responses");
  connection.adaptations.set(model, known);
  return known;
}

/** With a finish reason a reply is complete, even if cut after it; without one where the server says so otherwise. */
function isComplete(reply: StreamedReply, received: ReplyBody | undefined, answer: AnswerText): boolean {
  return reply.finish !== undefined || answer.stopped || received?.complete() === true;
}

/** Why a stream that ended without an error is still incomplete. */
function unfinished(idleTimeout: IdleTimeout, endpoint: Endpoint): RequestFailure {
  const idle = `idle timeout after ${counted(endpoint.idleTimeout, "second")} (\`--silence\` of \`planwright endpoint add\` sets it)`;
  const error = idleTimeout.expired ? idle : "the stream ended before the reply was finished";
  return { kind: "broken", status: undefined, error };
}

/** How a request is worded for a server of which this is known. */
export function wordingFor({ asker: { spec } }: ModelRequest, adaptations: ReadonlySet<Adaptation>): Wording {
  const { reasoning = "auto", tools = "native" } = spec;
  const auto = adaptations.has("no-thinking-back") ? "none" : "calls";
  return {
    tools: tools === "auto" && adaptations.has("tools-in-prompt") ? "in-prompt" : tools === "text" ? "none" : "native",
    thinking: reasoning === "keep" ? "all" : reasoning === "drop" ? "none" : auto,
    items: adaptations.has("responses"),
  };
}

/** Whether `api: auto` is to try the other protocol: the server says so, or has nothing there, whatever the model. */
function wantsResponses(
  { kind, status, error }: RequestFailure,
  { api }: Endpoint,
  adaptations: ReadonlySet<Adaptation>,
): Adaptation | undefined {
  if (api !== "auto" || kind !== "refused" || adaptations.has("responses")) return undefined;
  const nothingThere = (status === 404 || status === 405) && !/model/i.test(error);
  return nothingThere || asksForResponses(error) ? "responses" : undefined;
}

function adaptationAfter(
  failure: RequestFailure,
  request: ModelRequest,
  { body, sent }: { readonly body: Body; readonly sent: object },
  wording: Wording,
): Adaptation | undefined {
  const { reasoning = "auto", tools = "native" } = request.asker.spec;
  if (failure.kind === "busy" || failure.status === undefined) return undefined;
  if (tools === "auto" && body.tools !== undefined && refusesTools(failure.error)) return "tools-in-prompt";
  if (failure.kind !== "refused") return undefined;
  if (reasoning === "auto" && wording.thinking !== "none" && handsBack(body) && refusesThinking(failure.error))
    return "no-thinking-back";
  return adaptationFor(failure.error, failure.field, body, sent);
}

/** Whether the server cut the thinking at a stop string of the answer: it stopped before there was one. */
function stopsCutThinking(request: ModelRequest, body: Body, reply: StreamedReply): Adaptation | undefined {
  if (body.stop === undefined || (request.stop ?? []).length === 0) return undefined;
  if (reply.finish !== undefined && reply.finish !== "stop") return undefined;
  const thought = reply.thinks || reply.thinking !== "";
  return thought && reply.text.trim() === "" && reply.calls().length === 0 ? "stop-here" : undefined;
}

function handsBack({ messages }: Body): boolean {
  return messages.some(
    (message) =>
      "reasoning_content" in message ||
      "reasoning_items" in message ||
      "reasoning" in message ||
      (message.role === "assistant" && message.tool_calls?.some((call) => "extra_content" in call) === true),
  );
}

function adjustments(request: ModelRequest, adaptations: ReadonlySet<Adaptation>, body: Body): readonly Adjustment[] {
  const made: Adjustment[] = [];
  if (adaptations.has("responses")) made.push("asked-by-responses");
  if (adaptations.has("stop-here") && (request.stop ?? []).length > 0) made.push("stop-applied-here");
  if ((request.tools ?? []).length > 0 && body.tools === undefined) made.push("tools-in-prompt");
  if (handsBack(body)) made.push("thinking-handed-back");
  else if (adaptations.has("no-thinking-back")) made.push("thinking-not-taken-back");
  return made;
}

function finishOf(
  asked: string,
  reply: StreamedReply,
  answer: AnswerText,
  adjusted: readonly Adjustment[],
): Omit<Extract<Chunk, { type: "finish" }>, "type"> {
  const { model, fingerprint } = reply;
  const all = [...adjusted, ...reply.adjusted, ...(answer.calls.length > 0 ? (["calls-read-from-text"] as const) : [])];
  return {
    reason: reply.refused ? "refusal" : (reply.finish ?? (answer.stopped ? "stop" : "")),
    ...(model === undefined || model === asked ? {} : { model }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(all.length === 0 ? {} : { adjusted: all }),
  };
}

/** What a failed attempt took; undefined where nothing came of it. */
function failedUsage(reply: StreamedReply, { messages }: ModelRequest): TokenUsage | undefined {
  if (reply.usage !== undefined) return { ...reply.usage, estimated: false };
  const output = tokensOf(reply.text) + tokensOf(reply.thinking);
  return output === 0 ? undefined : { input: estimatePrompt(messages), output, estimated: true };
}

function ending(
  reply: StreamedReply,
  request: ModelRequest,
  permit: Permit,
  answer: AnswerText,
  finish: Omit<Extract<Chunk, { type: "finish" }>, "type">,
): readonly Chunk[] {
  const calls = [...reply.calls(), ...answer.calls];
  const usage = reply.usage ?? {
    input: estimatePrompt(request.messages),
    output: tokensOf(answer.text) + tokensOf(reply.thinking) + estimateCalls(calls),
    ...(reply.thinking === "" ? {} : { reasoning: tokensOf(reply.thinking) }),
  };
  permit.spent(usage.input + usage.output);
  return [
    ...calls.map((call) => ({ type: "call", call }) as const),
    { type: "usage", ...usage, estimated: reply.usage === undefined },
    { type: "finish", ...finish },
  ];
}

/** What a researcher can do about a refusal. */
function hint({ error }: RequestFailure, { asker, tools = [] }: ModelRequest, { api = "chat" }: Endpoint): string {
  if (api === "chat" && asksForResponses(error))
    return ". With `--api responses` of `planwright endpoint add` it is asked so";
  if (tools.length === 0 || (asker.spec.tools ?? "native") !== "native" || !refusesTools(error)) return "";
  return ". With `tools: auto` in the run cell they are put into the prompt";
}

function failed(endpoint: Endpoint, failure: RequestFailure, error: string, giveUp: string): string {
  const where =
    endpoint.name === "builtin" ? "The built-in model" : `Endpoint \`${endpoint.name}\` (${endpoint.baseUrl})`;
  const did = failure.status === undefined ? "failed" : "answered";
  return `${where} ${did}${giveUp === "" ? "" : ` ${giveUp}`}: ${error}`;
}

function stayedAway({ name, baseUrl, outageTimeout = defaultOutageTimeout }: Endpoint, error: string): string {
  return `Endpoint \`${name}\` (${baseUrl}) has not answered for ${timeInWords(outageTimeout * 1000)}: ${error}`;
}
