/** Converts a request of chat completions to the Messages protocol. */
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { isRecord } from "../../../text/json-record.ts";
import { parseArguments } from "../../replies/text-calls.ts";
import type { Json } from "../../../types.ts";
import type { Body } from "../adaptation.ts";
import type { WithReasoningItems } from "../chat/chat.ts";

/** Token limit of a reply if the cell sets no limit: the protocol requires a limit, and all its servers allow this value. */
const defaultMaxTokens = 8192;

type Fields = { readonly [field: string]: Json | undefined };
type Turn = { readonly role: "user" | "assistant"; readonly content: readonly Fields[] };

/** Returns the token limit of the reply; undefined if the cell sets none. */
export const maxTokensOf = ({ max_tokens, max_completion_tokens }: Body): number | undefined =>
  max_tokens ?? max_completion_tokens ?? undefined;

/** Builds the request body. The fields of `request` are the user's own, under the names of this protocol. */
export function messagesBody(chat: Body): object {
  const { messages, tools, stop, response_format: format, reasoning_effort: effort, ...others } = chat;
  const { stream_options: _, max_tokens: __, max_completion_tokens: ___, ...fields } = others;
  const { output_config: given, thinking } = fields as {
    readonly output_config?: object;
    readonly thinking?: { readonly budget_tokens?: number };
  };
  const schema = format?.type === "json_schema" ? format.json_schema.schema : undefined;
  const config = {
    ...(effort == null ? {} : { effort }),
    ...(schema === undefined ? {} : { format: { type: "json_schema", schema } }),
    ...given,
  };
  const { system, turns } = conversation(messages);
  return {
    ...fields,
    // Thinking counts towards the limit.
    max_tokens: maxTokensOf(chat) ?? defaultMaxTokens + (thinking?.budget_tokens ?? 0),
    ...(system === "" ? {} : { system }),
    messages: turns,
    ...(tools === undefined ? {} : { tools: tools.flatMap(toolParam) }),
    ...(stop == null ? {} : { stop_sequences: [stop].flat() }),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
  };
}

/**
 * Returns turns of alternating roles, starting with the user: adjacent messages form one turn, and a single system message
 * becomes the user's.
 */
function conversation(messages: Body["messages"]): { readonly system: string; readonly turns: readonly Turn[] } {
  const said = messages.filter(({ role }) => role === "system").flatMap(({ content }) => textOf(content));
  const system = said.join("\n\n");
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message);
    const last = turns.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) turns[turns.length - 1] = { role, content: [...last.content, ...content] };
    else turns.push({ role, content });
  }
  if (turns[0]?.role === "user" || system === "") return { system, turns };
  return { system: "", turns: [{ role: "user", content: [textBlock(system)] }, ...turns] };
}

/** Returns content blocks of a message. Thinking precedes the results unchanged, because its signatures are checked. */
function blocksOf(message: ChatCompletionMessageParam & WithReasoningItems): readonly Fields[] {
  const text = textOf(message.content).map(textBlock);
  if (message.role === "tool")
    return [
      { type: "tool_result", tool_use_id: idOf(message.tool_call_id), content: textOf(message.content).join("") },
    ];
  if (message.role !== "assistant") return text;
  const { reasoning_items: items = [], tool_calls: calls = [] } = message;
  const thinking = (items as readonly Fields[]).filter(
    ({ type }) => type === "thinking" || type === "redacted_thinking",
  );
  const called = calls.flatMap((call) =>
    call.type === "function"
      ? [{ type: "tool_use", id: idOf(call.id), name: call.function.name, input: inputOf(call.function.arguments) }]
      : [],
  );
  return [...thinking, ...text, ...called];
}

/** Our messages contain text alone, and the protocol rejects empty blocks. */
const textOf = (content: ChatCompletionMessageParam["content"]): readonly string[] =>
  typeof content === "string" && content !== "" ? [content] : [];

const textBlock = (text: string): Fields => ({ type: "text", text });

/**
 * Returns an id that this protocol accepts, because ids from servers of other protocols may contain characters that it rejects.
 */
const idOf = (id: string): string => id.replace(/[^\w-]/g, "_");

/** Returns arguments as an object. Arguments that are not an object are wrapped, as the documentation proposes. */
function inputOf(text: string): Json {
  const value = parseArguments(text);
  if (isRecord(value)) return value;
  return text.trim() === "" ? {} : { INVALID_JSON: text };
}

function toolParam(tool: ChatCompletionTool): readonly object[] {
  if (tool.type !== "function") return [];
  const { name, description, parameters } = tool.function;
  return [{ name, description, input_schema: parameters }];
}
