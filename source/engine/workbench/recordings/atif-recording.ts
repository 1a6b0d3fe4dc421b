/** Reads documents of the Agent Trajectory Interchange Format (Harbor's; versions 1.0 to 1.8), one per task, as a recording. */
import { boundedLines, boundedText } from "../../text/bounded-text.ts";
import { DataProblem } from "../../text/json-lines.ts";
import { field, isRecord, type JsonRecord, listAt, recordAt, textAt } from "../../text/json-record.ts";
import { parsePythonJson } from "../../text/python-json.ts";
import type { ReadBounds } from "../../text/read-bounds.ts";
import { releaseText } from "../../work/release-bytes.ts";
import type { Chunk, Json, Message, Role, ToolCall, ToolSpec } from "../../types.ts";
import { SentMessages, type RecordedEvent, type RecordedTask, type Recording } from "./recording.ts";

export function isAtifDocument(value: Json): value is JsonRecord {
  const version = field(value, "schema_version");
  return typeof version === "string" && /^ATIF-v1\.\d+$/.test(version) && Array.isArray(field(value, "steps"));
}

export type AtifDocument = { readonly number: number; readonly document: JsonRecord };

/**
 * Returns a recording of documents from one agent. The documents are read again each time its tasks are requested. Throws if
 * reading the first one fails.
 */
export async function atifRecording(documents: () => AsyncIterable<AtifDocument>, path: string): Promise<Recording> {
  let first: JsonRecord | undefined;
  for await (const { document } of documents()) {
    first = document;
    break;
  }
  const agent = field(first, "agent");
  const own = planwrightOf(first);
  return {
    source: `a trajectory (ATIF) of ${textAt(agent, "name") || "an agent"}`,
    spec: field(own, "spec"),
    warnings: listAt(own, "warnings").filter((each) => typeof each === "string"),
    model: textAt(agent, "model_name") || undefined,
    async *tasks() {
      for await (const { number, document } of documents()) yield atifTask(document, number, path);
    },
  };
}

/** Reads one document per file. Throws `DataProblem` for any other file. */
export async function* atifFiles(
  files: readonly string[],
  given: string,
  bounds: ReadBounds,
): AsyncGenerator<AtifDocument> {
  for (const [index, file] of files.entries()) {
    const { length, value } = await parsedFile(file, bounds);
    releaseText(length);
    yield atifDocument(index + 1, value, given);
  }
}

/** A separate function, so that the text can be freed while the document is processed. */
async function parsedFile(file: string, bounds: ReadBounds) {
  const text = await boundedText(file, bounds);
  return { length: text.length, value: parsePythonJson(text, file) };
}

/** Reads one document per line. Throws the same. */
export function atifLines(path: string, bounds: ReadBounds): AsyncGenerator<AtifDocument> {
  return boundedLines(path, bounds, (text, number) =>
    atifDocument(number, parsePythonJson(text, `line ${number} of ${path}`), path),
  );
}

function atifDocument(number: number, document: Json, path: string): AtifDocument {
  if (isAtifDocument(document)) return { number, document };
  throw new DataProblem(`Expected document ${number} of ${path} to be ATIF 1.0 to 1.8, got something else`);
}

const planwrightOf = (document: JsonRecord | undefined): Json | undefined =>
  field(field(document, "extra"), "planwright");

