/** What a sample of Inspect AI's log refers to, put in its place: texts kept once (`attachment://`) and pooled messages (`input_refs`). */
import { field, isRecord, type JsonRecord } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";
import { SentMessages } from "./sent-messages.ts";

const protocol = "attachment://";
/** The sample without references. Throws `DataProblem` for ranges that no log has: they multiply what is in the pool. */
export function resolvedSample(sample: JsonRecord): JsonRecord {
  const { attachments, ...rest } = sample;
  const resolved = withTexts(rest, isRecord(attachments) ? attachments : {}) as JsonRecord;
  const pool = field(resolved["events_data"], "messages");
  const messages = Array.isArray(pool) ? (pool as readonly Json[]) : [];
  const events = Array.isArray(resolved["events"]) ? (resolved["events"] as readonly Json[]) : [];
  const sent = new SentMessages();
  return { ...resolved, events: events.map((event) => withMessages(event, messages, sent)) };
}

function withTexts(value: Json, texts: JsonRecord): Json {
  if (typeof value === "string") {
    const text = value.startsWith(protocol) ? field(texts, value.slice(protocol.length)) : undefined;
    return typeof text === "string" ? text : value;
  }
  if (Array.isArray(value)) return value.map((item: Json) => withTexts(item, texts));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item, texts)]));
}

/** `input_refs` are ranges of the pool, the end not among them. */
function withMessages(event: Json, pool: readonly Json[], sent: SentMessages): Json {
  const refs = field(event, "input_refs");
  if (!isRecord(event) || !Array.isArray(refs)) return event;
  const input: Json[] = [];
  for (const ref of refs as readonly Json[]) {
    const [from, to] = Array.isArray(ref) ? (ref as readonly Json[]) : [];
    if (typeof from !== "number" || typeof to !== "number") continue;
    const range = pool.slice(Math.max(0, from), Math.max(0, to));
    sent.add(range.length);
    for (const message of range) input.push(message);
  }
  return { ...event, input };
}
