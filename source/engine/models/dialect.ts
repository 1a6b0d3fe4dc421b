/** What a server turns out not to take, learnt from its refusals: only fields that change nothing about the answer. */
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";

export type Adaptation = "max-completion-tokens" | "no-stream-options";

/**
 * How to say the same in the words this server takes, or undefined where its refusal is about something else. Newer
 * OpenAI models want `max_completion_tokens`; some servers know no `stream_options`.
 */
export function adaptationFor(refusal: string, body: ChatCompletionCreateParamsStreaming): Adaptation | undefined {
  if (body.max_tokens !== undefined && refusal.includes("max_completion_tokens")) return "max-completion-tokens";
  if (body.stream_options !== undefined && refusal.includes("stream_options")) return "no-stream-options";
  return undefined;
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
  return next;
}
