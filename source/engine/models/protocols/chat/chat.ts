/** Implements chat completions. Every request is built in this form first, and other protocols convert it. */
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
    // The server requires Responses, or has nothing at this address for any model.
    const nothingHere = (status === 404 || status === 405) && !/model/i.test(error);
    if (refused.endpoint.api === "auto" && kind === "refused" && (nothingHere || asksForResponses(error)))
      return "responses";
    return adaptationAfter(refused);
  },
};

/** A message that also contains its thinking as items, for protocols that accept them; chat completions do not. */
export type WithReasoningItems = { readonly reasoning_items?: readonly Json[] };

/** The form of thinking sent back with a message: text in a field, or its original items. */
type ThinkingBack = { readonly of: "all" | "calls" | "none"; readonly asItems: boolean };

/** Builds a request as chat completions, for a server with these adaptations. Fields missing from the request are not sent. */
export function requestBody(
  model: string,
  request: ModelRequest,
  adaptations: ReadonlySet<Adaptation> = new Set(),
  thinkingAsItems = false,
): Body {
  const { reasoning = "auto", tools: ways = "native" } = request.asker.spec;
  const { tools = [] } = request;
  const inPrompt = ways === "auto" && adaptations.has("tools-in-prompt");
  // With `tools: text`, tools are already in the prompt.
  const offered = inPrompt || ways === "text" ? [] : tools;
  const messages = inPrompt ? withToolsInPrompt(request.messages, tools) : request.messages;
  const auto = adaptations.has("no-thinking-back") ? "none" : "calls";
  const of = reasoning === "keep" ? "all" : reasoning === "drop" ? "none" : auto;
  const body = {
    ...request.request,
    // In their former position as fields of `request`, because replies are cached by the text of the body.
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

const toolParam = ({ name, description, parameters }: ToolSpec): object => ({ name, description, parameters });

/** Returns settings under the protocol's names. The `openai` package lacks those that only some servers accept. */
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
      // Thinking within the text is no field of the protocol, so it is not sent back.
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
  }
}
