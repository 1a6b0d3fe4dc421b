/** Parses a chat completions request for built-in models. */
import type { Json, Message, ToolCall, ToolSpec } from "../../types.ts";
import { BuiltinProblem } from "./builtin-name.ts";
import { parseArguments } from "../replies/text-calls.ts";

export type WireRequest = {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly stop: readonly string[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
};

type Fields = { readonly [key: string]: unknown };

/** Parses a request body. Throws `BuiltinProblem` with the invalid field. */
export function readWireRequest(body: string): WireRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw new BuiltinProblem(`Expected a JSON body: ${(error as Error).message}`);
  }
  const { model, messages, tools = [], stop = [], stream = false, stream_options: options } = fields(value, "the body");
  if (typeof model !== "string") throw new BuiltinProblem("Expected `model` to be text");
  return {
    model,
    messages: list(messages, "messages").map(readMessage),
    tools: list(tools, "tools").map(readTool),
    stop: (typeof stop === "string" ? [stop] : list(stop ?? [], "stop")).filter((each) => typeof each === "string"),
    stream: stream === true,
    includeUsage:
      options !== undefined && options !== null && fields(options, "stream_options")["include_usage"] === true,
  };
}

function readMessage(value: unknown): Message {
  const { role, content, tool_calls: calls, tool_call_id: callId } = fields(value, "messages");
  const text = textOf(content);
  switch (role) {
    case "system":
    case "developer":
      return { role: "system", content: text };
    case "user":
      return { role, content: text };
    case "tool":
      return { role, callId: typeof callId === "string" ? callId : "", content: text };
    case "assistant":
      if (calls === undefined || calls === null) return { role, content: text };
      return { role, content: text, calls: list(calls, "tool_calls").map(readCall) };
    default:
      throw new BuiltinProblem(`Expected a role of system, user, assistant or tool, got \`${String(role)}\``);
  }
}

/** Returns the text of a content, which may come in parts. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((part: unknown) => String((part as Fields | null)?.["text"] ?? "")).join("");
}

function readCall(value: unknown): ToolCall {
  const call = fields(value, "tool_calls");
  const { name, arguments: text } = fields(call["function"], "tool_calls.function");
  const written = typeof text === "string" ? text : "";
  return { id: String(call["id"]), name: String(name), text: written, arguments: parseArguments(written) };
}

function readTool(value: unknown): ToolSpec {
  const { name, description, parameters } = fields(fields(value, "tools")["function"], "tools.function");
  return {
    name: String(name),
    description: typeof description === "string" ? description : "",
    parameters: (parameters ?? {}) as Json,
  };
}

function fields(value: unknown, name: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BuiltinProblem(`Expected \`${name}\` to be an object`);
  return value as Fields;
}

function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BuiltinProblem(`Expected \`${name}\` to be a list`);
  return value;
}
