/** One attempt at a request to a model: the request is sent once, and its answer is read. */
import { counted } from "../text/counted.ts";
import { joined } from "../text/joined-text.ts";
import { tokensOf } from "../text/tokens.ts";
import type { Chunk, ModelRequest, TokenUsage } from "../types.ts";
import { identityHeader, identityOf } from "./builtin/identity.ts";
import type { Connection } from "./connection.ts";
import type { Tried } from "./limits/attempts.ts";
import type { RequestFailure } from "./limits/retry-policy.ts";
import { estimatePrompt } from "./limits/token-estimate.ts";
import { IdleTimeout } from "./network/idle-timeout.ts";
import { readReply, type ReplyBody } from "./network/reply-body.ts";
import type { Adaptation, Body } from "./protocols/adaptation.ts";
import type { WireProtocol } from "./protocols/protocol.ts";
import { AnswerText } from "./replies/answer-text.ts";
import { StreamedReply } from "./replies/streamed-reply.ts";

/** The form of a request in an attempt. */
export type Worded = {
  readonly protocol: WireProtocol;
  readonly adaptations: ReadonlySet<Adaptation>;
  /** The request as chat completions, and in the form in which it was sent. */
  readonly chat: Body;
  readonly sent: object;
};

/** The outcome of an attempt. */
export type Replied = Tried & { readonly reply: StreamedReply; readonly answer: AnswerText };

/** Streams one attempt. Throws the signal's reason when aborted, and bugs. */
export async function* attempt(
  { endpoint, client, clock, outage, requestFailureOf }: Connection,
  request: ModelRequest,
  { protocol, adaptations, sent }: Worded,
): AsyncGenerator<Chunk, Replied> {
  const { signal } = request;
  const idleTimeout = new IdleTimeout(signal, endpoint.idleTimeout * 1000, clock);
  const reply = new StreamedReply();
  const answer = new AnswerText(request, adaptations);
  const read = protocol.read(sent);
  let received: ReplyBody | undefined;
  let failure: RequestFailure | undefined;
  let finished = false;
  let rest: Promise<void> | undefined;
  try {
    const headers = endpoint.identify ? { [identityHeader]: identityOf(request.asker) } : {};
    // Only the idle timeout determines how long to wait.
    const response = await protocol.send(client, sent, { signal: idleTimeout.signal, headers, timeout: Infinity });
    outage.answered();
    received = await readReply(response, () => idleTimeout.restart());
    for await (const values of received.pieces) {
      for (const chunk of joined(answered(values, read, reply, answer))) yield chunk;
      if (answer.stopped) break;
    }
    yield* answer.take(reply.end());
    finished = !answer.stopped;
  } catch (error) {
    signal.throwIfAborted();
    // A connection that breaks after the finish reason does no harm.
    if (reply.finish === undefined && !answer.stopped && !idleTimeout.expired) {
      failure = requestFailureOf(error);
      if (failure === undefined) throw error;
    }
  } finally {
    rest = idleTimeout.close(finished, received?.rest);
  }
  signal.throwIfAborted();
  // With a finish reason a reply is complete, even if cut after it; without a finish reason, if the server reports it otherwise.
  const complete = reply.finish !== undefined || answer.stopped || received?.complete() === true;
  failure ??= complete ? cutThinking(reply, answer, request) : unfinished(idleTimeout.expired, endpoint.idleTimeout);
  if (failure?.status !== undefined && failure.away !== true) outage.answered();
  return { reply, answer, rest, failure, usage: failedUsage(reply, request) };
}

/** Yields the chunks of the answer from these values of a stream. */
function* answered(
  values: Iterable<unknown>,
  read: ReturnType<WireProtocol["read"]>,
  reply: StreamedReply,
  answer: AnswerText,
): Generator<Chunk> {
  for (const value of values) {
    for (const chunk of read(value)) yield* answer.take(reply.take(chunk));
    if (answer.stopped) return;
  }
}

/** Returns why a stream that ended without an error is still incomplete. */
function unfinished(isIdle: boolean, seconds: number): RequestFailure {
  const idle = `idle timeout after ${counted(seconds, "second")} (change it with \`planwright endpoint add --silence\`)`;
  const error = isIdle ? idle : "the stream ended before the reply was finished";
  return { kind: "broken", status: undefined, error };
}

/** Returns true if the server applied a stop string of the answer to the thinking, so that the reply ended before an answer. */
function cutThinking(
  reply: StreamedReply,
  answer: AnswerText,
  { stop = [] }: ModelRequest,
): RequestFailure | undefined {
  if (answer.stopsHere || stop.length === 0) return undefined;
  if (reply.finish !== undefined && reply.finish !== "stop") return undefined;
  const thought = reply.thinks || reply.thinking !== "";
  if (!thought || reply.text.trim() !== "" || reply.calls().length > 0) return undefined;
  const error = "a stop string ended the thinking: Planwright now applies the stop strings itself";
  return { kind: "broken", status: undefined, error, without: "stop-here" };
}

/** Returns the usage of a failed attempt; undefined if it received no data. */
function failedUsage(reply: StreamedReply, { messages }: ModelRequest): TokenUsage | undefined {
  if (reply.usage !== undefined) return { ...reply.usage, estimated: false };
  const output = tokensOf(reply.text) + tokensOf(reply.thinking);
  return output === 0 ? undefined : { input: estimatePrompt(messages), output, estimated: true };
}
