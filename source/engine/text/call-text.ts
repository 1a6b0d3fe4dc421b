import type { ToolCall } from "../types.ts";
import { isRecord } from "./json-record.ts";

/** A tool call as people write one: `book(place="Odeon", seats=2)`; arguments that are no object stand as the model wrote them. */
export function callText({ name, text, arguments: given }: Pick<ToolCall, "name" | "text" | "arguments">): string {
  if (!isRecord(given)) return `${name}(${text})`;
  const pairs = Object.entries(given).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `${name}(${pairs.join(", ")})`;
}
