/** Messages as the chat completions protocol writes them, which is what most other tools read. */
import type { Message, ToolCall, ToolSpec } from "../../types.ts";

export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly tool_calls?: readonly ChatCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

type ChatCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

export function chatMessage(message: Message): ChatMessage {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant") return message;
  const { content, calls = [] } = message;
  return { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls.map(chatCall) }) };
}

function chatCall({ id, name, text }: ToolCall): ChatCall {
  return { id, type: "function", function: { name, arguments: text } };
}

export function chatTool({ name, description, parameters }: ToolSpec): unknown {
  return { type: "function", function: { name, description, parameters } };
}
