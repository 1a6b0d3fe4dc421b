/** A request in the words of the chat completions protocol. */
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { requestSettings } from "../run-settings.ts";
import type { Message, ModelRequest } from "../types.ts";

/** What is sent; fields the request leaves out are not sent at all. */
export function requestBody(model: string, request: ModelRequest): ChatCompletionCreateParamsStreaming {
  const { tools } = request;
  return {
    ...request.request,
    model,
    messages: request.messages.map(messageParam),
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
    ...sentSettings(request),
  };
}

/** By the names the protocol has for them. Some are known to some servers only, and so not to the `openai` package. */
function sentSettings(request: ModelRequest): Partial<ChatCompletionCreateParamsStreaming> {
  const sent = requestSettings.flatMap(({ name, sentAs }) => {
    const value = request[name];
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[sentAs, value]];
  });
  return Object.fromEntries(sent) as Partial<ChatCompletionCreateParamsStreaming>;
}

function messageParam(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "assistant": {
      const { content, calls } = message;
      if (calls === undefined || calls.length === 0) return { role: "assistant", content };
      return {
        role: "assistant",
        content: content === "" ? null : content,
        tool_calls: calls.map(({ id, name, text }) => ({ id, type: "function", function: { name, arguments: text } })),
      };
    }
    default:
      return message satisfies never;
  }
}
