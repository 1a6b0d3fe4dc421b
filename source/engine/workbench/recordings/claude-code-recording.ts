/**
 * Reads logs of Claude Code (JSON Lines, one entry per line, linked by `parentUuid`) as a recording: one task per session, or per
 * part of it between two `/clear`. A subagent's entries name their agent, or belong to a side chain.
 */
import { DataProblem } from "../../text/json-lines.ts";
import { field, isRecord, type JsonRecord, nestsDeeper, parseJson, recordAt, textAt } from "../../text/json-record.ts";
import type { Json, Message, ToolCall } from "../../types.ts";
import type { RecordedTask, Recording } from "./recording.ts";
import { countIn, RecordedAgents } from "./recorded-agents.ts";

/** Deepest nesting of an entry; calls of tools are shallow. */
const deepest = 100;

/** An entry of the log; fragments of one reply are one entry. */
type LogEntry = {
  readonly line: JsonRecord;
  readonly kind: "user" | "assistant" | "system";
  readonly blocks: readonly Json[];
};

/** The lines of a recording, which are read several times. */
export type Texts = () => AsyncIterable<string>;

/**
 * Reads the lines of a log of Claude Code. `path` names the log in errors. Throws `DataProblem` for a file without any entry of a
 * conversation.
 */
export async function claudeCodeRecording(lines: Texts, path: string): Promise<Recording> {
  let model: string | undefined;
  let hasEntries = false;
  for await (const line of linesIn(lines)) {
    if (!isRecord(line) || entryKind(line) === undefined) continue;
    hasEntries = true;
    model = textAt(line["message"], "model") || undefined;
    if (model !== undefined) break;
  }
  if (!hasEntries) throw new DataProblem(`Expected ${path} to be a log of Claude Code, found no message in it`);
  return {
    source: "a log of Claude Code",
    spec: undefined,
    warnings: [],
    model,
    async *tasks() {
      for await (const session of sessionsIn(lines)) yield* tasksOf(session.id, session.lines);
    },
  };
}

/** Yields parsed lines; yields a line that is not JSON, or is nested too deeply, as its text. */
async function* linesIn(lines: Texts): AsyncGenerator<Json> {
  for await (const text of lines()) {
    const value = parseJson(text);
    yield value === undefined || nestsDeeper(value, deepest) ? text : value;
  }
}

/**
 * Groups lines by session; lines without a session, such as a title, belong to the session that follows, or to the last session.
 */
async function* sessionsIn(lines: Texts) {
  let session: { readonly id: string; readonly lines: Json[] } | undefined;
  let unnamed: Json[] = [];
  for await (const line of linesIn(lines)) {
    const id = textAt(line, "sessionId").slice(0, 200);
    if (id === "") {
      unnamed.push(line);
      continue;
    }
    if (session !== undefined && session.id !== id) {
      yield session;
      session = undefined;
    }
    session ??= { id, lines: [] };
    for (const each of [...unnamed, line]) session.lines.push(each);
    unnamed = [];
  }
  if (session === undefined) yield { id: "session", lines: unnamed };
  else yield { ...session, lines: [...session.lines, ...unnamed] };
}

function entryKind({ type, message }: JsonRecord): LogEntry["kind"] | undefined {
  if (type === "system") return "system";
  return (type === "user" || type === "assistant") && isRecord(message) ? type : undefined;
}

const timeOf = (line: Json | undefined): number => {
  const at = Date.parse(textAt(line, "timestamp"));
  return Number.isFinite(at) && at > 0 ? at : 0;
};

/** Returns the blocks of a message's content; a text is one block. */
function blocksOf(line: JsonRecord): readonly Json[] {
  const content = field(line["message"], "content");
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as readonly Json[]) : [];
}

function tasksOf(id: string, lines: readonly Json[]): readonly RecordedTask[] {
  const others = lines.filter((line) => !isRecord(line) || entryKind(line) === undefined);
  const entries = consolidated(lines.filter((line) => isRecord(line)).filter((line) => entryKind(line) !== undefined));
  const chains = Map.groupBy(entries, ({ line }) => chainOf(line));
  const parts = partsOf(inOrder(chains.get("") ?? []));
  const sides = [...chains].filter(([name]) => name !== "").map(([name, own]) => [name, inOrder(own)] as const);
  return parts.map((part, index) => {
    const to = timeOf(parts[index + 1]?.[0]?.line) || Infinity;
    const isLast = index === parts.length - 1;
    // A subagent belongs to the part in which it began.
    const from = index === 0 ? 0 : timeOf(part[0]?.line);
    const began = sides.filter(([, [first]]) => timeOf(first?.line) >= from && timeOf(first?.line) < to);
    return taskOf(parts.length === 1 ? id : `${id}-${index}`, part, began, isLast ? others : []);
  });
}

/** Names the chain of an entry: empty for the session's own. */
const chainOf = (line: JsonRecord): string =>
  textAt(line, "agentId").slice(0, 200) || (line["isSidechain"] === true ? "side chain" : "");

