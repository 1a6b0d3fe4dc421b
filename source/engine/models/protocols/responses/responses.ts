/** The Responses protocol, and its requests. */
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import type { ResponseCreateParamsStreaming, ResponseInputItem } from "openai/resources/responses/responses";
import type { Json } from "../../../types.ts";
import { type Adaptation, adaptationAfter, type Body } from "../adaptation.ts";
import type { WithReasoningItems } from "../chat/chat.ts";
import { bearer, type WireProtocol, sendTo } from "../protocol.ts";
import { ResponseEvents } from "./response-events.ts";

export const responses: WireProtocol = {
  thinkingAsItems: true,
  headers: bearer,
  lacks: () => ["stop", "seed", "minP"],
  adjustments: () => ["asked-by-responses"],
  body: responsesBody,
  send: sendTo("/responses"),
  read(body) {
    const events = new ResponseEvents((body as ResponseCreateParamsStreaming).max_output_tokens ?? undefined);
    return (event) => events.chunks(event);
  },
  refusal: adaptationAfter,
};

/**
 * Returns the request body. It asks the server to store nothing and therefore to return its thinking in a form that can be sent
 * back; fields of `request` in a run's cell (`store: true`) take precedence.
 */
function responsesBody(body: Body, without: ReadonlySet<Adaptation>): ResponseCreateParamsStreaming {
  const { messages, tools, max_tokens, max_completion_tokens, response_format, reasoning_effort, ...others } = body;
  const { stream_options: _, ...fields } = others as typeof others & {
    readonly text?: object;
    readonly reasoning?: object;
  };
  const most = max_tokens ?? max_completion_tokens;
  const whole = {
    store: false,
    include: ["reasoning.encrypted_content"],
    ...fields,
    input: messages.flatMap(inputItems),
    ...(tools === undefined ? {} : { tools: tools.map(toolParam) }),
    ...(most == null ? {} : { max_output_tokens: most }),
    ...(response_format === undefined ? {} : { text: { ...fields.text, format: formatParam(response_format) } }),
    ...(reasoning_effort == null ? {} : { reasoning: { effort: reasoning_effort, ...fields.reasoning } }),
  };
  const kept = Object.entries(whole).filter(([field]) => !without.has(field as Adaptation));
  // The fields of `request` are the user's own, under this protocol's names.
  return Object.fromEntries(kept) as unknown as ResponseCreateParamsStreaming;
}

function inputItems(message: ChatCompletionMessageParam & WithReasoningItems): ResponseInputItem[] {
  switch (message.role) {
    case "assistant": {
      const { reasoning_items: thinking = [], tool_calls: calls = [] } = message;
      const text = textOf(message.content);
      const said = { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
      const called = calls.flatMap((call) =>
        call.type === "function" ? [{ type: "function_call", call_id: call.id, ...call.function }] : [],
      );
      return [...thinking.filter(isReasoning), ...(text === "" ? [] : [said]), ...called] as ResponseInputItem[];
    }
    case "tool":
      return [{ type: "function_call_output", call_id: message.tool_call_id, output: textOf(message.content) }];
    case "system":
    case "user":
      return [{ role: message.role, content: textOf(message.content) }];
    default:
      throw new TypeError(`Expected no message of role \`${message.role}\``);
  }
}

/** A conversation may have begun with another protocol. */
const isReasoning = (item: Json): boolean => (item as { readonly type?: Json } | null)?.type === "reasoning";

/** Our messages contain text alone. */
const textOf = (content: ChatCompletionMessageParam["content"]): string => (typeof content === "string" ? content : "");

/** Tools are not strict, as in chat completions, because strict schemas must have a certain form. */
const toolParam = (tool: ChatCompletionTool): object =>
  tool.type === "function" ? { type: "function", ...tool.function, strict: false } : tool;

const formatParam = (format: NonNullable<Body["response_format"]>): object =>
  format.type === "json_schema" ? { type: "json_schema", ...format.json_schema } : format;
