/** A request in the words of the chat completions protocol. */
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { hashedInRequest, requestSettings } from "../../../run-settings.ts";
import type { Message, ModelRequest } from "../../../types.ts";
import type { WithReasoningItems } from "../responses/responses-body.ts";
import { withToolsInPrompt } from "../../replies/tools-in-prompt.ts";

/** How the messages are written for this server. */
export type Wording = {
  /** `in-prompt`: they are put there, and calls and their results are text; `none`: that was done before (`tools: text`). */
  readonly tools: "native" | "in-prompt" | "none";
  /** Which thinking goes back: of every message, of those that called tools, or none. */
  readonly thinking: "all" | "calls" | "none";
  /** For the Responses protocol, which takes thinking back as the items it came in. */
  readonly items: boolean;
};

/** What is sent; fields the request leaves out are not sent at all. */
export function requestBody(
  model: string,
  request: ModelRequest,
  wording: Wording,
): ChatCompletionCreateParamsStreaming {
  const tools = wording.tools === "native" ? request.tools : [];
  const inPrompt = wording.tools === "in-prompt";
  const messages = inPrompt ? withToolsInPrompt(request.messages, request.tools ?? []) : request.messages;
  return {
    ...request.request,
    // In the place they had as fields of `request`: replies are kept by the text of the body.
    ...sentSettings(request, hashedInRequest),
    model,
    messages: messages.map((message) => messageParam(message, wording)),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools === undefined || tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function" as const,
            function: { name, description, parameters: parameters as Record<string, unknown> },
          })),
        }),
    ...sentSettings(request, requestSettings),
  };
}

/** By the names the protocol has for them. Some are known to some servers only, and so not to the `openai` package. */
function sentSettings(
  request: ModelRequest,
  settings: typeof requestSettings,
): Partial<ChatCompletionCreateParamsStreaming> {
  const sent = settings.flatMap(({ name, sentAs }) => {
    const value = request[name];
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[sentAs, value]];
  });
  return Object.fromEntries(sent) as Partial<ChatCompletionCreateParamsStreaming>;
}

function messageParam(message: Message, wording: Wording): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "assistant": {
      const { content, calls = [], thinking } = message;
      const keeps = wording.thinking === "all" || (wording.thinking === "calls" && calls.length > 0);
      // Thinking that stood in the text is no field of the protocol: no server asks for it back.
      const own = keeps && thinking?.field !== undefined ? { [thinking.field]: thinking.text } : {};
      const items: WithReasoningItems =
        keeps && thinking?.items !== undefined ? { reasoning_items: thinking.items } : {};
      const back = wording.items ? items : own;
      if (calls.length === 0) return { role: "assistant", content, ...back };
      return {
        role: "assistant",
        content: content === "" ? null : content,
        ...back,
        tool_calls: calls.map(({ id, name, text, extra }) => ({
          id,
          type: "function",
          function: { name, arguments: text },
          ...(extra === undefined || wording.thinking === "none" ? {} : { extra_content: extra }),
        })),
      };
    }
    default:
      return message satisfies never;
  }
}
