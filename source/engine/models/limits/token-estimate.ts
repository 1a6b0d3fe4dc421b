/** Token estimates for servers that report no usage; always marked as estimated. */
import { tokensOf } from "../../text/tokens.ts";
import type { Message, ToolCall } from "../../types.ts";

/** Estimates the tokens of a prompt, with an overhead of about four per message. */
export function estimatePrompt(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) {
    tokens += 4 + tokensOf(message.content);
    if (message.role === "assistant") tokens += estimateCalls(message.calls ?? []);
  }
  return tokens;
}

/** Estimates the tokens of tool calls from their names and arguments. */
export function estimateCalls(calls: readonly ToolCall[]): number {
  let tokens = 0;
  for (const { name, text } of calls) tokens += tokensOf(name) + tokensOf(text);
  return tokens;
}
