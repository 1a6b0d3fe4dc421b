/** Answers as a JSON object, as servers give one: it holds the list the answer is. */
import type { ReplyForm } from "../../../source/engine/protocol.ts";
import { isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Aspect } from "../data/aspects.ts";
import { type ListForm, shownList } from "./lists.ts";

const text = { type: "string" };
const flag = { type: "string", enum: ["0", "1"] };
/** What a step of the answer holds beside `step`; plans are text. */
const fields: Readonly<Record<Exclude<Aspect, "planning">, { readonly [name: string]: Json }>> = {
  tool_usage_awareness: { tool: flag },
  tool_creation_awareness: { tool: flag },
  tool_selection: { tool: text },
  tool_creation: { tool: { type: "object" } },
  tool_usage: { tool: text, param: { type: "object", additionalProperties: text } },
};

/** What answers of this ability are read as; undefined for plans, which are text. */
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

/** The list in an object, as the prompt asks for it. */
export function inObject(steps: Json): string {
  return JSON.stringify({ steps });
}

/** The list in such an object, written as answers are without one; any other reply as it is. */
export function withoutObject(reply: string, lists: ListForm): string {
  try {
    const value = JSON.parse(reply) as Json;
    return isRecord(value) && Array.isArray(value["steps"]) ? shownList(value["steps"], lists) : reply;
  } catch {
    return reply;
  }
}
