/** A request in the words of the Messages protocol, from the same request in those of chat completions. */
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { isRecord } from "../../../text/json-record.ts";
import { parseArguments } from "../../replies/text-calls.ts";
import type { Json } from "../../../types.ts";
import type { Body } from "../adaptation.ts";
import type { WithReasoningItems } from "../chat/chat.ts";

/** Tokens a reply may have if the cell names no limit: the protocol requires one, and this is what all its servers allow. */
const defaultMaxTokens = 8192;

type Fields = { readonly [field: string]: Json | undefined };
type Turn = { readonly role: "user" | "assistant"; readonly content: readonly Fields[] };

/** Returns the most tokens of the reply; undefined if the cell names none. */
export function maxTokensOf({ max_tokens, max_completion_tokens }: Body): number | undefined {
  return max_tokens ?? max_completion_tokens ?? undefined;
}

/** Builds what is sent. The fields of `request` are the user's own, under the names this protocol has for them. */
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
    // Thinking counts among them.
    max_tokens: maxTokensOf(chat) ?? defaultMaxTokens + (thinking?.budget_tokens ?? 0),
    ...(system === "" ? {} : { system }),
    messages: turns,
    ...(tools === undefined ? {} : { tools: tools.flatMap(toolParam) }),
    ...(stop == null ? {} : { stop_sequences: [stop].flat() }),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
  };
}

/** Roles alternate, and the first is the user's: neighbours are one turn, and a system message alone is what the user says. */
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

/** Content blocks of a message. Thinking stands before what it led to, as it came: its signatures are checked. */
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

/** Our messages hold text alone; the protocol refuses empty blocks. */
function textOf(content: ChatCompletionMessageParam["content"]): readonly string[] {
  return typeof content === "string" && content !== "" ? [content] : [];
}

const textBlock = (text: string): Fields => ({ type: "text", text });

/** Ids of other protocols' servers may hold signs that this one refuses. */
const idOf = (id: string): string => id.replace(/[^\w-]/g, "_");

/** Arguments that are no object are wrapped as the documentation proposes. */
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
