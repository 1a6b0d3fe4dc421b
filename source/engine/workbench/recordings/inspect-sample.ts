/** Reads a sample of Inspect AI's log (`inspect log schema`) as a recorded task. Ignores fields that do not fit the schema. */
import { parseArguments } from "../../models/replies/text-calls.ts";
import { field, isRecord, type JsonRecord, listAt, recordAt, textAt } from "../../text/json-record.ts";
import type { Chunk, Facets, Failure, Json, Message, Role, ToolCall, ToolSpec } from "../../types.ts";
import { type RecordedAnnotation, recordedAnnotation } from "./recorded-annotation.ts";
import { type RecordedEvent, type RecordedTask, SentMessages } from "./recording.ts";

const roles: readonly string[] = ["model", "actor", "responder", "user", "judge"] satisfies readonly Role[];

/** `isOurs` is true if Planwright exported the sample, so that its scores are not stored as those of another program. */
export function inspectTask(written: JsonRecord, isOurs: boolean): RecordedTask {
  const sample = resolvedSample(written);
  const metadata = recordAt(sample, "metadata");
  const from = time(sample["started_at"]) ?? 0;
  const events: RecordedEvent[] = [];
  const messages = sharedMessages();
  const scorers = new Set<string>();
  /** Names of agents by the spans that are theirs. */
  const agents = new Map<string, string>();
  let requests = 0;
  for (const event of listAt(sample, "events").filter(isRecord)) {
    const at = time(event["timestamp"]) ?? from;
    switch (event["event"]) {
      case "span_begin":
        if (textAt(event, "type").startsWith("scorer") || scorers.has(textAt(event, "parent_id")))
          scorers.add(textAt(event, "id"));
        takeAgent(event, agents);
        break;
      case "model": {
        const role = roleOf(event, scorers);
        const agent = role === "model" ? agents.get(textAt(event, "span_id")) : undefined;
        events.push(...requestEvents(event, { role, agent }, at, requests++, messages));
        break;
      }
      case "tool":
        events.push(resultEvent(event, at));
        break;
      case "info":
        events.push(...infoEvents(event, at));
        break;
    }
  }
  return {
    id: String(sample["id"] ?? ""),
    question: questionOf(sample["input"] ?? ""),
    facets: facetsOf(isRecord(metadata["facets"]) && isOurs ? metadata["facets"] : metadata),
    reference: targetOf(sample["target"] ?? ""),
    record: isOurs && isRecord(metadata["record"]) ? metadata["record"] : undefined,
    overrides: isOurs ? listAt(metadata, "overrides") : [],
    events,
    text: isOurs ? undefined : textAt(recordAt(sample, "output"), "completion"),
    failure: failureOf(sample["error"]),
    ends: isOurs ? endOf(textAt(metadata, "state")) : sample["error"] == null ? "scored" : "failed",
    labels: isOurs ? {} : labelsOf(recordAt(sample, "scores")),
    annotations: isOurs ? [] : annotationsOf(recordAt(sample, "scores"), from),
    unset: isOurs ? (listAt(metadata, "unset") as RecordedTask["unset"]) : undefined,
    from,
    to: time(sample["completed_at"]) ?? from,
  };
}

/** Records to which agent a span belongs: the agent that it names, or the agent of the enclosing span. */
function takeAgent(span: JsonRecord, agents: Map<string, string>): void {
  const name = textAt(span, "type") === "agent" ? textAt(span, "name").slice(0, 100) : "";
  const agent = name || agents.get(textAt(span, "parent_id"));
  if (agent !== undefined) agents.set(textAt(span, "id"), agent);
}

/**
 * Returns the role of a request: requests within a scorer (spans of Inspect AI's log) or to a model in the role of a grader are a
 * judge's.
 */
function roleOf(event: JsonRecord, scorers: ReadonlySet<string>): Role {
  const role = textAt(event, "role");
  if (roles.includes(role)) return role as Role;
  return role === "grader" || scorers.has(textAt(event, "span_id")) ? "judge" : "model";
}

