/** Documents of the Agent Trajectory Interchange Format (Harbor's; versions 1.0 to 1.8), one a task, read as a recording. */
import { judgeAgent } from "../exports/atif.ts";
import { DataProblem } from "../../text/json-lines.ts";
import { field, isRecord, type JsonRecord, listAt, textAt } from "../../text/json-record.ts";
import type { Chunk, Json, Message, Role, ToolCall, ToolSpec } from "../../types.ts";
import type { RecordedEvent, RecordedTask, Recording } from "./recording.ts";

export function isAtifDocument(value: Json): value is JsonRecord {
  const version = field(value, "schema_version");
  return typeof version === "string" && /^ATIF-v1\.\d+$/.test(version) && Array.isArray(field(value, "steps"));
}

/** All documents are of one agent. Throws `DataProblem` where one is no such document. */
export function atifRecording(
  documents: readonly { readonly number: number; readonly value: Json }[],
  path: string,
): Recording {
  const all = documents.map(({ number, value }) => {
    if (!isAtifDocument(value))
      throw new DataProblem(`Expected document ${number} of ${path} to be ATIF 1.0 to 1.8, got something else`);
    return value;
  });
  const agent = field(all[0], "agent");
  const own = planwrightOf(all[0]);
  return {
    source: `a trajectory (ATIF) of ${textAt(agent, "name") || "an agent"}`,
    spec: field(own, "spec"),
    warnings: listAt(own, "warnings").filter((each) => typeof each === "string"),
    model: textAt(agent, "model_name") || undefined,
    *tasks() {
      for (const document of all) yield atifTask(document, path);
    },
  };
}

const planwrightOf = (document: JsonRecord | undefined): Json | undefined =>
  field(field(document, "extra"), "planwright");

function atifTask(document: JsonRecord, path: string): RecordedTask {
  const own = planwrightOf(document);
  const steps = document["steps"] as readonly Json[];
  const wrong = steps.findIndex((step, index) => field(step, "step_id") !== index + 1);
  const id = textAt(own, "task") || textAt(document, "trajectory_id") || textAt(document, "session_id");
  if (wrong >= 0)
    throw new DataProblem(
      `Expected the steps of \`${id}\` in ${path} to be numbered 1, 2, 3 ..., got another number at step ${wrong + 1}`,
    );
  const conversation = new Conversation(document);
  for (const step of steps) if (isRecord(step)) conversation.take(step);
  const facets = field(own, "facets");
  const failure = field(own, "failure");
  const state = textAt(own, "state");
  const answer = field(own, "answer");
  const record = field(own, "record");
  const [kind, message] = [textAt(failure, "kind"), textAt(failure, "message")];
  return {
    id,
    question: textAt(own, "question") || conversation.question,
    facets: isRecord(facets) ? (facets as RecordedTask["facets"]) : {},
    reference: textAt(own, "reference"),
    record: isRecord(record) ? record : undefined,
    overrides: listAt(own, "overrides"),
    events: [
      ...nodesOf(own, conversation.from),
      ...conversation.events,
      ...(answer === undefined ? [] : [{ type: "answer", at: conversation.to, answer } as const]),
      ...judgeEvents(document, conversation),
    ],
    text: own === undefined ? conversation.last : undefined,
    failure: kind === "" ? undefined : ({ kind, message } as RecordedTask["failure"]),
    ends: state === "failed" ? "failed" : state === "running" ? "open" : "scored",
    labels: {},
    unset: undefined,
    from: conversation.from,
    to: conversation.to,
  };
}

/** What a judge was asked and said, where it was exported here: by that the suite scores the task again. */
function judgeEvents(document: JsonRecord, { requests, to }: Conversation): readonly RecordedEvent[] {
  const judges = listAt(document, "subagent_trajectories").filter(isRecord);
  const asked = judges.filter((each) => textAt(each["agent"], "name") === judgeAgent);
  let request = requests;
  return asked.flatMap((each) => {
    const own = new Conversation(each, request, to);
    for (const step of listAt(each, "steps")) if (isRecord(step)) own.take(step);
    request = own.requests;
    return own.events;
  });
}

/** The steps of a document turned back into requests: each agent step was asked with all steps before it. */
class Conversation {
  readonly events: RecordedEvent[] = [];
  question = "";
  last = "";
  from = 0;
  readonly #model: string;
  readonly #tools: readonly ToolSpec[];
  #messages: Message[] = [];
  #request: Json | undefined;

  /** How many requests there were, with those before it; and when the last of them ended, in milliseconds since 1970. */
  requests: number;
  to: number;