function atifTask(document: JsonRecord, number: number, path: string): RecordedTask {
  const own = planwrightOf(document);
  const steps = document["steps"] as readonly Json[];
  const wrong = steps.findIndex((step, index) => field(step, "step_id") !== index + 1);
  // Both ids are optional.
  const named = textAt(own, "task") || textAt(document, "trajectory_id") || textAt(document, "session_id");
  const id = named || `trajectory ${number}`;
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
      ...subagentEvents(document, conversation),
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

/**
 * Returns the trajectories of a document's subagents, after the document itself: of a judge, whose reply scores the task again,
 * and of others.
 */
function subagentEvents(document: JsonRecord, within: Conversation): readonly RecordedEvent[] {
  let before = within;
  return subagents(document).flatMap((each) => {
    const own = new Conversation(each, { stage: textAt(each["agent"], "name"), after: before });
    for (const step of listAt(each, "steps")) if (isRecord(step)) own.take(step);
    before = own;
    return own.events;
  });
}

/** Yields each document before its subagents. */
function subagents(document: JsonRecord): readonly JsonRecord[] {
  return listAt(document, "subagent_trajectories")
    .filter(isRecord)
    .flatMap((each) => [each, ...subagents(each)]);
}

/** Converts the steps of a document back into requests: each agent step follows all steps before it. */
class Conversation {
  readonly events: RecordedEvent[] = [];
  question = "";
  last = "";
  from = 0;
  readonly #stage: string;
  /** The agent's name if the document has several agents; otherwise empty. */
  readonly #agent: string;
  readonly #model: string;
  readonly #tools: readonly ToolSpec[];
  readonly #sent: SentMessages;
  #messages: Message[] = [];
  #request: Json | undefined;

  /** The number of requests so far, and the end of the last one in milliseconds since 1970. */
  requests: number;
  to: number;

  /** `stage` applies to steps that have none. Continues the conversation `after`. */
  constructor(
    document: JsonRecord,
    { stage = "", after }: { readonly stage?: string; readonly after?: Conversation } = {},
  ) {
    [this.requests, this.to] = [after?.requests ?? 0, after?.to ?? 0];
    this.#sent = after === undefined ? new SentMessages() : after.#sent;
    this.#stage = stage;
    const agent = field(document, "agent");
    const hasOthers = after !== undefined || listAt(document, "subagent_trajectories").length > 0;
    this.#agent = hasOthers && planwrightOf(document) === undefined ? textAt(agent, "name").slice(0, 100) : "";
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
    const calls = listAt(step, "tool_calls").filter(isRecord).map(callOf);
    if (source === "agent" && step["llm_call_count"] === 0) this.#takeAction(message, calls);
    else if (source === "agent") this.#takeReply(step, message, calls);
    else if (source === "system" || source === "user") this.#takeContext(step, source, message);
    for (const result of listAt(step["observation"], "results")) this.#takeResult(result, calls);
  }

  #takeContext(step: JsonRecord, source: "system" | "user", message: string): void {
    if (source === "user" && this.question === "") this.question = message;
    // A stage with its own prompt begins a new conversation.
    const request = field(step["extra"], "request");
    if (source === "system" && request !== undefined && request !== this.#request) this.#messages = [];
    this.#request = request ?? this.#request;
    this.#messages.push({ role: source, content: message });
  }

  /** Returns an agent's step without a model. */
  #takeAction(text: string, calls: readonly ToolCall[]): void {
    if (text !== "") {
      this.last = text;
      this.events.push({ type: "note", at: this.to, kind: "agent", text });
    }
    if (text !== "" || calls.length > 0) this.#takeSaid(text, calls);
  }

  #takeSaid(content: string, calls: readonly ToolCall[]): void {
    this.#messages.push({ role: "assistant", content, ...(calls.length > 0 && { calls }) });
  }

  #takeReply(step: JsonRecord, text: string, calls: readonly ToolCall[]): void {
    const { to: at } = this;
    this.last = text;
    this.#sent.add(this.#messages.length);
    const request = this.requests++;
    const extra = step["extra"];
    const role = textAt(extra, "role");
    this.events.push({
      type: "prompt",
      at,
      request,
      role: (role === "actor" || role === "judge" ? role : "model") satisfies Role,
      model: textAt(step, "model_name") || this.#model,
      ...(this.#agent !== "" && role !== "judge" && { agent: this.#agent }),
      stage: textAt(extra, "stage") || this.#stage,
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
    this.#takeSaid(text, calls);
  }

  #takeResult(result: Json, calls: readonly ToolCall[]): void {
    const { call, function_name: own, ok, status } = recordAt(result, "extra");
    const callId = textAt(result, "source_call_id") || (typeof call === "string" ? call : "");
    const name = calls.find(({ id }) => id === callId)?.name ?? own;
    const content = contentText(field(result, "content") ?? "");
    this.events.push({
      type: "result",
      at: this.to,
      callId,
      name: typeof name === "string" ? name : "",
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

/** Reads a text, or the texts of a list of parts (since 1.6). */
function contentText(content: Json): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return (content as readonly Json[]).map((part) => textAt(part, "text") || `[${textAt(part, "type")}]`).join("\n");
}
