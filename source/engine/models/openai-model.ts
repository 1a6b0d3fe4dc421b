/** A model behind an endpoint, asked through the `openai` package; failures are met by our own retry policy. */
import type { OpenAI } from "openai";
import type { Endpoint } from "../settings/settings.ts";
import { tokensOf } from "../text/tokens.ts";
import type { RefusableSetting } from "../run-settings.ts";
import type { Chunk, ModelRequest } from "../types.ts";
import { adaptationFor, adapted, type Adaptation, leftOut } from "./dialect.ts";
import { identityHeader, identityOf } from "./builtin/identity.ts";
import type { Limiter, Permit } from "./limiter.ts";
import { pause } from "./pause.ts";
import { ModelProblem, withoutKey } from "./problem.ts";
import { requestBody } from "./request-body.ts";
import type { RequestFailure, RetryPolicy } from "./retry-policy.ts";
import { nextWait } from "./retry-policy.ts";
import { StreamedReply } from "./streamed-reply.ts";
import { estimateCalls, estimatePrompt } from "./token-estimate.ts";
import { IdleTimeout } from "./idle-timeout.ts";

/** One endpoint's connection: made once, used by all requests to it. */
export type Line = {
  readonly endpoint: Endpoint;
  readonly client: OpenAI;
  readonly key: string | undefined;
  readonly limiter: Limiter;
  readonly policy: RetryPolicy;
  /** Reads an error of the client; undefined for a bug. */
  requestFailureOf(error: unknown): RequestFailure | undefined;
};

/**
 * Streams one reply, trying again as the policy says; every failed attempt is told as a `retry` chunk. Throws
 * `ModelProblem` when it gives up, and the signal's reason when aborted.
 */
export async function* streamReply(
  connecting: Promise<Line>,
  model: string,
  request: ModelRequest,
): AsyncGenerator<Chunk> {
  const line = await connecting;
  const { signal } = request;
  const { endpoint, limiter } = line;
  const learnt = adaptationsOf(line, model);
  /** Learnt for good once a reply comes: the words of a refusal may mention a setting in passing. */
  const tried = new Set<Adaptation>();
  const headers = endpoint.identify ? { [identityHeader]: identityOf(request.asker) } : {};
  const expected = limiter.countsTokens ? estimatePrompt(request.messages) + (request.maxTokens ?? 0) : 0;
  let busy = 0;
  for (let attempt = 1; ; attempt++) {
    const body = adapted(requestBody(model, request), learnt.union(tried));
    const permit = await limiter.acquire(signal, expected, attempt > 1);
    const watch = new IdleTimeout(signal, endpoint.idleTimeout * 1000);
    const reply = new StreamedReply();
    let failure: RequestFailure | undefined;
    let finished = false;
    try {
      const stream = await line.client.chat.completions.create(body, { signal: watch.signal, headers });
      for await (const chunk of stream) {
        watch.heard();
        const text = reply.take(chunk);
        if (text !== "") yield { type: "text", text };
      }
      finished = true;
    } catch (error) {
      signal.throwIfAborted();
      // A connection that breaks after the last word does no harm.
      if (reply.finish === undefined && !watch.silent) {
        failure = line.requestFailureOf(error);
        if (failure === undefined) throw error;
      }
    } finally {
      watch.close(finished);
      if (failure?.kind === "busy") limiter.tooMuch(permit);
      permit.release();
    }
    signal.throwIfAborted();
    failure ??= unfinished(reply, watch, endpoint);
    if (failure === undefined) {
      for (const adaptation of tried) learnt.add(adaptation);
      yield* ending(reply, request, permit, leftOut(request, body));
      limiter.succeeded();
      return;
    }
    const adaptation = failure.kind === "refused" ? adaptationFor(failure.error, body) : undefined;
    if (adaptation !== undefined) {
      tried.add(adaptation);
      yield { type: "retry", attempt, status: failure.status, error: withoutKey(failure.error, line.key), wait: 0 };
      continue;
    }
    if (failure.kind === "busy") busy += 1;
    const next = nextWait(line.policy, failure, { attempt, busy });
    const error = withoutKey(failure.error, line.key);
    if ("enough" in next)
      throw new ModelProblem(failed(endpoint, failure, error, next.enough), {
        status: failure.status,
        attempts: attempt,
      });
    yield { type: "retry", attempt, status: failure.status, error, wait: next.wait };
    await pause(next.wait, signal);
  }
}

const learntBy = new WeakMap<Line, Map<string, Set<Adaptation>>>();

function adaptationsOf(line: Line, model: string): Set<Adaptation> {
  const models = learntBy.get(line) ?? new Map<string, Set<Adaptation>>();
  learntBy.set(line, models);
  const learnt = models.get(model) ?? new Set<Adaptation>();
  models.set(model, learnt);
  return learnt;
}

/** Why a stream that ended without an error is still no reply. A reply whose end was said is whole, even cut after it. */
function unfinished(reply: StreamedReply, watch: IdleTimeout, endpoint: Endpoint): RequestFailure | undefined {
  if (reply.finish !== undefined) return undefined;
  if (watch.silent)
    return { kind: "broken", status: undefined, error: `silent for ${endpoint.idleTimeout} seconds, so it was cut` };
  return { kind: "broken", status: undefined, error: "the stream ended before the reply was finished" };
}

function* ending(
  reply: StreamedReply,
  request: ModelRequest,
  permit: Permit,
  without: readonly RefusableSetting[],
): Generator<Chunk> {
  const calls = reply.calls();
  for (const call of calls) yield { type: "call", call };
  const usage = reply.usage ?? {
    input: estimatePrompt(request.messages),
    output: tokensOf(reply.text) + estimateCalls(calls),
  };
  permit.spent(usage.input + usage.output);
  yield { type: "usage", input: usage.input, output: usage.output, estimated: reply.usage === undefined };
  yield { type: "finish", reason: reply.finish ?? "", ...(without.length === 0 ? {} : { without }) };
}

function failed(endpoint: Endpoint, failure: RequestFailure, error: string, enough: string): string {
  const where =
    endpoint.name === "builtin" ? "The built-in model" : `Endpoint \`${endpoint.name}\` (${endpoint.baseUrl})`;
  const did = failure.status === undefined ? "failed" : "answered";
  return `${where} ${did}${enough === "" ? "" : ` ${enough}`}: ${error}`;
}
