/** Turns of a conversation in the form that servers accept. */
import type { Message, Thinking, ToolCall } from "../types.ts";

type Assistant = Extract<Message, { role: "assistant" }>;

/** Returns a model's reply as a message of the conversation. */
export function replyMessage(reply: {
  readonly text: string;
  readonly calls?: readonly ToolCall[];
  readonly thinking?: Thinking | undefined;
}): Assistant {
  const { text, calls = [], thinking } = reply;
  return {
    role: "assistant",
    content: text,
    ...(calls.length === 0 ? {} : { calls }),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

/** Follows a reply that leads nowhere, because many servers reject a conversation that ends with the model's turn. */
const nextTurn: Message = { role: "user", content: "Go on." };

/** Returns the conversation with consecutive replies joined and a last turn that is not the model's. */
export function alternating(messages: readonly Message[]): readonly Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const follows = message.role === "assistant" && last?.role === "assistant" && last.calls === undefined;
    if (follows) turns[turns.length - 1] = joined(last, message);
    else turns.push(message);
  }
  if (turns.at(-1)?.role === "assistant") turns.push(nextTurn);
  return turns;
}

function joined(first: Assistant, second: Assistant): Assistant {
  const content = [first.content, second.content].filter((text) => text !== "").join("\n");
  const thinking = second.thinking ?? first.thinking;
  return { ...second, content, ...(thinking === undefined ? {} : { thinking }) };
}
