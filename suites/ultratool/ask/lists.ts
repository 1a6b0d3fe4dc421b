/** Writes lists for prompts and perfect answers, and wraps them in a JSON object for servers that require one. */
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { ReplyForm } from "../../../source/engine/protocol.ts";
import { field, parseJson } from "../../../source/engine/text/json-record.ts";
import type { Aspect } from "../data/aspects.ts";

/** Form of lists in the prompt: `python` as published, with single quotes, or `json`. It affects the answers of models. */
export type ListForm = "python" | "json";

export const listForm = (options: Readonly<Record<string, string | number>>): ListForm =>
  options["lists"] === "json" ? "json" : "python";

export function shownList(value: Json, lists: ListForm): string {
  const json = JSON.stringify(value);
  return lists === "json" ? json : pythonRepr(parseJsonAsPython(json));
}

const text = { type: "string" };
const flag = { type: "string", enum: ["0", "1"] };
/** Fields of a step in the answer besides `step`; plans are text. */
const fields: Readonly<Record<Exclude<Aspect, "planning">, { readonly [name: string]: Json }>> = {
  tool_usage_awareness: { tool: flag },
  tool_creation_awareness: { tool: flag },
  tool_selection: { tool: text },
  tool_creation: { tool: { type: "object" } },
  tool_usage: { tool: text, param: { type: "object", additionalProperties: text } },
};

/** Returns the reply format of an ability; undefined for plans, which are text. */
export function formOf(aspect: Aspect): ReplyForm | undefined {
  if (aspect === "planning") return undefined;
  const properties = { step: text, ...fields[aspect] };
  const step = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  return {
    name: aspect,
    schema: {
      type: "object",
      properties: { steps: { type: "array", items: step } },
      required: ["steps"],
      additionalProperties: false,
    },
    strict: aspect !== "tool_creation" && aspect !== "tool_usage",
  };
}

/** Wraps the list in an object, as the prompt requests. */
export const inObject = (steps: Json): string => JSON.stringify({ steps });

/** Unwraps such an object into the usual list form; returns any other reply unchanged. */
export function withoutObject(reply: string, lists: ListForm): string {
  const steps = field(parseJson(reply), "steps");
  return Array.isArray(steps) ? shownList(steps, lists) : reply;
}
