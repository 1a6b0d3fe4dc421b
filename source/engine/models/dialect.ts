/**
 * Request fields a server does not support, learnt from its error messages. Some have an equivalent; sampling settings do
 * not: the model's defaults apply instead, which is reported with the reply.
 */
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { refusableSettings, type RefusableSetting } from "../run-settings.ts";
import type { ModelRequest } from "../types.ts";

/** The name of a setting means that it is left out. */
export type Adaptation = "max-completion-tokens" | "no-stream-options" | RefusableSetting;

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
  return refusableSettings.find(({ sentAs }) => sentAs in body && new RegExp(`\\b${sentAs}\\b`).test(refusal))?.name;
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