/** Returns a request with its reply. Planwright's own exports add the values for which Inspect has no field. */
function requestEvents(
  event: JsonRecord,
  { role, agent }: { readonly role: Role; readonly agent: string | undefined },
  at: number,
  request: number,
  messagesOf: typeof messageOf,
): readonly RecordedEvent[] {
  const metadata = recordAt(event, "metadata");
  const output = recordAt(event, "output");
  const [choice] = listAt(output, "choices");
  const message = recordAt(choice, "message");
  const tools = listAt(event, "tools").filter(isRecord).map(toolOf);
  const { saved } = metadata;
  const to = time(event["completed"]) ?? at;
  const chunks: readonly Chunk[] = [
    ...listAt(metadata, "retries").filter(isRecord).map(retryOf),
    ...thinkingOf(message).map((text): Chunk => ({ type: "thinking", text })),
    ...nonEmpty(contentText(message["content"] ?? "")).map((text): Chunk => ({ type: "text", text })),
    ...callsOf(message, listAt(metadata, "calls")).map((call): Chunk => ({ type: "call", call })),
    ...usageOf(recordAt(output, "usage"), metadata["estimated"] === true),
    ...finishOf(metadata, choice, event["error"]),
  ];
  return [
    {
      type: "prompt",
      at,
      request,
      role,
      ...(agent !== undefined && { agent }),
      model: textAt(event, "model"),
      stage: textAt(metadata, "stage"),
      messages: listAt(event, "input")
        .filter(isRecord)
        .flatMap((message) => messagesOf(message)),
      ...(tools.length > 0 && { tools }),
      ...((typeof saved === "number" || saved === "cache") && { saved }),
    },
    ...chunks.map((chunk) => ({ ...chunk, at: to, request })),
  ];
}

function retryOf({ attempt, status, error, wait, usage }: JsonRecord, index: number): Chunk {
  return {
    type: "retry",
    attempt: typeof attempt === "number" ? attempt : index + 1,
    status: typeof status === "number" ? status : undefined,
    error: typeof error === "string" ? error : "",
    wait: typeof wait === "number" ? wait : 0,
    ...(isRecord(usage) && {
      usage: {
        input: countAt(usage, "input"),
        output: countAt(usage, "output"),
        estimated: usage["estimated"] === true,
      },
    }),
  };
}

const inputCounts = ["input_tokens", "input_tokens_cache_read", "input_tokens_cache_write"];

function usageOf(usage: JsonRecord, estimated: boolean): readonly Chunk[] {
  if (usage["input_tokens"] === undefined && usage["output_tokens"] === undefined) return [];
  const cached = usage["input_tokens_cache_read"];
  const reasoning = usage["reasoning_tokens"];
  const cost = usage["total_cost"];
  return [
    {
      type: "usage",
      // The log counts tokens read from and written to a cache separately.
      input: inputCounts.reduce((sum, name) => sum + countAt(usage, name), 0),
      output: countAt(usage, "output_tokens"),
      estimated,
      ...(typeof cached === "number" && { cached }),
      ...(typeof reasoning === "number" && { reasoning }),
      ...(typeof cost === "number" && { cost }),
    },
  ];
}

const finishes: Readonly<Record<string, string>> = { max_tokens: "length", model_length: "length" };

function finishOf(metadata: JsonRecord, choice: Json | undefined, error: Json | undefined): readonly Chunk[] {
  // Our exports contain null for an incomplete reply.
  if (metadata["finish"] === null || typeof error === "string") return [];
  const stop = textAt(choice, "stop_reason");
  const reason = typeof metadata["finish"] === "string" ? metadata["finish"] : (finishes[stop] ?? stop);
  const more = recordAt(metadata, "finished") as Partial<Extract<Chunk, { type: "finish" }>>;
  return reason === "" ? [] : [{ ...more, type: "finish", reason }];
}

