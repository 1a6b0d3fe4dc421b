/** Reads requests and calls out of the attributes of spans, by the GenAI conventions of OpenTelemetry or by OpenInference. */
import { field, isRecord, listAt, parseJson, textAt } from "../../text/json-record.ts";
import type { Json, Message, ToolCall, ToolSpec } from "../../types.ts";
import { countIn, type RecordedRequest } from "./recorded-agents.ts";

export type Attributes = ReadonlyMap<string, Json>;

/** Most messages of a request, and most calls of a message, in attributes with numbers. */
const mostNumbered = 10_000;

/** Returns attributes by name, with plain values. */
export const attributesOf = (list: readonly Json[]): Attributes =>
  new Map(list.map((each) => [textAt(each, "key"), plainValue(field(each, "value"))] as const));

/** Converts an `AnyValue` of OTLP. */
function plainValue(value: Json | undefined): Json {
  if (!isRecord(value)) return null;
  const [kind = "", inner = null] = Object.entries(value)[0] ?? [];
  if (kind === "intValue") return Number(inner);
  if (kind === "arrayValue") return listAt(inner, "values").map(plainValue);
  if (kind === "kvlistValue") return Object.fromEntries(attributesOf(listAt(inner, "values")));
  return inner;
}

type Request = Omit<RecordedRequest, "agent" | "from" | "to">;
type Reply = {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly finish?: string;
};

/** Returns the request of a span to a model; undefined for any other span. */
export function readRequest(attributes: Attributes): Request | undefined {
  const operation = attributes.get("gen_ai.operation.name");
  const isOpenInference = attributes.get("openinference.span.kind") === "LLM";
  const isModel = ["chat", "text_completion", "generate_content"].includes(String(operation));
  const isOlder = attributes.has("gen_ai.request.model") && operation === undefined;
  if (isOpenInference) return openInference(attributes);
  return isModel || isOlder ? genAi(attributes) : undefined;
}

/** Returns the call of a span that executed a tool; undefined for any other span. */
export function readTool(attributes: Attributes, span: string) {
  const text = (name: string) => asText(attributes.get(name));
  if (attributes.get("gen_ai.operation.name") === "execute_tool")
    return {
      name: text("gen_ai.tool.name") || span,
      callId: text("gen_ai.tool.call.id"),
      content: text("gen_ai.tool.call.result") || text("gen_ai.tool.message"),
    };
  if (attributes.get("openinference.span.kind") !== "TOOL") return undefined;
  return {
    name: text("tool.name") || span,
    callId: text("tool.id") || text("tool_call.id"),
    content: text("output.value"),
  };
}

const asText = (value: Json | undefined): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

/** Parses attributes, which may contain JSON as text. */
const parsed = (value: Json | undefined): Json | undefined => (typeof value === "string" ? parseJson(value) : value);

function callOf(id: Json | undefined, name: Json | undefined, given: Json | undefined): ToolCall {
  const text = typeof given === "string" ? given : JSON.stringify(given ?? {});
  return { id: asText(id), name: asText(name), text, arguments: parseJson(text) };
}

/** Returns the message with this role; a message with an unknown role is the user's. */
function messageOf(role: string, { text, calls }: Pick<Reply, "text" | "calls">, callId = ""): Message {
  if (role === "assistant" || role === "model" || role === "ai")
    return { role: "assistant", content: text, ...(calls.length > 0 && { calls }) };
  if (role === "tool") return { role, callId, content: text };
  return { role: role === "system" || role === "developer" ? "system" : "user", content: text };
}

