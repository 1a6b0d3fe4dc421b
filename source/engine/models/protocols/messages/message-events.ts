/** Converts events of the Messages protocol to chunks of chat completions. */
import { isRecord, type JsonRecord } from "../../../text/json-record.ts";
import { MalformedChunk } from "../../replies/streamed-reply.ts";

/** Finish reasons under the names of chat completions; others stay unchanged. */
const finishReasons: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
};

export class MessageEvents {
  /** Started blocks of thinking by index, which are sent back unchanged. */
  readonly #thinking = new Map<unknown, { type: string; thinking: string; signature: string }>();
  /** For each block index, the position of the block's call among the calls, and whether arguments have arrived. */
  readonly #calls = new Map<unknown, { readonly place: number; written: boolean }>();
  #usage: JsonRecord = {};

  /** Returns the chunks of an event, often none. Throws `MalformedChunk`. */
  chunks(event: unknown): readonly object[] {
    const { type, index, message, delta, content_block: block, usage } = fieldsOf(event, "an event");
    switch (type) {
      case "message":
        return this.#whole(fieldsOf(event, "a message"));
      case "message_start":
        return this.#start(fieldsOf(message, "a message"));
      case "content_block_start":
        return this.#begin(index, fieldsOf(block, "a block")).map(chunkOf);
      case "content_block_delta":
        return this.#delta(index, fieldsOf(delta, "a delta")).map(chunkOf);
      case "content_block_stop":
        return this.#endOf(index).map(chunkOf);
      case "message_delta":
        return this.#end(fieldsOf(delta, "a delta"), usage);
      default:
        return [];
    }
  }

  #start({ model, usage }: JsonRecord): readonly object[] {
    // Its count of the reply's tokens is provisional; the complete one comes at the end.
    this.#counted(usage);
    return [{ model }];
  }

  #begin(index: unknown, block: JsonRecord): readonly object[] {
    switch (block["type"]) {
      case "text":
        return textDelta("content", block["text"]);
      case "thinking":
        this.#thinking.set(index, { type: "thinking", thinking: "", signature: "" });
        return [
          ...this.#delta(index, { type: "thinking_delta", thinking: block["thinking"] ?? "" }),
          ...this.#delta(index, { type: "signature_delta", signature: block["signature"] ?? "" }),
        ];
      case "redacted_thinking":
        return [{ reasoning_item: block }];
      case "tool_use": {
        const { id, name, input } = block;
        // Streamed arguments follow an empty object; some servers send all of them at once.
        const whole = typeof input === "object" && input !== null && Object.keys(input).length > 0;
        const place = this.#calls.size;
        this.#calls.set(index, { place, written: whole });
        return [callDelta(place, whole ? JSON.stringify(input) : "", { id, name })];
      }
      default:
        return [];
    }
  }

  #delta(index: unknown, delta: JsonRecord): readonly object[] {
    const thinking = this.#thinking.get(index);
    switch (delta["type"]) {
      case "text_delta":
        return textDelta("content", delta["text"]);
      case "thinking_delta":
        if (thinking !== undefined) thinking.thinking += String(delta["thinking"]);
        return textDelta("reasoning", delta["thinking"]);
      case "signature_delta":
        if (thinking !== undefined) thinking.signature += String(delta["signature"]);
        return [];
      case "input_json_delta": {
        const call = this.#calls.get(index);
        if (call === undefined || delta["partial_json"] === "") return [];
        call.written = true;
        return [callDelta(call.place, delta["partial_json"])];
      }
      default:
        return [];
    }
  }

  #endOf(index: unknown): readonly object[] {
    const thinking = this.#thinking.get(index);
    const call = this.#calls.get(index);
    if (call?.written === false) return [callDelta(call.place, "{}")];
    return thinking === undefined || thinking.signature === "" ? [] : [{ reasoning_item: thinking }];
  }

  #end({ stop_reason: reason }: JsonRecord, usage: unknown): readonly object[] {
    const finish = typeof reason === "string" ? (finishReasons[reason] ?? reason) : undefined;
    return [{ usage: this.#counted(usage), choices: [{ index: 0, finish_reason: finish }] }];
  }

  /** Converts a message that arrived as a whole, as for a request without `stream`. */
  #whole(message: JsonRecord): readonly object[] {
    const blocks = Array.isArray(message["content"]) ? (message["content"] as unknown[]) : [];
    const deltas = blocks.flatMap((block, index) => [
      ...this.#begin(index, fieldsOf(block, "a block")),
      ...this.#endOf(index),
    ]);
    return [{ model: message["model"] }, ...deltas.map(chunkOf), ...this.#end(message, message["usage"])];
  }

  /**
   * Returns counts under the names of chat completions. Counts are cumulative, and omitted counts keep their value. Tokens read
   * from the cache and written to it are not included in the prompt's count.
   */
  #counted(usage: unknown): object | undefined {
    if (typeof usage !== "object" || usage === null) return undefined;
    this.#usage = {
      ...this.#usage,
      ...Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null)),
    };
    const count = (name: string) => Number(this.#usage[name] ?? 0);
    const { thinking_tokens: thinking } = (this.#usage["output_tokens_details"] ?? {}) as JsonRecord;
    const cached = count("cache_read_input_tokens");
    return {
      prompt_tokens: count("input_tokens") + count("cache_creation_input_tokens") + cached,
      completion_tokens: count("output_tokens"),
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: thinking },
    };
  }
}

const chunkOf = (delta: object): object => ({ choices: [{ index: 0, delta }] });

const textDelta = (field: "content" | "reasoning", text: unknown): readonly object[] =>
  text === "" || text === undefined ? [] : [{ [field]: text }];

function callDelta(
  index: number,
  text: unknown,
  { id, name }: { readonly id?: unknown; readonly name?: unknown } = {},
): object {
  return { tool_calls: [{ index, ...(id === undefined ? {} : { id }), function: { name, arguments: text } }] };
}

function fieldsOf(value: unknown, what: string): JsonRecord {
  if (!isRecord(value)) throw new MalformedChunk(`${what} that is not an object`);
  return value;
}
