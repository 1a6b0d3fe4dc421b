/**
 * What a server does not take of a request, learnt from its refusals. Some of it has an equivalent; sampling settings have
 * none: the model's own hold instead, which is reported with the reply.
 */
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { type LeftOut, refusableFields, refusableSettings } from "../../run-settings.ts";
import type { ModelRequest } from "../../types.ts";

export type Body = ChatCompletionCreateParamsStreaming;

/** What is left out for a server, and what is done otherwise. */
export type Adaptation =
  | LeftOut
  /** Stop strings cut the thinking there: they are applied here instead. */
  | "stop-here"
  | "tools-in-prompt"
  | "no-thinking-back"
  /** Asked by the Responses protocol. */
  | "responses";

const notLeftOut: readonly string[] = [
  "stop-here",
  "tools-in-prompt",
  "no-thinking-back",
  "responses",
] satisfies readonly Adaptation[];

/** What the Responses protocol has no field for. */
export const notInResponses: readonly LeftOut[] = ["stop", "seed", "minP"];

/** Whether the server has no tools, by its words. */
export function refusesTools(refusal: string): boolean {
  const lowered = refusal.toLowerCase();
  return (
    lowered.includes("tool") && (isUnsupported(lowered) || /requires? .{0,60}(--jinja|tool-call-parser)/.test(lowered))
  );
}

/** Whether the server wants this model to be asked by the Responses protocol, by its words. */
export function asksForResponses(refusal: string): boolean {
  return /\bv1\/responses\b|\bresponses (api|endpoint)\b/i.test(refusal);
}

/** Whether the server does not take thinking back, by its words. */
export function refusesThinking(refusal: string): boolean {
  const lowered = refusal.toLowerCase();
  return /reasoning|extra_content/.test(lowered) && !/missing|required/.test(lowered);
}

/**
 * What to leave out for this server to accept the request; undefined where it was refused for another reason. `field` is the
 * one the server names apart from its words (`error.param`), `sent` what was sent, where that is not the body itself.
 */
export function adaptationFor(
  refusal: string,
  field: string | undefined,
  body: Body,
  sent: object = body,
): LeftOut | undefined {
  if ("max_tokens" in sent && refusal.includes("max_completion_tokens")) return "max_tokens";
  if ("stream_options" in sent && refusal.includes("stream_options")) return "stream_options";
  // A value out of range is an error of the caller: only unsupported fields are left out.
  if (!isUnsupported(refusal)) return undefined;
  const named = field !== undefined && field.split(".")[0]! in sent ? refusableFields.get(field) : undefined;
  if (named !== undefined) return named;
  for (const [sentAs, name] of refusableFields)
    if (sentAs.split(".")[0]! in sent && new RegExp(`\\b${sentAs}\\b`).test(refusal)) return name;
  const ofSystem = /\b(system|developer) (role|message|prompt|instruction)/i.test(refusal);
  return ofSystem && body.messages.some(({ role }) => role === "system") ? "system" : undefined;
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
    "not enabled",
    "unknown",
    "unrecognized",
  ].some((word) => lowered.includes(word));
}

/** The request without these. */
export function adapted(body: Body, without: ReadonlySet<Adaptation>): Body {
  const next = { ...body };
  if (without.has("max_tokens") && next.max_tokens != null) {
    next.max_completion_tokens = next.max_tokens;
    delete next.max_tokens;
  }
  if (without.has("maxTokens")) delete next.max_completion_tokens;
  if (without.has("stream_options")) delete next.stream_options;
  if (without.has("system")) next.messages = withoutSystem(next.messages);
  if (without.has("format")) delete next.response_format;
  if (without.has("stop-here")) delete next.stop;
  for (const { name, sentAs } of refusableSettings)
    if (without.has(name)) delete (next as unknown as Record<string, unknown>)[sentAs];
  return next;
}

/** What the system says, in front of the first message of the user, or as one where that is none. */
function withoutSystem(messages: Body["messages"]): Body["messages"] {
  const said = messages.flatMap(({ role, content }) =>
    role === "system" && typeof content === "string" ? [content] : [],
  );
  if (said.length === 0) return messages;
  const others = messages.filter(({ role }) => role !== "system");
  const [first, ...rest] = others;
  if (first?.role !== "user" || typeof first.content !== "string")
    return [{ role: "user", content: said.join("\n\n") }, ...others];
  return [{ role: "user", content: [...said, first.content].join("\n\n") }, ...rest];
}

/** What of a request was not sent as it was asked for. */
export function leftOut(request: ModelRequest, adaptations: ReadonlySet<Adaptation>): readonly LeftOut[] {
  const without = new Set([...adaptations].filter(isLeftOut));
  const unsaid: Partial<Record<LeftOut, boolean>> = {
    max_tokens: request.maxTokens === undefined || without.has("maxTokens"),
    stream_options: false,
    format: request.request?.["response_format"] === undefined,
    system: !request.messages.some(({ role }) => role === "system"),
    ...Object.fromEntries(refusableSettings.map(({ name }) => [name, isNothing(request[name])])),
  };
  return [...without].filter((name) => unsaid[name] !== true);
}

function isLeftOut(adaptation: Adaptation): adaptation is LeftOut {
  return !notLeftOut.includes(adaptation);
}

function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
