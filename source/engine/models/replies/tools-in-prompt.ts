/**
 * Converts a conversation with tools for a server that does not support them: the prompt describes the tools, and calls and
 * results are text.
 */
import type { Message, ToolCall, ToolSpec } from "../../types.ts";
import { describedTools, describeTools } from "../../text/described-tools.ts";
import { TextCalls } from "./text-calls.ts";

/** Returns the same conversation without tools. Adjacent messages of the same role become one. */
export function withToolsInPrompt(messages: readonly Message[], tools: readonly ToolSpec[]): readonly Message[] {
  const plain: Message[] = tools.length === 0 ? [] : [{ role: "system", content: describeTools(tools) }];
  for (const message of messages) {
    const next = inText(message);
    const last = plain.at(-1);
    if (last?.role === next.role) plain[plain.length - 1] = { ...last, content: `${last.content}\n\n${next.content}` };
    else plain.push(next);
  }
  return plain;
}

const [begin, end] = ["<tool_response>\n", "\n</tool_response>"];

function inText(message: Message): Message {
  if (message.role === "tool") return { role: "user", content: `${begin}${message.content}${end}` };
  if (message.role !== "assistant") return message;
  const { content, calls = [] } = message;
  return { role: "assistant", content: [content, callsText(calls)].filter((part) => part !== "").join("\n") };
}

/** Writes calls in the format that the prompt requests. */
export function callsText(calls: readonly ToolCall[]): string {
  const written = calls.map(({ name, text }) => `{"name": ${JSON.stringify(name)}, "arguments": ${text}}`);
  return written.map((call) => `<tool_call>\n${call}\n</tool_call>`).join("\n");
}

type Conversation = { readonly messages: readonly Message[]; readonly tools: readonly ToolSpec[] };

/**
 * Recovers the arguments of `withToolsInPrompt` for built-in models; undefined if the prompt does not describe tools in this
 * form.
 */
export function fromToolsInPrompt(messages: readonly Message[]): Conversation | undefined {
  const described = describedTools(messages);
  if (described === undefined) return undefined;
  const { tools, rest: own } = described;
  const native: Message[] = own === "" ? [] : [{ role: "system", content: own }];
  let open: readonly ToolCall[] = [];
  for (const message of messages.slice(1)) {
    if (message.role === "assistant") {
      const inside = new TextCalls(tools.map(({ name }) => name));
      const before = inside.take(message.content);
      const { text, calls } = inside.end(true);
      // Ids must differ from one message to the next.
      open = calls.map((call) => ({ ...call, id: `${native.length}-${call.id}` }));
      native.push({
        role: "assistant",
        content: `${before}${text}`.trim(),
        ...(open.length === 0 ? {} : { calls: open }),
      });
    } else native.push(...results(message, open));
  }
  return { messages: native, tools };
}

function results(message: Message, calls: readonly ToolCall[]): readonly Message[] {
  const found: Message[] = [];
  let rest = message.content;
  for (const { id } of calls) {
    const to = rest.indexOf(end);
    if (!rest.startsWith(begin) || to === -1) break;
    found.push({ role: "tool", callId: id, content: rest.slice(begin.length, to) });
    rest = rest.slice(to + end.length).replace(/^\n\n/, "");
  }
  return rest === "" ? found : [...found, { ...message, content: rest } as Message];
}
