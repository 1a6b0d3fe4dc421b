/**
 * Adapts requests to a server's refusals. Some fields have an equivalent. Sampling settings have none, so they are omitted, which
 * is reported with the reply.
 */
import { isDeepStrictEqual } from "node:util";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { type LeftOut, type RefusableSetting, refusableFields, refusableSettings } from "../../run-settings.ts";
import type { Endpoint } from "../../settings/settings.ts";
import { isRecord, parseJson } from "../../text/json-record.ts";
import type { ModelRequest } from "../../types.ts";
import type { RequestFailure } from "../limits/retry-policy.ts";

export type Body = ChatCompletionCreateParamsStreaming;

/** Fields left out for a server, and replacements. */
export type Adaptation =
  | LeftOut
  /** The server applies stop strings to the thinking, so the program applies them to the answer instead. */
  | "stop-here"
  | "tools-in-prompt"
  | "no-thinking-back"
  /** Calls whose arguments are not a JSON object are sent back with an empty object. */
  | "no-broken-arguments"
  /** Uses the Responses protocol. */
  | "responses";

const doneOtherwise: ReadonlySet<Adaptation> = new Set([
  "stop-here",
  "tools-in-prompt",
  "no-thinking-back",
  "no-broken-arguments",
  "responses",
]);

/** Returns true if the server's message reports that it does not support tools. */
export const refusesTools = (refusal: string): boolean =>
  /tool/i.test(refusal) && (isUnsupported(refusal) || /requires? .{0,60}(--jinja|tool-call-parser)/i.test(refusal));

/** Returns true if the server's message asks for the Responses protocol for this model. */
export const asksForResponses = (refusal: string) => /\bv1\/responses\b|\bresponses (api|endpoint)\b/i.test(refusal);

/** A failed request, as chat completions and in the form in which it was sent. */
export type Refused = {
  readonly failure: RequestFailure;
  readonly request: ModelRequest;
  readonly endpoint: Endpoint;
  /** The request as chat completions, and in the form in which it was sent. */
  readonly chat: Body;
  readonly sent: object;
};

/** Returns what to omit so that this server accepts the request; undefined if it was refused for another reason. */
export function adaptationAfter({ failure, request, chat, sent }: Refused): Adaptation | undefined {
  const { reasoning = "auto", tools = "native" } = request.asker.spec;
  const { kind, status, error, field } = failure;
  // Some servers answer 500, which the same request always gets.
  if (status !== undefined && /argument/i.test(error) && /json/i.test(error) && chat.messages.some(isBroken))
    return "no-broken-arguments";
  if (kind === "busy" || status === undefined) return undefined;
  if (tools === "auto" && chat.tools !== undefined && refusesTools(error)) return "tools-in-prompt";
  if (kind !== "refused") return undefined;
  const ofThinking = /reasoning|extra_content/i.test(error) && !/missing|required/i.test(error);
  if (reasoning === "auto" && ofThinking && handsBack(chat)) return "no-thinking-back";
  // A judge's form is not the user's wish: it is asked without one rather than not at all.
  if (limitWords.test(error) && !isDeepStrictEqual(withoutLimits(chat.response_format), chat.response_format))
    return "limits";
  const ofForm = /response.?format|json.?schema|output_config|text\.format|grammar/i.test(`${field ?? ""} ${error}`);
  if (request.asker.role === "judge" && ofForm && chat.response_format !== undefined) return "format";
  return refusedField(error, field, chat, sent);
}

/** Patterns of a server's messages about limits in a schema. */
const limitWords = /\b(maxLength|minimum|maximum|too many states)\b|grammar/;
const limitFields: ReadonlySet<string> = new Set(["maxLength", "minimum", "maximum"]);

/** Returns a reply format or a schema without limits on strings and numbers. Fields with the names of such limits stay. */
function withoutLimits<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutLimits) as Value;
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name, of]) => !limitFields.has(name) || typeof of !== "number");
  return Object.fromEntries(kept.map(([name, of]) => [name, withoutLimits(of)])) as Value;
}