function resultEvent(event: JsonRecord, at: number): RecordedEvent {
  const metadata = recordAt(event, "metadata");
  const error = errorOf(event);
  const result = event["result"] ?? "";
  const observation = error === "" ? (typeof result === "string" ? result : contentText(result)) : error;
  const { status, ok, value, end, saved, asked } = metadata;
  return {
    type: "result",
    at,
    callId: textAt(event, "id"),
    name: textAt(event, "function"),
    result: {
      ok: typeof ok === "boolean" ? ok : event["failed"] !== true && error === "",
      observation,
      status: typeof status === "string" || typeof status === "number" ? status : error === "" ? "ok" : "error",
      ...(value !== undefined && { value }),
      ...(isRecord(end) && { end: { reason: textAt(end, "reason"), answer: end["answer"] } }),
    },
    ...(typeof saved === "number" && { saved }),
    ...(typeof asked === "number" && { asked }),
  };
}

/** Returns a failed tool's message, which the model received in place of a result. */
const errorOf = (value: JsonRecord): string => textAt(recordAt(value, "error"), "message");

const ours = "planwright/";

function infoEvents(event: JsonRecord, at: number): readonly RecordedEvent[] {
  const source = textAt(event, "source");
  const data = event["data"] ?? null;
  if (!source.startsWith(ours))
    return [
      {
        type: "note",
        at,
        kind: source === "" ? "info" : source,
        text: typeof data === "string" ? data : JSON.stringify(data),
      },
    ];
  const kind = source.slice(ours.length);
  if (kind === "answer") return [{ type: "answer", at, answer: field(data, "answer") ?? null }];
  if (kind === "node") return isNode(data) ? [{ ...data, type: "node", at }] : [];
  const more = field(data, "data") ?? null;
  return [{ type: "note", at, kind, text: textAt(data, "text"), ...(more !== null && { data: more }) }];
}

type NodeFields = Omit<Extract<RecordedEvent, { type: "node" }>, "type" | "at">;
const isNode = (data: Json): data is NodeFields & JsonRecord =>
  isRecord(data) && ["id", "kind", "label", "state"].every((name) => typeof data[name] === "string");

/** Requests that refer to the same pooled message share its converted form. */
function sharedMessages(): typeof messageOf {
  const made = new Map<JsonRecord, readonly Message[]>();
  return (message) => {
    const known = made.get(message) ?? messageOf(message);
    made.set(message, known);
    return known;
  };
}

function messageOf(message: JsonRecord): readonly Message[] {
  const content = contentText(message["content"] ?? "");
  switch (message["role"]) {
    case "system":
    case "user":
      return [{ role: message["role"], content }];
    case "tool":
      return [{ role: "tool", callId: textAt(message, "tool_call_id"), content: errorOf(message) || content }];
    case "assistant": {
      const calls = callsOf(message, []);
      const [thinking] = thinkingOf(message);
      return [
        {
          role: "assistant",
          content,
          ...(calls.length > 0 && { calls }),
          ...(thinking !== undefined && { thinking: { text: thinking } }),
        },
      ];
    }
    default:
      return [];
  }
}

/** Returns calls with their arguments as the model wrote them, if known. */
function callsOf(message: JsonRecord, written: readonly Json[]): readonly ToolCall[] {
  return listAt(message, "tool_calls")
    .filter(isRecord)
    .map((call) => {
      const id = textAt(call, "id");
      const raw = written.find((each) => field(each, "id") === id);
      const known = field(raw, "text");
      const failed = textAt(call, "parse_error");
      const text = typeof known === "string" ? known : failed === "" ? JSON.stringify(call["arguments"] ?? {}) : failed;
      return { id, name: textAt(call, "function"), text, arguments: parseArguments(text) };
    });
}

