/**
 * What a server does not take, learnt from its refusals. Some of it can be sent in another form; a refusable setting cannot:
 * the server's own default holds in its place, and the log says so.
 */
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { refusableSettings, type RefusableSetting } from "../run-settings.ts";
import type { ModelRequest } from "../types.ts";

/** The name of a setting means that it is left out. */
export type Adaptation = "max-completion-tokens" | "no-stream-options" | RefusableSetting;

/**
 * How to ask so that this server answers, or undefined where its refusal is about something else. Newer OpenAI models want
 * `max_completion_tokens`, and those that reason take no `temperature` and no `top_p`; some servers know no `stream_options`.
 */
export function adaptationFor(refusal: string, body: ChatCompletionCreateParamsStreaming): Adaptation | undefined {
  if (body.max_tokens !== undefined && refusal.includes("max_completion_tokens")) return "max-completion-tokens";
  if (body.stream_options !== undefined && refusal.includes("stream_options")) return "no-stream-options";
  // A value out of range is the asker's mistake: only what the server does not take at all is left out.
  if (!saysUnsupported(refusal)) return undefined;
  return refusableSettings.find(({ sentAs }) => sentAs in body && new RegExp(`\\b${sentAs}\\b`).test(refusal))?.name;
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
  for (const { name, sentAs } of refusableSettings)
    if (adaptations.has(name)) delete (next as unknown as Record<string, unknown>)[sentAs];
  return next;
}

/** The settings of a request that were not sent with it. */
export function leftOut(request: ModelRequest, body: ChatCompletionCreateParamsStreaming): readonly RefusableSetting[] {
  return refusableSettings
    .filter(({ name, sentAs }) => request[name] !== undefined && !(sentAs in body))
    .map(({ name }) => name);
}
