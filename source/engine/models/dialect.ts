/**
 * Request fields a server does not support, learnt from its error messages. Some have an equivalent; sampling settings do
 * not: the model's defaults apply instead, which is reported with the reply.
 */
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { refusableSettings, type RefusableSetting } from "../run-settings.ts";
import type { ModelRequest } from "../types.ts";

export type Body = ChatCompletionCreateParamsStreaming;

/** The name of a setting means that it is left out. */
export type Adaptation =
  | "max-completion-tokens"
  | "no-stream-options"
  /** Stop strings cut the thinking there: they are applied here instead. */
  | "stop-here"
  | "tools-in-prompt"
  | "no-thinking-back"
  | RefusableSetting;

/** Whether the server has no tools, by its words. */
export function refusesTools(refusal: string): boolean {
  const lowered = refusal.toLowerCase();
  return (
    lowered.includes("tool") && (isUnsupported(lowered) || /requires? .{0,60}(--jinja|tool-call-parser)/.test(lowered))
  );
}

/** Whether the server does not take thinking back, by its words. */
export function refusesThinking(refusal: string): boolean {
  const lowered = refusal.toLowerCase();
  return /reasoning|extra_content/.test(lowered) && !/missing|required/.test(lowered);
}

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
  if (adaptations.has("stop-here")) delete next.stop;
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