  constructor(document: JsonRecord, requests = 0, to = 0) {
    [this.requests, this.to] = [requests, to];
    const agent = field(document, "agent");
    this.#model = textAt(agent, "model_name");
    this.#tools = listAt(agent, "tool_definitions").map((tool) => {
      const named = field(tool, "function");
      return {
        name: textAt(named, "name"),
        description: textAt(named, "description"),
        parameters: field(named, "parameters") ?? {},
      };
    });
  }

  take(step: JsonRecord): void {
    const at = Date.parse(textAt(step, "timestamp"));
    if (Number.isFinite(at)) {
      if (this.from === 0) this.from = at;
      this.to = Math.max(this.to, at);
    }
    const message = contentText(step["message"] ?? "");
    const source = step["source"];
    if (source === "agent") return this.#takeReply(step, message);
    if (source !== "system" && source !== "user") return;
    if (source === "user" && this.question === "") this.question = message;
    // A stage with a prompt of its own begins a new conversation.
    const request = field(step["extra"], "request");
    if (source === "system" && request !== undefined && request !== this.#request) this.#messages = [];
    this.#request = request ?? this.#request;
    this.#messages.push({ role: source, content: message });
  }

  #takeReply(step: JsonRecord, text: string): void {
    const { to: at } = this;
    this.last = text;
    if (step["llm_call_count"] === 0) return void this.events.push({ type: "note", at, kind: "agent", text });
    const request = this.requests++;
    const extra = step["extra"];
    const role = textAt(extra, "role");
    const calls = listAt(step, "tool_calls").filter(isRecord).map(callOf);
    this.events.push({
      type: "prompt",
      at,
      request,
      role: (role === "actor" || role === "judge" ? role : "model") satisfies Role,
      model: textAt(step, "model_name") || this.#model,
      stage: textAt(extra, "stage"),
      messages: [...this.#messages],
      ...(this.#tools.length > 0 && { tools: this.#tools }),
    });
    const thinking = textAt(step, "reasoning_content");
    const chunks: readonly Chunk[] = [
      ...(thinking === "" ? [] : [{ type: "thinking", text: thinking } as const]),
      ...(text === "" ? [] : [{ type: "text", text } as const]),
      ...calls.map((call) => ({ type: "call", call }) as const),
      ...usageOf(step["metrics"]),
      { type: "finish", reason: textAt(extra, "finish") || "stop" },
    ];
    this.events.push(...chunks.map((chunk) => ({ ...chunk, at, request })));
    this.#messages.push({ role: "assistant", content: text, ...(calls.length > 0 && { calls }) });
    for (const result of listAt(step["observation"], "results")) this.#takeResult(result, calls);
  }

  #takeResult(result: Json, calls: readonly ToolCall[]): void {
    const callId = textAt(result, "source_call_id");
    const content = contentText(field(result, "content") ?? "");
    const { ok, status } = { ok: field(field(result, "extra"), "ok"), status: field(field(result, "extra"), "status") };
    this.events.push({
      type: "result",
      at: this.to,
      callId,
      name: calls.find(({ id }) => id === callId)?.name ?? "",
      result: {
        ok: ok !== false,
        observation: content,
        status: typeof status === "string" || typeof status === "number" ? status : "ok",
      },
    });
    this.#messages.push({ role: "tool", callId, content });
  }
}

function callOf(call: JsonRecord): ToolCall {
  const given = call["arguments"] ?? {};
  const raw = field(call["extra"], "text");
  const text = typeof raw === "string" ? raw : JSON.stringify(given);
  return {
    id: textAt(call, "tool_call_id"),
    name: textAt(call, "function_name"),
    text,
    arguments: typeof raw === "string" ? undefined : given,
  };
}

function usageOf(metrics: Json | undefined): readonly Chunk[] {
  const [input, output] = ["prompt_tokens", "completion_tokens"].map((name) => field(metrics, name));
  const [cached, cost] = ["cached_tokens", "cost_usd"].map((name) => field(metrics, name));
  if (typeof input !== "number" || typeof output !== "number") return [];
  return [
    {
      type: "usage",
      input,
      output,
      estimated: field(field(metrics, "extra"), "estimated") === true,
      ...(typeof cached === "number" && { cached }),
      ...(typeof cost === "number" && { cost }),
    },
  ];
}

function nodesOf(own: Json | undefined, at: number): readonly RecordedEvent[] {
  return listAt(own, "nodes").flatMap((node): RecordedEvent[] => {
    const fields = isRecord(node) ? node : {};
    if (["id", "kind", "label", "state"].some((name) => typeof fields[name] !== "string")) return [];
    return [{ ...(fields as Omit<Extract<RecordedEvent, { type: "node" }>, "type" | "at">), type: "node", at }];
  });
}

/** A text, or the texts of a list of parts (since 1.6). */
function contentText(content: Json): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return (content as readonly Json[]).map((part) => textAt(part, "text") || `[${textAt(part, "type")}]`).join("\n");
}
