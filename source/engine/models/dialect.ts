/**
 * Request fields a server does not support, learnt from its error messages. Some have an equivalent; sampling settings do
 * not: the model's defaults apply instead, which is reported with the reply.
 */
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ModelRequest, Sampling } from "../types.ts";

export type Adaptation = "max-completion-tokens" | "no-stream-options" | "no-temperature" | "no-top-p";

/**
 * The adaptation that makes this server accept the request; undefined where it was refused for another reason. Newer OpenAI
 * models require `max_completion_tokens`, reasoning models accept neither `temperature` nor `top_p`, and some servers do not
 * know `stream_options`.
 */
export function adaptationFor(refusal: string, body: ChatCompletionCreateParamsStreaming): Adaptation | undefined {
  if (body.max_tokens !== undefined && refusal.includes("max_completion_tokens")) return "max-completion-tokens";
  if (body.stream_options !== undefined && refusal.includes("stream_options")) return "no-stream-options";
  // A value out of range is an error of the caller: only unsupported fields are left out.
  if (!isUnsupported(refusal)) return undefined;
  if (body.temperature !== undefined && /\btemperature\b/.test(refusal)) return "no-temperature";
  if (body.top_p !== undefined && /\btop_p\b/.test(refusal)) return "no-top-p";
  return undefined;
}

function isUnsupported(refusal: string): boolean {
  const lowered = refusal.toLowerCase();
  return [
    "unsupported",
    "not support",
    "n't support",
    "only the default",
    "deprecated",
    "not permitted",
    "not allowed",
    "unknown",
    "unrecognized",
  ].some((word) => lowered.includes(word));
}

/** The request with these adaptations applied. */
export function adapted(
  body: ChatCompletionCreateParamsStreaming,
  adaptations: ReadonlySet<Adaptation>,
): ChatCompletionCreateParamsStreaming {
  const next = { ...body };
  if (adaptations.has("max-completion-tokens") && next.max_tokens != null) {
    next.max_completion_tokens = next.max_tokens;
    delete next.max_tokens;
  }
  if (adaptations.has("no-stream-options")) delete next.stream_options;
  if (adaptations.has("no-temperature")) delete next.temperature;
  if (adaptations.has("no-top-p")) delete next.top_p;
  return next;
}

/** The sampling settings of a request that were not sent. */
export function leftOut(request: ModelRequest, body: ChatCompletionCreateParamsStreaming): readonly Sampling[] {
  const left: Sampling[] = [];
  if (request.temperature !== undefined && body.temperature === undefined) left.push("temperature");
  if (request.topP !== undefined && body.top_p === undefined) left.push("topP");
  return left;
}