/** Returns whether thinking is sent back with a message. */
export const handsBack = ({ messages }: Body): boolean =>
  messages.some(
    (message) =>
      "reasoning_content" in message ||
      "reasoning_items" in message ||
      "reasoning" in message ||
      (message.role === "assistant" && message.tool_calls?.some((call) => "extra_content" in call) === true),
  );

/** Returns the refused field. `named` is the field that the server names separately from its message (`error.param`). */
function refusedField(refusal: string, named: string | undefined, chat: Body, sent: object): LeftOut | undefined {
  if ("max_tokens" in sent && refusal.includes("max_completion_tokens")) return "max_tokens";
  if ("stream_options" in sent && refusal.includes("stream_options")) return "stream_options";
  // A value out of range is an error of the caller, so only unsupported fields are left out.
  if (!isUnsupported(refusal)) return undefined;
  const isSent = (field: string) => field.split(".")[0]! in sent;
  const known = named !== undefined && isSent(named) ? refusableFields.get(named) : undefined;
  if (known !== undefined) return known;
  for (const [field, name] of refusableFields)
    if (isSent(field) && new RegExp(`\\b${field}\\b`).test(refusal)) return name;
  const ofSystem = /\b(system|developer) (role|message|prompt|instruction)/i.test(refusal);
  return ofSystem && chat.messages.some(({ role }) => role === "system") ? "system" : undefined;
}

const isUnsupported = (refusal: string): boolean =>
  /unsupported|(not|n't) support|only the default|deprecated|not (permitted|allowed|enabled)|unknown|unrecognized/i.test(
    refusal,
  );

/** Returns the adapted request. */
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
  if (without.has("limits") && next.response_format !== undefined)
    next.response_format = withoutLimits(next.response_format);
  if (without.has("stop-here")) delete next.stop;
  if (without.has("no-broken-arguments"))
    next.messages = next.messages.map((message) => (isBroken(message) ? withoutBroken(message) : message));
  for (const { name, sentAs } of refusableSettings)
    if (without.has(name)) delete (next as unknown as Record<string, unknown>)[sentAs];
  return next;
}

type Said = Extract<Body["messages"][number], { readonly role: "assistant" }>;
type Called = NonNullable<Said["tool_calls"]>[number];

const isBrokenCall = (call: Called): boolean =>
  call.type === "function" && !isRecord(parseJson(call.function.arguments));

/** True if the message has a call whose arguments are not a JSON object. */
const isBroken = (message: Body["messages"][number]): message is Said =>
  message.role === "assistant" && message.tool_calls?.some(isBrokenCall) === true;

function withoutBroken(message: Said): Said {
  const calls = message.tool_calls!.map((call) =>
    call.type === "function" && isBrokenCall(call)
      ? { ...call, function: { ...call.function, arguments: "{}" } }
      : call,
  );
  return { ...message, tool_calls: calls };
}

/** Puts the system message before the user's first message, or makes it a user's message if there is none. */
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

/** Returns the settings of a request that were not sent as requested. */
export function leftOut(request: ModelRequest, adaptations: ReadonlySet<Adaptation>): readonly LeftOut[] {
  const isAsked = (name: LeftOut): boolean => {
    if (name === "max_tokens") return request.maxTokens !== undefined && !adaptations.has("maxTokens");
    const format = request.request?.["response_format"];
    if (name === "format") return format !== undefined;
    if (name === "limits") return !adaptations.has("format") && !isDeepStrictEqual(withoutLimits(format), format);
    if (name === "system") return request.messages.some(({ role }) => role === "system");
    const value = refusableSettings.some((setting) => setting.name === name) ? request[name as RefusableSetting] : true;
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  };
  return [...adaptations].filter((name): name is LeftOut => !doneOtherwise.has(name)).filter(isAsked);
}