/** Merges consecutive fragments of one reply: the fields of the last fragment, the content of all. */
function consolidated(lines: readonly JsonRecord[]): readonly LogEntry[] {
  const entries: LogEntry[] = [];
  let before = "";
  for (const line of lines) {
    const kind = entryKind(line)!;
    const own = kind === "assistant" ? textAt(line["message"], "id") : "";
    const last = entries.at(-1);
    if (own !== "" && own === before && last !== undefined)
      entries[entries.length - 1] = { line, kind, blocks: [...last.blocks, ...blocksOf(line)] };
    else entries.push({ line, kind, blocks: blocksOf(line) });
    before = own;
  }
  return entries;
}

/** Orders entries as they happened: each after its parent, siblings by time. */
function inOrder(entries: readonly LogEntry[]): readonly LogEntry[] {
  const ids = new Set(entries.map(({ line }) => textAt(line, "uuid")));
  const children = Map.groupBy(entries, ({ line }) => {
    const parent = textAt(line, "parentUuid");
    return ids.has(parent) && parent !== textAt(line, "uuid") ? parent : "";
  });
  const sorted = (parent: string) =>
    (children.get(parent) ?? []).toSorted((one, other) => timeOf(one.line) - timeOf(other.line));
  const ordered = new Set<LogEntry>();
  // A stack, because a conversation is as deep as it is long.
  const stack = sorted("").toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (ordered.has(next)) continue;
    ordered.add(next);
    const own = textAt(next.line, "uuid");
    if (own !== "") stack.push(...sorted(own).toReversed());
  }
  // Entries that are each other's parents have no beginning.
  for (const entry of entries) ordered.add(entry);
  return [...ordered];
}

const command = /<command-name>\/([^<]{1,200})<\/command-name>/;
const isChrome = (text: string) => command.test(text) || /^\s*<local-command-(caveat|stdout)>/.test(text);

/** Returns the text of an entry whose content is one text; empty for any other entry. */
const wholeText = ({ line }: LogEntry): string => textAt(line["message"], "content");

/** Divides a session at each `/clear`. */
function partsOf(entries: readonly LogEntry[]): readonly (readonly LogEntry[])[] {
  const parts: LogEntry[][] = [[]];
  for (const entry of entries) {
    const isClear = entry.kind === "user" && command.exec(wholeText(entry))?.[1] === "clear";
    if (isClear) parts.push([]);
    else parts.at(-1)!.push(entry);
  }
  const filled = parts.filter((part) => part.some((entry) => entry.kind !== "system" && !isChrome(wholeText(entry))));
  return filled.length === 0 ? [parts.flat()] : filled;
}

type Side = readonly [id: string, entries: readonly LogEntry[]];

function taskOf(id: string, main: readonly LogEntry[], sides: readonly Side[], others: readonly Json[]): RecordedTask {
  const collected = new RecordedAgents();
  const names = agentNames(main, sides);
  const lanes = [
    new Lane(sides.length === 0 ? undefined : "main", main, collected),
    ...sides.map(([side, own]) => new Lane(names.get(side) ?? side, own, collected)),
  ];
  // Always takes the entry that is the earliest of those at the head of a lane.
  for (;;) {
    const open = lanes.filter((lane) => lane.next !== undefined);
    if (open.length === 0) break;
    open.reduce((best, lane) => (lane.next! < best.next! ? lane : best)).take();
  }
  for (const line of others) collected.unknown(line, timeOf(line));
  const times = [...main, ...sides.flatMap(([, own]) => own)].map(({ line }) => timeOf(line)).filter((at) => at > 0);
  const [from, to] = [
    times.reduce((least, at) => Math.min(least, at), times[0] ?? 0),
    times.reduce((most, at) => Math.max(most, at), 0),
  ];
  const [own] = lanes;
  return {
    id,
    question: own!.question,
    facets: {},
    reference: "",
    record: undefined,
    overrides: [],
    events: collected.events,
    text: own!.last,
    failure: undefined,
    ends: "scored",
    labels: {},
    unset: undefined,
    from,
    to,
  };
}

/** Names subagents by the type in the call that started them; equal names are numbered. */
function agentNames(main: readonly LogEntry[], sides: readonly Side[]): ReadonlyMap<string, string> {
  const calls = new Map<string, string>();
  const types = new Map<string, string>();
  for (const { blocks, line } of [...main, ...sides.flatMap(([, own]) => own)])
    for (const block of blocks) {
      const type = textAt(block, "type");
      if (type === "tool_use" && ["Task", "Agent"].includes(textAt(block, "name")))
        calls.set(textAt(block, "id"), textAt(field(block, "input"), "subagent_type"));
      const started = calls.get(textAt(block, "tool_use_id"));
      const agent = textAt(line["toolUseResult"], "agentId");
      if (type === "tool_result" && started !== undefined && agent !== "") types.set(agent, started);
    }
  const times = new Map<string, number>();
  return new Map(
    sides.map(([id]) => {
      const type = (types.get(id) || `agent ${id}`).slice(0, 100);
      const number = (times.get(type) ?? 0) + 1;
      times.set(type, number);
      return [id, number === 1 ? type : `${type} ${number}`];
    }),
  );
}