function genAi(attributes: Attributes): Request {
  const system = parsed(attributes.get("gen_ai.system_instructions"));
  const input = parsed(attributes.get("gen_ai.input.messages"));
  const output = listOf(parsed(attributes.get("gen_ai.output.messages")));
  const instructions = partsOf(system ?? null).text;
  const messages = Array.isArray(input) ? listOf(input).flatMap(genAiMessages) : numbered(attributes, "gen_ai.prompt");
  const replies = output.length > 0 ? output.map(genAiReply) : numberedReplies(attributes, "gen_ai.completion");
  const [reply] = replies;
  return {
    model: asText(attributes.get("gen_ai.response.model") ?? attributes.get("gen_ai.request.model")),
    messages: [...(instructions === "" ? [] : [{ role: "system", content: instructions } as const]), ...messages],
    ...toolsOf(listOf(parsed(attributes.get("gen_ai.tool.definitions")))),
    text: reply?.text ?? "",
    thinking: reply?.thinking ?? "",
    calls: reply?.calls ?? [],
    usage: usageOf(
      attributes.get("gen_ai.usage.input_tokens") ?? attributes.get("gen_ai.usage.prompt_tokens"),
      attributes.get("gen_ai.usage.output_tokens") ?? attributes.get("gen_ai.usage.completion_tokens"),
      attributes.get("gen_ai.usage.cache_read.input_tokens"),
    ),
    finish: finishOf(reply?.finish || asText(listOf(attributes.get("gen_ai.response.finish_reasons"))[0])),
  };
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

/**
 * Returns the messages in a message, which contains parts: texts, calls, and results of calls, each of which is a separate
 * message in Planwright.
 */
function genAiMessages(message: Json): readonly Message[] {
  const parts = listOf(field(message, "parts"));
  const results = parts.filter((part) => textAt(part, "type") === "tool_call_response");
  const own = partsOf(parts.length > 0 ? parts : (field(message, "content") ?? null));
  const tools = results.map((part): Message => ({
    role: "tool",
    callId: textAt(part, "id"),
    content: asText(field(part, "response") ?? field(part, "result")),
  }));
  if (tools.length > 0 && own.text === "" && own.calls.length === 0) return tools;
  return [messageOf(textAt(message, "role"), own), ...tools];
}

function genAiReply(message: Json): Reply {
  return {
    ...partsOf(field(message, "parts") ?? field(message, "content") ?? null),
    finish: textAt(message, "finish_reason"),
  };
}

function partsOf(content: Json): Reply {
  if (typeof content === "string") return { text: content, thinking: "", calls: [] };
  const parts = listOf(content);
  const texts = (type: string) =>
    parts
      .filter((part) => textAt(part, "type") === type)
      .map((part) => textAt(part, "content") || textAt(part, "text"));
  const calls = parts.filter((part) => textAt(part, "type") === "tool_call");
  return {
    text: texts("text").join("\n"),
    thinking: texts("reasoning").join("\n"),
    calls: calls.map((part) => callOf(field(part, "id"), field(part, "name"), field(part, "arguments"))),
  };
}

/** Reads messages in attributes with numbers, such as `gen_ai.prompt.0.role` and `gen_ai.prompt.0.content`. */
function numbered(attributes: Attributes, prefix: string): readonly Message[] {
  return numberedReplies(attributes, prefix).map((reply, index) =>
    messageOf(
      asText(attributes.get(`${prefix}.${index}.role`)),
      reply,
      asText(attributes.get(`${prefix}.${index}.tool_call_id`)),
    ),
  );
}

function numberedReplies(attributes: Attributes, prefix: string): readonly Reply[] {
  const replies: Reply[] = [];
  for (let index = 0; index < mostNumbered; index++) {
    const [own, get] = [`${prefix}.${index}`, (name: string) => attributes.get(`${prefix}.${index}.${name}`)];
    if (get("role") === undefined && get("content") === undefined) break;
    const calls: ToolCall[] = [];
    for (let call = 0; call < mostNumbered && attributes.has(`${own}.tool_calls.${call}.name`); call++)
      calls.push(
        callOf(get(`tool_calls.${call}.id`), get(`tool_calls.${call}.name`), get(`tool_calls.${call}.arguments`)),
      );
    replies.push({ text: asText(get("content")), thinking: "", calls, finish: asText(get("finish_reason")) });
  }
  return replies;
}

function openInference(attributes: Attributes): Request {
  const input = inferred(attributes, "llm.input_messages");
  const [output] = inferred(attributes, "llm.output_messages");
  const tools: Json[] = [];
  for (let index = 0; index < mostNumbered && attributes.has(`llm.tools.${index}.tool.json_schema`); index++)
    tools.push(parsed(attributes.get(`llm.tools.${index}.tool.json_schema`)) ?? null);
  return {
    model: asText(attributes.get("llm.model_name")),
    messages: input.map(({ role, callId, ...said }) => messageOf(role, said, callId)),
    ...toolsOf(tools),
    text: output?.text ?? (output === undefined ? asText(attributes.get("output.value")) : ""),
    thinking: output?.thinking ?? "",
    calls: output?.calls ?? [],
    usage: usageOf(
      attributes.get("llm.token_count.prompt"),
      attributes.get("llm.token_count.completion"),
      attributes.get("llm.token_count.prompt_details.cache_read"),
    ),
    finish: finishOf(asText(attributes.get("llm.finish_reason"))),
  };
}

function inferred(attributes: Attributes, prefix: string) {
  const found: (Reply & { readonly role: string; readonly callId: string })[] = [];
  for (let index = 0; index < mostNumbered; index++) {
    const get = (name: string) => attributes.get(`${prefix}.${index}.message.${name}`);
    const texts: string[] = [];
    for (let part = 0; part < mostNumbered; part++) {
      const text = get(`contents.${part}.message_content.text`);
      if (text === undefined && get(`contents.${part}.message_content.type`) === undefined) break;
      texts.push(asText(text));
    }
    const calls: ToolCall[] = [];
    for (let call = 0; call < mostNumbered; call++) {
      const inner = (name: string) => get(`tool_calls.${call}.tool_call.${name}`);
      if (inner("function.name") === undefined) break;
      calls.push(callOf(inner("id"), inner("function.name"), inner("function.arguments")));
    }
    const role = get("role");
    if (role === undefined && get("content") === undefined && texts.length === 0 && calls.length === 0) break;
    const text = asText(get("content")) || texts.join("\n");
    found.push({ role: asText(role), callId: asText(get("tool_call_id")), text, thinking: "", calls });
  }
  return found;
}

function toolsOf(list: readonly Json[]): { readonly tools?: readonly ToolSpec[] } {
  const tools = list.flatMap((tool): readonly ToolSpec[] => {
    const own = field(tool, "function") ?? tool;
    const name = textAt(own, "name");
    const parameters = field(own, "parameters") ?? field(own, "input_schema") ?? {};
    return name === "" ? [] : [{ name, description: textAt(own, "description"), parameters }];
  });
  return tools.length === 0 ? {} : { tools };
}

function usageOf(...[input, output, cached]: readonly (Json | undefined)[]): Request["usage"] {
  const [sent, got, kept] = [countIn(input), countIn(output), countIn(cached)];
  return sent === undefined || got === undefined
    ? undefined
    : { input: sent, output: got, ...(kept && { cached: kept }) };
}

const finishOf = (reason: string): string => (reason === "tool_call" ? "tool_calls" : reason || "stop");
