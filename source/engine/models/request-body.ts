/** A request in the words of the chat completions protocol. */
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { Message, ModelRequest } from "../types.ts";

/** What is sent; fields the request leaves out are not sent at all. */
export function requestBody(model: string, request: ModelRequest): ChatCompletionCreateParamsStreaming {
  const { tools, stop, temperature, topP, maxTokens, seed } = request;
  return {
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
    ...(stop === undefined || stop.length === 0 ? {} : { stop: [...stop] }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(seed === undefined ? {} : { seed }),
  };
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
