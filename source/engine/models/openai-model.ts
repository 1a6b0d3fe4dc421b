/** A model behind an endpoint, requested through the `openai` package, with our own retry policy. */
import type { OpenAI } from "openai";
import type { Endpoint } from "../settings/settings.ts";
import { tokensOf } from "../text/tokens.ts";
import { type LeftOut, refusableFields } from "../run-settings.ts";
import type { Chunk, ModelRequest } from "../types.ts";
import { adaptationFor, adapted, leftOut } from "./dialect.ts";
import { identityHeader, identityOf } from "./builtin/identity.ts";
import type { Limiter, Permit } from "./limiter.ts";
import { defaultOutageTimeout, type Outage, timeInWords } from "./outage.ts";
import { pause } from "./pause.ts";
import { ContextProblem, ModelProblem, OutageProblem, withoutKeys } from "./problem.ts";
import { isTooLong } from "./context-length.ts";
import { requestBody } from "./request-body.ts";
import type { RequestFailure, RetryPolicy } from "./retry-policy.ts";
import { nextWait, outageWait } from "./retry-policy.ts";
import { StopCut } from "./stop-cut.ts";
import { StreamedReply } from "./streamed-reply.ts";
import { estimateCalls, estimatePrompt } from "./token-estimate.ts";
import type { Clock } from "../work/clock.ts";
import { IdleTimeout } from "./idle-timeout.ts";

/** An endpoint's connection, shared by all requests to it. */
export type Connection = {
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
  const tried = new Set<LeftOut>();
  const headers = endpoint.identify ? { [identityHeader]: identityOf(request.asker) } : {};
  const expected = limiter.countsTokens ? estimatePrompt(request.messages) + (request.maxTokens ?? 0) : 0;
  let busy = 0;
  /** Attempts that an outage failed: they are counted by time. */
  let away = 0;
  let answersBefore: number | undefined;
  for (let attempt = 1; ; attempt++) {
    const without = known.union(tried);
    const body = adapted(requestBody(model, request), without);
    const cut = without.has("stop") ? new StopCut(request.stop ?? []) : undefined;
    const permit = await limiter.acquire(signal, expected, attempt > 1);
    const idleTimeout = new IdleTimeout(signal, endpoint.idleTimeout * 1000, connection.clock);
    const reply = new StreamedReply();
    let failure: RequestFailure | undefined;
    let finished = false;
    try {
      const stream = await connection.client.chat.completions.create(body, { signal: idleTimeout.signal, headers });
      outage.answered();
      for await (const chunk of stream) {
        idleTimeout.restart();
        const text = cut === undefined ? reply.take(chunk) : cut.take(reply.take(chunk));
        if (text !== "") yield { type: "text", text };
        if (cut?.met !== true) continue;
        reply.finish ??= "stop";
        break;
      }
      const rest = cut?.end() ?? "";
      if (rest !== "") yield { type: "text", text: rest };
      finished = true;
    } catch (error) {
      signal.throwIfAborted();
      // A connection that breaks after the finish reason does no harm.
      if (reply.finish === undefined && !idleTimeout.expired) {
        failure = connection.requestFailureOf(error);
        if (failure === undefined) throw error;
      }
    } finally {
      idleTimeout.close(finished);
      if (failure?.kind === "busy") limiter.overloaded(permit);
      permit.release();
    }
    signal.throwIfAborted();
    failure ??= unfinished(reply, idleTimeout, endpoint);
    if (failure?.status !== undefined && failure.away !== true) outage.answered();
    if (failure === undefined) {
      for (const adaptation of tried) known.add(adaptation);
      yield* ending(reply, request, permit, leftOut(request, without));
      limiter.succeeded();
      return;
    }
    const adaptation = failure.kind === "refused" ? adaptationFor(failure.error, failure.field, body) : undefined;
    if (adaptation !== undefined) {
      tried.add(adaptation);
      yield {
        type: "retry",
        attempt,
        status: failure.status,
        error: withoutKeys(failure.error, connection.secrets),
        wait: 0,
      };
      continue;
    }
    const error = withoutKeys(failure.error, connection.secrets);
    const left = failure.away === true ? outage.failed(error) : undefined;
    // Where others are answered meanwhile, the endpoint is there, and only this request fails.
    if (left !== undefined && (answersBefore ?? outage.answers) === outage.answers) {
      answersBefore = outage.answers;
      away += 1;
      if (left === 0) throw new OutageProblem(stayedAway(endpoint, error));
      const wait = outageWait(connection.policy, failure, { asked: away, left });
      yield { type: "retry", attempt, status: failure.status, error, wait };
      await pause(wait, signal, connection.clock);
      continue;
    }
    answersBefore = outage.answers;
    if (failure.kind === "busy") busy += 1;
    const next = nextWait(connection.policy, failure, { attempt: attempt - away, busy });
    if (isTooLong(failure)) throw new ContextProblem(failed(endpoint, failure, error, ""));
    if ("giveUp" in next)
      throw new ModelProblem(failed(endpoint, failure, error, next.giveUp), {
        status: failure.status,
        attempts: attempt,
      });
    yield { type: "retry", attempt, status: failure.status, error, wait: next.wait };
    await pause(next.wait, signal, connection.clock);
  }
}

const adaptationsByConnection = new WeakMap<Connection, Map<string, Set<LeftOut>>>();

function adaptationsOf(connection: Connection, model: string): Set<LeftOut> {
  const models = adaptationsByConnection.get(connection) ?? new Map<string, Set<LeftOut>>();
  adaptationsByConnection.set(connection, models);
  const refused = (connection.endpoint.refuses ?? []).flatMap((field) => refusableFields.get(field) ?? []);
  const known = models.get(model) ?? new Set<LeftOut>(refused);
  models.set(model, known);
  return known;
}

/** Why a stream that ended without an error is still incomplete. With a finish reason it is complete, even if cut after it. */
function unfinished(reply: StreamedReply, idleTimeout: IdleTimeout, endpoint: Endpoint): RequestFailure | undefined {
  if (reply.finish !== undefined) return undefined;
  if (idleTimeout.expired)
    return { kind: "broken", status: undefined, error: `idle timeout after ${endpoint.idleTimeout} seconds` };
  return { kind: "broken", status: undefined, error: "the stream ended before the reply was finished" };
}

function* ending(
  reply: StreamedReply,
  request: ModelRequest,
  permit: Permit,
  without: readonly LeftOut[],
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

function failed(endpoint: Endpoint, failure: RequestFailure, error: string, giveUp: string): string {
  const where =
    endpoint.name === "builtin" ? "The built-in model" : `Endpoint \`${endpoint.name}\` (${endpoint.baseUrl})`;
  const did = failure.status === undefined ? "failed" : "answered";
  return `${where} ${did}${giveUp === "" ? "" : ` ${giveUp}`}: ${error}`;
}

function stayedAway({ name, baseUrl, outageTimeout = defaultOutageTimeout }: Endpoint, error: string): string {
  return `Endpoint \`${name}\` (${baseUrl}) has not answered for ${timeInWords(outageTimeout * 1000)}: ${error}`;
}
