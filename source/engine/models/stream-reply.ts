/** Streams a reply of a model: one attempt at a request, with limits, adaptation to the server, outages and retries. */
import { type Adjustment, refusableFields } from "../run-settings.ts";
import type { Endpoint } from "../settings/settings.ts";
import { tokensOf } from "../text/tokens.ts";
import type { Chunk, ModelRequest, ToolCall } from "../types.ts";
import { attempt, type Replied, type Worded } from "./attempt.ts";
import type { Connection } from "./connection.ts";
import { again, type Tries, limited, outlasting, retrying } from "./limits/attempts.ts";
import { isTooLong, type RequestFailure } from "./limits/retry-policy.ts";
import { estimateCalls, estimatePrompt } from "./limits/token-estimate.ts";
import { ContextProblem, ModelProblem, withoutKeys } from "./problem.ts";
import { type Adaptation, asksForResponses, handsBack, leftOut, refusesTools } from "./protocols/adaptation.ts";
import { requestBody } from "./protocols/chat/chat.ts";
import { protocolOf } from "./protocols/protocols.ts";

/**
 * Streams one reply, with retries according to the policy; every failed attempt is reported as a `retry` chunk. Throws
 * `ModelProblem` if it gives up, `OutageProblem` if an endpoint that had answered was unreachable for too long, and the signal's
 * reason if it is aborted.
 */
export async function* streamReply(
  connecting: Promise<Connection>,
  model: string,
  request: ModelRequest,
): AsyncGenerator<Chunk> {
  const connection = await connecting;
  const { signal, waits } = request;
  const tokens = () => estimatePrompt(request.messages) + (request.maxTokens ?? 0);
  const expected = connection.limiter.countsTokens ? tokens() : 0;
  const tries: Tries = { connection, signal, expected, waits, attempts: 0, away: 0 };
  const tried = new Set<Adaptation>();
  const once = (worded: Worded) => limited(tries, () => attempt(connection, request, worded));
  const replied = yield* retrying(
    tries,
    (failure, giveUp) => problemOf(tries, request, failure, giveUp),
    () => outlasting(tries, () => adapting(tries, { model, request, tried }, once)),
  );
  yield* replied.answer.end(replied.reply.calls().length === 0);
  const { usage, chunks } = ending(replied, model, request);
  replied.spent(usage.input + usage.output);
  yield* chunks;
}

/** Retries at once without fields that the server refuses. Adaptations are remembered for later requests. */
async function* adapting<T extends Replied>(
  tries: Tries,
  given: {
    readonly model: string;
    readonly request: ModelRequest;
    /**
     * Adaptations tried for this request. They are remembered only after a successful reply, because an error message may
     * mention a setting by chance.
     */
    readonly tried: Set<Adaptation>;
  },
  once: (worded: Worded) => AsyncGenerator<Chunk, T>,
): AsyncGenerator<Chunk, T & { readonly worded: Worded }> {
  const { endpoint, adaptations } = tries.connection;
  const { model, request, tried } = given;
  const refused = (endpoint.refuses ?? []).flatMap((field) => refusableFields.get(field) ?? []);
  const known = adaptations.get(model) ?? new Set<Adaptation>(refused);
  adaptations.set(model, known);
  for (;;) {
    const worded = wordedFor(model, request, endpoint, known.union(tried));
    const replied = yield* once(worded);
    const { failure } = replied;
    if (failure === undefined) for (const each of tried) known.add(each);
    const next = failure && (failure.without ?? worded.protocol.refusal({ failure, request, endpoint, ...worded }));
    if (next === undefined || worded.adaptations.has(next)) return { ...replied, worded };
    tried.add(next);
    yield* again(tries, replied, 0);
  }
}

