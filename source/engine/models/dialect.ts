/**
 * What a server turns out not to take, learnt from its refusals. Some of it can be said in other words; sampling settings
 * cannot: the model's own stand in their place, which whoever reads the answers must be told.
 */
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ModelRequest, Sampling } from "../types.ts";

export type Adaptation = "max-completion-tokens" | "no-stream-options" | "no-temperature" | "no-top-p";

/**
 * How to ask so that this server answers, or undefined where its refusal is about something else. Newer OpenAI models want
 * `max_completion_tokens`, and those that reason take no `temperature` and no `top_p`; some servers know no `stream_options`.
 */
export function adaptationFor(refusal: string, body: ChatCompletionCreateParamsStreaming): Adaptation | undefined {
  if (body.max_tokens !== undefined && refusal.includes("max_completion_tokens")) return "max-completion-tokens";
  if (body.stream_options !== undefined && refusal.includes("stream_options")) return "no-stream-options";
  // A value out of range is the asker's mistake: only what the server does not take at all is left out.
  if (!saysUnsupported(refusal)) return undefined;
  if (body.temperature !== undefined && /\btemperature\b/.test(refusal)) return "no-temperature";
  if (body.top_p !== undefined && /\btop_p\b/.test(refusal)) return "no-top-p";
  return undefined;
}

function saysUnsupported(refusal: string): boolean {
  const words = refusal.toLowerCase();
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
  ].some((word) => words.includes(word));
}

/** The same request with these adaptations. */
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

/** The sampling settings of a request that were not sent with it. */
export function leftOut(request: ModelRequest, body: ChatCompletionCreateParamsStreaming): readonly Sampling[] {
  const left: Sampling[] = [];
  if (request.temperature !== undefined && body.temperature === undefined) left.push("temperature");
  if (request.topP !== undefined && body.top_p === undefined) left.push("topP");
  return left;
}
