/** Token estimates for servers that report no usage; always marked as estimated. */
import { tokensOf } from "../../text/tokens.ts";
import type { Message, ToolCall } from "../../types.ts";

/** Tokens of a whole prompt, with about four per message of overhead. */
export function estimatePrompt(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) {
    tokens += 4 + tokensOf(message.content);
    if (message.role === "assistant") tokens += estimateCalls(message.calls ?? []);
  }
  return tokens;
}

/** Tokens of tool calls: their names and arguments. */
export function estimateCalls(calls: readonly ToolCall[]): number {
  let tokens = 0;
  for (const { name, text } of calls) tokens += tokensOf(name) + tokensOf(text);
  return tokens;
}
