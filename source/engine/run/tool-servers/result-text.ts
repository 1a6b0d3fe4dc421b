/** What a model is shown of a tool's result. What a tool server sends is hostile: it is read as text and nothing else. */
import { field, isRecord } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";

/** Characters of a result that a model is shown. */
const longest = 20_000;

/** The texts of a result of the Model Context Protocol, one below the other; other kinds of content are named. */
export function resultText(result: Json): string {
  const content = field(result, "content");
  const parts = Array.isArray(content) ? (content as readonly Json[]).map(partText) : [];
  const structured = field(result, "structuredContent");
  const text = parts.length === 0 && structured !== undefined ? JSON.stringify(structured) : parts.join("\n");
  return text.length <= longest ? text : `${text.slice(0, longest)}\n(cut: ${text.length} characters in all)`;
}

function partText(part: Json): string {
  const text = field(part, "text");
  if (typeof text === "string") return text;
  const resource = field(part, "resource");
  const held = field(resource, "text");
  if (typeof held === "string") return held;
  const kind = field(part, "type");
  const about = isRecord(resource) ? resource : part;
  const named = [field(about, "mimeType"), field(about, "uri")].filter((each) => typeof each === "string");
  return `[${[typeof kind === "string" ? kind : "content", ...named].join(" ")}]`;
}