/** The entries of one agent, with the conversation that its requests contain. */
class Lane {
  question = "";
  last: string | undefined;
  readonly #agent: string | undefined;
  readonly #entries: readonly LogEntry[];
  readonly #collected: RecordedAgents;
  readonly #messages: Message[] = [];
  readonly #names = new Map<string, string>();
  #at = 0;

  constructor(agent: string | undefined, entries: readonly LogEntry[], collected: RecordedAgents) {
    this.#agent = agent;
    this.#entries = entries;
    this.#collected = collected;
  }

  /** The time of the next entry; undefined at the end. */
  get next(): number | undefined {
    const entry = this.#entries[this.#at];
    return entry && timeOf(entry.line);
  }

  take(): void {
    const entry = this.#entries[this.#at++]!;
    if (entry.kind === "assistant") this.#takeReply(entry);
    else if (entry.kind === "user") this.#takeUser(entry);
    else this.#takeSystem(entry.line);
  }

  #takeSystem(line: JsonRecord): void {
    const isCompaction = line["subtype"] === "compact_boundary";
    // The following messages continue from a summary.
    if (isCompaction) this.#messages.length = 0;
    this.#collected.note(
      isCompaction ? "compaction" : "system",
      textAt(line, "content") || JSON.stringify(line),
      timeOf(line),
    );
  }

  #takeUser({ line, blocks }: LogEntry): void {
    const at = timeOf(line);
    const whole = textAt(line["message"], "content");
    if (isChrome(whole)) return this.#collected.note("command", whole, at);
    const results = blocks.filter((block) => textAt(block, "type") === "tool_result");
    for (const block of results) {
      const callId = textAt(block, "tool_use_id");
      const content = contentOf(field(block, "content"));
      const ok = field(block, "is_error") !== true;
      this.#collected.result(callId, this.#names.get(callId) ?? "", { ok, content, at });
      this.#messages.push({ role: "tool", callId, content });
    }
    const texts = blocks
      .filter((block) => typeof field(block, "text") === "string")
      .map((block) => textAt(block, "text"));
    const rest = blocks.filter((block) => !results.includes(block) && typeof field(block, "text") !== "string");
    for (const block of rest) this.#collected.unknown(shortened(block), at);
    if (texts.length === 0) return;
    // Beside results, a text is a reminder that no message holds.
    if (results.length > 0) return this.#collected.note("reminder", texts.join("\n"), at);
    const content = texts.join("\n");
    if (this.question === "") this.question = content;
    this.#messages.push({ role: "user", content });
  }

  #takeReply({ line, blocks }: LogEntry): void {
    const at = timeOf(line);
    const { message } = line;
    const of = (type: string) => blocks.filter((block) => textAt(block, "type") === type);
    const text = of("text")
      .map((block) => textAt(block, "text"))
      .join("\n");
    const calls = of("tool_use").map(callOf);
    for (const { id, name } of calls) this.#names.set(id, name);
    for (const block of blocks)
      if (!["text", "tool_use", "thinking"].includes(textAt(block, "type")))
        this.#collected.unknown(shortened(block), at);
    this.#collected.request({
      agent: this.#agent,
      model: textAt(message, "model"),
      messages: [...this.#messages],
      thinking: of("thinking")
        .map((block) => textAt(block, "thinking"))
        .join("\n"),
      text,
      calls,
      usage: usageOf(recordAt(message, "usage")),
      finish: finishes[textAt(message, "stop_reason")] ?? "stop",
      from: at,
      to: at,
    });
    this.#messages.push({ role: "assistant", content: text, ...(calls.length > 0 && { calls }) });
    if (text !== "") this.last = text;
  }
}

const finishes: Readonly<Record<string, string>> = { tool_use: "tool_calls", max_tokens: "length", refusal: "refusal" };

function callOf(block: Json): ToolCall {
  const given = field(block, "input") ?? {};
  return { id: textAt(block, "id"), name: textAt(block, "name"), text: JSON.stringify(given), arguments: given };
}

/** Tokens of a prompt include tokens that the server read from its cache or wrote to it. */
function usageOf(usage: JsonRecord): { input: number; output: number; cached?: number } | undefined {
  const [input, output] = [countIn(usage["input_tokens"]), countIn(usage["output_tokens"])];
  if (input === undefined || output === undefined) return undefined;
  const cached = countIn(usage["cache_read_input_tokens"]) ?? 0;
  const made = countIn(usage["cache_creation_input_tokens"]) ?? 0;
  return { input: input + cached + made, output, ...(cached > 0 && { cached }) };
}

/** Returns the text of a result; for other parts, their type. */
function contentOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return (content as readonly Json[])
    .map((part) => textAt(part, "text") || `[${textAt(part, "type") || "part"}]`)
    .join("\n");
}

/** Leaves out the data of an image. */
const shortened = (block: Json): Json =>
  textAt(block, "type") === "image"
    ? { type: "image", media_type: textAt(field(block, "source"), "media_type") }
    : block;
