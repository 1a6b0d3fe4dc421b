/** Chat completions: the protocol whose words the others are made from. */
import { type Adaptation, adaptationAfter, adapted, asksForResponses, type Body } from "../adaptation.ts";
import { bearer, type WireProtocol, sendTo } from "../protocol.ts";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { hashedInRequest, requestSettings } from "../../../run-settings.ts";
import type { Json, Message, ModelRequest, ToolSpec } from "../../../types.ts";
import { withToolsInPrompt } from "../../replies/tools-in-prompt.ts";

export const chat: WireProtocol = {
  thinkingAsItems: false,
  headers: bearer,
  lacks: () => [],
  adjustments: () => [],
  body: (body) => body,
  send: sendTo("/chat/completions"),
  read: () => (value) => [value],
  refusal(refused) {
    const { kind, status, error } = refused.failure;
    // The server asks for Responses, or has nothing here, whatever the model.
    const nothingHere = (status === 404 || status === 405) && !/model/i.test(error);
    if (refused.endpoint.api === "auto" && kind === "refused" && (nothingHere || asksForResponses(error)))
      return "responses";
    return adaptationAfter(refused);
  },
};

/** A message with the thinking that other protocols take back as items; chat completions know no such field. */
export type WithReasoningItems = { readonly reasoning_items?: readonly Json[] };

/** Which thinking goes back with a message: as text in a field, or as the items it came in. */
type ThinkingBack = { readonly of: "all" | "calls" | "none"; readonly asItems: boolean };

/**
 * Builds a request in the words of chat completions, for a server of which this is known. Fields the request leaves out are not
 * sent at all.
 */
export function requestBody(
  model: string,
  request: ModelRequest,
  adaptations: ReadonlySet<Adaptation> = new Set(),
  thinkingAsItems = false,
): Body {
  const { reasoning = "auto", tools: ways = "native" } = request.asker.spec;
  const { tools = [] } = request;
  const inPrompt = ways === "auto" && adaptations.has("tools-in-prompt");
  // With `tools: text` they were put into the prompt before.
  const offered = inPrompt || ways === "text" ? [] : tools;
  const messages = inPrompt ? withToolsInPrompt(request.messages, tools) : request.messages;
  const auto = adaptations.has("no-thinking-back") ? "none" : "calls";
  const of = reasoning === "keep" ? "all" : reasoning === "drop" ? "none" : auto;
  const body = {
    ...request.request,
    // In the place they had as fields of `request`: replies are kept by the text of the body.
    ...sentSettings(request, hashedInRequest),
    model,
    messages: messages.map((message) => messageParam(message, { of, asItems: thinkingAsItems })),
    stream: true,
    stream_options: { include_usage: true },
    ...(offered.length === 0
      ? {}
      : { tools: offered.map((tool) => ({ type: "function", function: toolParam(tool) })) }),
    ...sentSettings(request, requestSettings),
  };
  return adapted(body as Body, adaptations);
}

function toolParam({ name, description, parameters }: ToolSpec): object {
  return { name, description, parameters };
}

/** By the names the protocol has for them. Some are known to some servers only, and so not to the `openai` package. */
function sentSettings(request: ModelRequest, settings: typeof requestSettings): Partial<Body> {
  const sent = settings.flatMap(({ name, sentAs }) => {
    const value = request[name];
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[sentAs, value]];
  });
  return Object.fromEntries(sent) as Partial<Body>;
}

function messageParam(message: Message, back: ThinkingBack): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "assistant": {
      const { content, calls = [], thinking } = message;
      const keeps = back.of === "all" || (back.of === "calls" && calls.length > 0);
      // Thinking that was in the text is no field of the protocol: no server asks for it back.
      const own = keeps && thinking?.field !== undefined ? { [thinking.field]: thinking.text } : {};
      const items: WithReasoningItems =
        keeps && thinking?.items !== undefined ? { reasoning_items: thinking.items } : {};
      const thought = back.asItems ? items : own;
      if (calls.length === 0) return { role: "assistant", content, ...thought };
      return {
        role: "assistant",
        content: content === "" ? null : content,
        ...thought,
        tool_calls: calls.map(({ id, name, text, extra }) => ({
          id,
          type: "function",
          function: { name, arguments: text },
          ...(extra === undefined || back.of === "none" ? {} : { extra_content: extra }),
        })),
      };
    }
    default:
      return message satisfies never;
  }
}
