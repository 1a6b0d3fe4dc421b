/** Assembles a reply from the chunks a server streams. Servers are not trusted to follow the protocol. */
import type { Adjustment } from "../../run-settings.ts";
import { isRecord, type JsonRecord } from "../../text/json-record.ts";
import type { Json, ThinkingField, TokenUsage, ToolCall } from "../../types.ts";
import { parseArguments } from "./text-calls.ts";
import { NoReply, errorMessage } from "../network/reply-body.ts";
import { ThinkTags, type Piece } from "./think-tags.ts";

/** The server sent data that is not a chunk of a chat completion; the request may be retried. */
export class MalformedChunk extends Error {
  override readonly name = "MalformedChunk";
}

type Draft = { id: string; name: string; text: string; extra?: Json };

/** The contents of a chunk: answer text, or thinking text with the field that contained it. */
export type ReplyPiece = Piece & { readonly field?: ThinkingField; readonly item?: Json };

/** Maximum number of characters of text and arguments in one reply; beyond it the server is assumed not to stop. */
const longest = 16_000_000;

export class StreamedReply {
  /** The finish reason, once the server has sent it; an empty reason counts as missing. */
  finish: string | undefined;
  usage: Omit<TokenUsage, "estimated"> | undefined;
  /** The answering model according to the server, and its `system_fingerprint`. */
  model: string | undefined;
  fingerprint: string | undefined;
  /** The answer, without thinking. */
  text = "";
  thinking = "";
  /** The model's own words for declining to answer; they are in `text` too. */
  refused = false;
  readonly adjusted = new Set<Adjustment>();
  readonly #tags = new ThinkTags();
  readonly #drafts: Draft[] = [];
  /** The call to which chunks with this index belong. */
  readonly #open = new Map<number, Draft>();
  #size = 0;

  /** True if thinking that began with a tag has not ended. */
  get thinks(): boolean {
    return this.#tags.inside;
  }

  /** Adds one chunk; returns its contents, often empty. Throws `MalformedChunk`, and `NoReply` for an error. */
  take(chunk: unknown): ReplyPiece[] {
    if (!isRecord(chunk)) throw new MalformedChunk("a chunk that is not an object");
    const { choices, usage, model, object, system_fingerprint: fingerprint, x_groq: groq } = chunk;
    if (object === "error") throw new NoReply(errorMessage(chunk), chunk);
    if (isRecord(usage)) this.#count(usage);
    else if (isRecord(groq) && isRecord(groq["usage"])) this.#count(groq["usage"]);
    if (isText(model)) this.model = model;
    if (isText(fingerprint)) this.fingerprint = fingerprint;
    if (choices === undefined || choices === null) return [];
    if (!Array.isArray(choices)) throw new MalformedChunk("a chunk whose `choices` is not a list");
    const choice: unknown = choices.find(
      (each) => !isRecord(each) || each["index"] === undefined || each["index"] === 0,
    );
    if (choice === undefined) return [];
    if (!isRecord(choice)) throw new MalformedChunk("a choice that is not an object");
    if (isText(choice["finish_reason"])) this.finish = choice["finish_reason"];
    // Some servers send the whole message, as for a request without `stream`.
    const delta = choice["delta"] ?? choice["message"];
    if (delta === undefined || delta === null) return [];
    if (!isRecord(delta)) throw new MalformedChunk("a `delta` that is not an object");
    return this.#takeDelta(delta, choice["delta"] === undefined || choice["delta"] === null);
  }

  /** Returns text held back until the end: the possible beginning of a tag. */
  end(): ReplyPiece[] {
    return this.#kept(this.#tags.end());
  }

  #takeDelta(delta: JsonRecord, whole: boolean): ReplyPiece[] {
    const { tool_calls: calls, function_call: called, content, refusal } = delta;
    if (calls !== undefined && calls !== null) this.#takeCalls(calls, whole);
    if (isRecord(called)) {
      this.adjusted.add("calls-read-from-function-call");
      this.#takeCalls([{ index: 0, function: called }], false);
    }
    const pieces = [...thoughtsOf(delta)];
    if (isRecord(delta["reasoning_item"])) pieces.push({ ...thought(""), item: delta["reasoning_item"] as Json });
    if (typeof content === "string") pieces.push(...this.#tags.take(content));
    else if (Array.isArray(content)) for (const part of content as unknown[]) pieces.push(...this.#part(part));
    else if (content !== undefined && content !== null) throw new MalformedChunk("a `content` that is not text");
    if (isText(refusal)) {
      this.refused = true;
      pieces.push({ type: "text", text: refusal });
    }
    return this.#kept(pieces);
  }

  /** Reads one part of a `content` that is a list: `text`, or Mistral's `thinking`, itself a list of parts. */
  #part(part: unknown): Piece[] {
    if (typeof part === "string") return this.#tags.take(part);
    if (!isRecord(part)) throw new MalformedChunk("a part of `content` that is not an object");
    const { type, text, thinking } = part;
    if (type === "thinking" || thinking !== undefined) {
      const own = Array.isArray(thinking) ? (thinking as unknown[]) : [{ text: thinking ?? text }];
      return own.flatMap((each) => (isRecord(each) && isText(each["text"]) ? [thought(each["text"])] : []));
    }
    return typeof text === "string" ? this.#tags.take(text) : [];
  }