/** `options` contains our complete schema, because the log's schema allows few keywords. */
function toolOf(tool: JsonRecord): ToolSpec {
  const own = field(field(field(tool, "options"), "planwright"), "parameters");
  return {
    name: textAt(tool, "name"),
    description: textAt(tool, "description"),
    parameters: own ?? tool["parameters"] ?? {},
  };
}

/** Reads a text, or the texts of a list of parts; images and the like are named, not shown. */
function contentText(content: Json): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : JSON.stringify(content);
  return (content as readonly Json[])
    .flatMap((part) => {
      if (typeof part === "string") return [part];
      const type = textAt(part, "type");
      return type === "text" ? [textAt(part, "text")] : type === "reasoning" ? [] : [`[${type}]`];
    })
    .join("\n");
}

function thinkingOf(message: JsonRecord): readonly string[] {
  return listAt(message, "content")
    .filter((part) => field(part, "type") === "reasoning")
    .flatMap((part) => nonEmpty(textAt(part, "reasoning")));
}

function questionOf(input: Json): string {
  if (!Array.isArray(input)) return contentText(input);
  const asked = (input as readonly Json[]).filter((message) => field(message, "role") === "user");
  return asked.map((message) => contentText(field(message, "content") ?? "")).join("\n");
}

const targetOf = (target: Json): string =>
  Array.isArray(target) ? target.map(String).join(" | ") : contentText(target);

function facetsOf(metadata: Json): Facets {
  const entries = isRecord(metadata) ? Object.entries(metadata) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | number] => ["string", "number"].includes(typeof entry[1])),
  );
}

const endOf = (state: string): RecordedTask["ends"] => (state === "scored" || state === "failed" ? state : "open");

const kinds = ["model", "tool", "parse", "judge", "timeout", "budget", "context", "stopped", "bug"] as const;

function failureOf(error: Json | undefined): Failure | undefined {
  const message = textAt(error, "message");
  if (message === "") return undefined;
  const kind = kinds.find((name) => message.startsWith(`${name}: `));
  return kind === undefined ? { kind: "model", message } : { kind, message: message.slice(kind.length + 2) };
}

function labelsOf(scores: JsonRecord): RecordedTask["labels"] {
  return Object.fromEntries(
    Object.entries(scores).map(([scorer, score]) => {
      const value = field(score, "value") ?? null;
      return [`inspect.${scorer}`, typeof value === "string" ? value : JSON.stringify(value)];
    }),
  );
}

/** Returns the manual edits of scores: the person, the new value and the reason. */
function annotationsOf(scores: JsonRecord, from: number): readonly RecordedAnnotation[] {
  const edits = Object.entries(scores).flatMap(([scorer, score]) =>
    listAt(score, "history").map((edit) => {
      const { author, reason, timestamp } = recordAt(edit as JsonRecord, "provenance");
      const value = field(edit, "value");
      const parts = [value === "UNCHANGED" ? undefined : value, reason, field(edit, "explanation")];
      const said = parts.flatMap((part) => (part === undefined || part === null || part === "UNCHANGED" ? [] : [part]));
      return recordedAnnotation(
        { by: typeof author === "string" ? author : "", kind: scorer, at: time(timestamp) ?? from },
        said.map((part) => (typeof part === "string" ? part : JSON.stringify(part))),
      );
    }),
  );
  return edits.filter((each) => each !== undefined);
}

const countAt = (value: Json | undefined, name: string): number => {
  const found = field(value, name);
  return typeof found === "number" && Number.isFinite(found) ? found : 0;
};
const nonEmpty = (text: string): readonly string[] => (text === "" ? [] : [text]);

function time(written: Json | undefined): number | undefined {
  const at = typeof written === "string" ? Date.parse(written) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

const protocol = "attachment://";
/** Resolves the references of a sample. Throws `DataProblem` for ranges that occur in no log, because they multiply the pool. */
function resolvedSample(sample: JsonRecord): JsonRecord {
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

/** Reads `input_refs`, ranges of the pool that exclude their end. */
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
