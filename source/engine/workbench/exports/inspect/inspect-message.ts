/** Writes messages, tools and replies in the format of Inspect AI's log (`inspect log schema`). */
import { filledList, isRecord } from "../../../text/json-record.ts";
import type { Turn } from "../../../log/trajectory.ts";
import type { Json, Message, Mistake, Score, TokenUsage, ToolCall, ToolSpec } from "../../../types.ts";
import { randomUUID } from "node:crypto";
import { verdictOf } from "../../../log/rows/verdict.ts";

export function inspectMessage(message: Message): Json {
  if (message.role === "tool") return { role: "tool", content: message.content, tool_call_id: message.callId };
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  const { content, calls = [], thinking } = message;
  return assistantMessage(content, thinking?.text ?? "", calls);
}

export function assistantMessage(text: string, thinking: string, calls: readonly ToolCall[]): Json {
  const content: Json =
    thinking === ""
      ? text
      : [
          { type: "reasoning", reasoning: thinking },
          { type: "text", text },
        ];
  return { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls.map(inspectCall) }) };
}

/** Returns a call for the log, which requires arguments to be an object; any other text becomes a parse error. */
function inspectCall({ id, name, text, arguments: given }: ToolCall): Json {
  const call = { id, function: name, type: "function" };
  return isRecord(given) ? { ...call, arguments: given } : { ...call, arguments: {}, parse_error: text };
}

/** The log's schema allows few keywords, so `options` contains our complete schema. */
export function inspectTool({ name, description, parameters }: ToolSpec): Json {
  const { properties, required } = isRecord(parameters) ? parameters : {};
  return {
    name,
    description,
    parameters: {
      type: "object",
      properties: isRecord(properties)
        ? Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inspectSchema(value)]))
        : {},
      required: Array.isArray(required) ? required.filter((each) => typeof each === "string") : [],
    },
    options: { planwright: { parameters } },
  };
}

const jsonTypes = ["string", "integer", "number", "boolean", "array", "object", "null"];

function inspectSchema(schema: Json): Json {
  if (!isRecord(schema)) return {};
  const { type, description, items, enum: values } = schema;
  return {
    ...(typeof type === "string" && jsonTypes.includes(type) ? { type } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(Array.isArray(values) ? { enum: values } : {}),
    ...(isRecord(items) ? { items: inspectSchema(items) } : {}),
  };
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: "stop",
  length: "max_tokens",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  content_filter: "content_filter",
};

export function inspectOutput({ model, text, thinking, calls, finish, tokens }: Turn): Json {
  const message = assistantMessage(text, thinking, calls);
  const stopReason = (finish === undefined ? undefined : stopReasons[finish]) ?? "unknown";
  return {
    model,
    choices: [{ message, stop_reason: stopReason }],
    completion: text,
    ...(tokens === undefined ? {} : { usage: inspectUsage(tokens) }),
  };
}

export type InspectUsage = { readonly [name: string]: number };

export function inspectUsage({ input, output, cached, reasoning, cost }: TokenUsage): InspectUsage {
  return {
    // The log counts cached tokens separately.
    input_tokens: input - (cached ?? 0),
    output_tokens: output,
    total_tokens: input + output,
    ...(cached === undefined ? {} : { input_tokens_cache_read: cached }),
    ...(reasoning === undefined ? {} : { reasoning_tokens: reasoning }),
    ...(cost === undefined ? {} : { total_cost: cost }),
  };
}

/** Adds two usages field by field. */
export function addedUsage(before: InspectUsage | undefined, more: InspectUsage): InspectUsage {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(more)]);
  return Object.fromEntries([...names].map((name) => [name, (before?.[name] ?? 0) + (more[name] ?? 0)]));
}

/** Placeholder for NaN (unscored), for which JSON has no number; see `inspectText`. No text of a model can equal it. */
export const notANumber = `not-a-number:${randomUUID()}`;

export function inspectScore(score: Score, answer: Json | undefined) {
  const { value, metrics, checks, errors, labels = {} } = score;
  return {
    value: value ?? notANumber,
    answer: answer === undefined || typeof answer === "string" ? answer : JSON.stringify(answer),
    explanation: filledList(errors.map(mistakeText))?.join("\n"),
    metadata: {
      verdict: verdictOf(score),
      metrics,
      checks: checks.map(({ name, kept, message }) => ({ name, kept: kept ?? null, message: message ?? null })),
      errors: errors.map((error) => ({ ...error })),
      labels,
    },
    history: [],
  };
}

function mistakeText({ kind, step, key, expected, got, note }: Mistake): string {
  const where = [step === undefined ? [] : [`step ${step + 1}`], key === undefined ? [] : [key]].flat().join(", ");
  const said = [
    expected === undefined ? [] : `expected ${expected}`,
    got === undefined ? [] : `got ${got}`,
    note ?? [],
  ];
  const what = said.flat().join(", ");
  return [kind + (where === "" ? "" : ` (${where})`), what].filter((part) => part !== "").join(": ");
}