  #kept(pieces: ReplyPiece[]): ReplyPiece[] {
    for (const { type, text, textBefore } of pieces) {
      this.#grow(text.length);
      if (textBefore === true) {
        this.thinking += this.text;
        this.text = "";
      }
      if (type === "text") this.text += text;
      else this.thinking += text;
    }
    return pieces;
  }

  /** Returns the calls in the order they began. Calls without an id are numbered. */
  calls(): ToolCall[] {
    return this.#drafts.map(({ id, name, text, extra }, position) => ({
      id: id === "" ? `call-${position}` : id,
      name,
      text,
      arguments: parseArguments(text),
      ...(extra === undefined ? {} : { extra }),
    }));
  }

  /**
   * Counts the tokens of a reply. If the server reports 0 input and 0 output tokens, this counts as no usage, and the caller
   * estimates the usage.
   */
  #count(usage: JsonRecord): void {
    const input = usage["prompt_tokens"] ?? usage["input_tokens"];
    const written = usage["completion_tokens"] ?? usage["output_tokens"];
    if (!isCount(input) || !isCount(written) || input + written === 0) return;
    const cached = detail(usage["prompt_tokens_details"], "cached_tokens") ?? usage["prompt_cache_hit_tokens"];
    const reasoning = detail(usage["completion_tokens_details"], "reasoning_tokens");
    // xAI counts thinking in addition to `completion_tokens`, all others within; the total distinguishes these.
    const apart = isCount(reasoning) && reasoning > 0 && usage["total_tokens"] === input + written + reasoning;
    const output = apart ? written + reasoning : written;
    const { cost } = usage;
    this.usage = {
      input,
      output,
      ...(isCount(cached) && cached > 0 ? { cached: Math.min(cached, input) } : {}),
      ...(isCount(reasoning) && reasoning > 0 ? { reasoning: Math.min(reasoning, output) } : {}),
      ...(typeof cost === "number" && cost >= 0 && Number.isFinite(cost) ? { cost } : {}),
    };
  }

  #takeCalls(list: unknown, whole: boolean): void {
    if (!Array.isArray(list)) throw new MalformedChunk("`tool_calls` that are not a list");
    for (const [position, fields] of (list as unknown[]).entries()) {
      if (!isRecord(fields)) throw new MalformedChunk("a tool call that is not an object");
      const called = isRecord(fields["function"]) ? fields["function"] : {};
      const id = typeof fields["id"] === "string" ? fields["id"] : "";
      const name = typeof called["name"] === "string" ? called["name"] : "";
      const text = this.#argumentsOf(called["arguments"]);
      this.#grow(id.length + name.length + text.length);
      const draft = this.#draft(whole ? position : fields["index"], id, name, text);
      if (draft.id === "") draft.id = id;
      // Some servers repeat the whole name in every chunk, others stream it.
      if (name !== "" && draft.name !== name) draft.name += name;
      draft.text += text;
      if (fields["extra_content"] !== undefined) draft.extra = fields["extra_content"] as Json;
    }
  }

  #argumentsOf(value: unknown): string {
    if (typeof value === "string") return value;
    if (typeof value !== "object" || value === null) return "";
    this.adjusted.add("call-arguments-were-an-object");
    return JSON.stringify(value);
  }

  /**
   * Returns the call of a chunk. A name starts a new call even if the server omits the index or numbers all calls 0: with another
   * id, or without ids if the previous call is complete.
   */
  #draft(index: unknown, id: string, name: string, text: string): Draft {
    const position = isCount(index) ? index : -1;
    const known = this.#open.get(position);
    const otherId = known !== undefined && id !== "" && known.id !== "" && id !== known.id;
    const after = known !== undefined && id === "" && known.id === "" && text !== "" && isComplete(known.text);
    if (known !== undefined && !(name !== "" && (otherId || after))) return known;
    const draft: Draft = { id: "", name: "", text: "" };
    this.#drafts.push(draft);
    this.#open.set(position, draft);
    return draft;
  }

  #grow(length: number): void {
    this.#size += length;
    if (this.#size > longest) throw new MalformedChunk(`a reply of more than ${longest} characters`);
  }
}

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Returns true if these arguments need no more characters. */
const isComplete = (text: string): boolean => text.trimEnd().endsWith("}") && parseArguments(text) !== undefined;

const thought = (text: string): Piece => ({ type: "thinking", text });

/** Reads thinking from a separate field. OpenRouter sends thinking twice, in `reasoning` and in `reasoning_details`. */
function thoughtsOf(delta: JsonRecord): readonly ReplyPiece[] {
  for (const field of ["reasoning_content", "reasoning"] as const) {
    const text = delta[field];
    if (isText(text)) return [{ ...thought(text), field }];
  }
  const { reasoning_details: details } = delta;
  if (!Array.isArray(details)) return [];
  return (details as unknown[]).flatMap((each) => {
    const text = isRecord(each) ? (each["text"] ?? each["summary"]) : undefined;
    return isText(text) ? [thought(text)] : [];
  });
}

const detail = (details: unknown, name: string): unknown => (isRecord(details) ? details[name] : undefined);