function wordedFor(model: string, request: ModelRequest, endpoint: Endpoint, learnt: ReadonlySet<Adaptation>): Worded {
  const protocol = protocolOf(endpoint, learnt);
  const adaptations = learnt.union(new Set(protocol.lacks(request)));
  const chat = requestBody(model, request, adaptations, protocol.thinkingAsItems);
  return { protocol, adaptations, chat, sent: protocol.body(chat, adaptations) };
}

/** Ends a reply with its calls, its usage, its finish reason and the adaptations to the server. */
function ending(
  { reply, answer, worded }: Replied & { readonly worded: Worded },
  asked: string,
  request: ModelRequest,
) {
  const calls = [...reply.calls(), ...answer.calls];
  const usage = reply.usage ?? {
    input: estimatePrompt(request.messages),
    output: tokensOf(answer.text) + tokensOf(reply.thinking) + estimateCalls(calls),
    ...(reply.thinking === "" ? {} : { reasoning: tokensOf(reply.thinking) }),
  };
  const { model, fingerprint } = reply;
  const adjusted = [
    ...adjustments(request, worded),
    ...reply.adjusted,
    ...(answer.calls.length > 0 ? (["calls-read-from-text"] as const) : []),
  ];
  const without = leftOut(request, worded.adaptations);
  const chunks: readonly Chunk[] = [
    ...calls.map((call) => ({ type: "call", call }) as const),
    { type: "usage", ...usage, estimated: reply.usage === undefined },
    {
      type: "finish",
      reason: reply.refused ? "refusal" : (reply.finish ?? (answer.stopped ? "stop" : "")),
      ...(model === undefined || model === asked ? {} : { model }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...(adjusted.length === 0 ? {} : { adjusted }),
      ...(without.length === 0 ? {} : { without }),
    },
  ];
  return { usage, chunks };
}

function adjustments(request: ModelRequest, { protocol, adaptations, chat }: Worded): readonly Adjustment[] {
  const made: Adjustment[] = [...protocol.adjustments(chat)];
  if (adaptations.has("stop-here") && (request.stop ?? []).length > 0) made.push("stop-applied-here");
  if ((request.tools ?? []).length > 0 && chat.tools === undefined) made.push("tools-in-prompt");
  if (handsBack(chat)) made.push("thinking-handed-back");
  else if (adaptations.has("no-thinking-back")) made.push("thinking-not-taken-back");
  const isUnread = ({ arguments: given }: ToolCall) => given === undefined;
  const has = request.messages.some(
    (message) => message.role === "assistant" && message.calls?.some(isUnread) === true,
  );
  if (adaptations.has("no-broken-arguments") && has) made.push("arguments-not-sent-back");
  return made;
}

function problemOf(
  { connection: { endpoint, secrets }, attempts }: Tries,
  request: ModelRequest,
  failure: RequestFailure,
  giveUp: string,
): ContextProblem | ModelProblem {
  const { status, hopeless = false } = failure;
  const { name, baseUrl } = endpoint;
  const server = name === "builtin" ? "The built-in model" : `Endpoint \`${name}\` (${baseUrl})`;
  const did = [server, status === undefined ? "failed" : "answered", giveUp].filter((word) => word !== "").join(" ");
  const message = `${did}: ${withoutKeys(failure.error, secrets)}`;
  if (isTooLong(failure)) return new ContextProblem(message);
  return new ModelProblem(`${message}${hint(failure, request, endpoint)}`, { status, attempts, hopeless });
}

/** Returns advice for the user about a refusal. */
function hint({ error }: RequestFailure, { asker, tools = [] }: ModelRequest, { api = "chat" }: Endpoint): string {
  if (api === "chat" && asksForResponses(error))
    return ". `planwright endpoint add` with `--api responses` uses that protocol";
  if (tools.length === 0 || (asker.spec.tools ?? "native") !== "native" || !refusesTools(error)) return "";
  const servers = asker.spec.toolServers === undefined ? "auto" : "[NAME, auto]";
  return `. With \`tools: ${servers}\` in the run cell, the prompt describes the tools`;
}
