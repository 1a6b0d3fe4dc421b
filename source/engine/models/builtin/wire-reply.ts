/** A reply in the chat completions protocol, whole or as Server-Sent Events. */
import type { Reply } from "../../protocol.ts";
import { estimatePrompt } from "../limits/token-estimate.ts";
import type { WireRequest } from "./wire-request.ts";

const id = "chatcmpl-planwright";
const lastEvent = "data: [DONE]\n\n";

/** Returns all events of a streamed reply in order, the last one `[DONE]`. `usage` is sent only if requested. */
export function replyEvents(request: WireRequest, reply: Reply): string[] {
  const events: string[] = [];
  // Concatenated by hand, because one is sent per token.
  const head = `data: {"id":"${id}","object":"chat.completion.chunk","created":0,"model":${JSON.stringify(request.model)},`;
  const mark = reply.fingerprint === undefined ? "" : `"system_fingerprint":${JSON.stringify(reply.fingerprint)},`;
  const delta = (json: string, finish = "null") =>
    events.push(`${head}${mark}"choices":[{"index":0,"delta":${json},"finish_reason":${finish}}]}\n\n`);
  delta('{"role":"assistant","content":""}');
  const pieces = tokenPieces(reply.text);
  for (const piece of pieces) delta(`{"content":${JSON.stringify(piece)}}`);
  let output = pieces.length;
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const begun = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
    delta(JSON.stringify({ tool_calls: [begun] }));
    const written = tokenPieces(call.text);
    for (const piece of written) delta(JSON.stringify({ tool_calls: [{ index, function: { arguments: piece } }] }));
    output += written.length + 2;
  }
  delta("{}", JSON.stringify(finishOf(reply)));
  // The client estimates again what was estimated for a replayed run.
  if (request.includeUsage && reply.usage?.estimated !== true) {
    const usage = usageOf(request, reply, output);
    events.push(`${head}"choices":[],"usage":${JSON.stringify(usage)}}\n\n`);
  }
  events.push(lastEvent);
  return events;
}

/** Returns the same reply as one JSON value, for requests without `stream`. */
export function replyObject(request: WireRequest, reply: Reply): object {
  const calls = reply.calls ?? [];
  const output = tokenPieces(reply.text + calls.map((call) => call.text).join("")).length + 2 * calls.length;
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.text },
  }));
  const message = { role: "assistant", content: reply.text, ...(calls.length === 0 ? {} : { tool_calls: toolCalls }) };
  return {
    id,
    object: "chat.completion",
    created: 0,
    model: request.model,
    ...(reply.fingerprint !== undefined && { system_fingerprint: reply.fingerprint }),
    choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
    usage: usageOf(request, reply, output),
  };
}

/** An error object of the protocol. */
export const errorObject = (message: string, type: string) => ({ error: { message, type, param: null, code: null } });

const finishOf = (reply: Reply): string => reply.finish ?? ((reply.calls ?? []).length > 0 ? "tool_calls" : "stop");

function usageOf(request: WireRequest, { usage }: Reply, pieces: number): object {
  const { input = estimatePrompt(request.messages), output = pieces, cached, reasoning, cost } = usage ?? {};
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
    ...(cost !== undefined && { cost }),
  };
}

const size = 4;

/** Splits text into pieces of at most about four characters, before words if possible; the joined pieces equal the text. */
export function tokenPieces(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let index = 1; index < text.length; index++) {
    const isBreak = text.charCodeAt(index) === 32 || index - start >= size;
    // Never splits a surrogate pair.
    if (!isBreak || (text.charCodeAt(index) & 0xfc00) === 0xdc00) continue;
    pieces.push(text.slice(start, index));
    start = index;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}
