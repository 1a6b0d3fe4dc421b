/**
 * Converts events of the Responses protocol to chunks of chat completions, so that one reader (`StreamedReply`) handles the
 * differences between servers. Servers identify items in several ways: by `output_index`, by an id, by the id of a call, or not
 * at all.
 */
import { isRecord, type JsonRecord } from "../../../text/json-record.ts";
import type { Json } from "../../../types.ts";
import { errorMessage, NoReply } from "../../network/reply-body.ts";
import { MalformedChunk } from "../../replies/streamed-reply.ts";

type Item = {
  readonly kind: unknown;
  /** Index among the calls of the reply; -1 if the item is not a call. */
  readonly call: number;
  /** True if the text or the arguments of the item arrived in parts. */
  streamed: boolean;
};

/**
 * Returns a chunk of chat completions with this delta. `reasoning_item` is our own field for an item that is sent back unchanged.
 */
type Delta = {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_item?: Json;
  readonly tool_calls?: readonly object[];
};

export class ResponseEvents {
  readonly #limit: number | undefined;
  readonly #items = new Map<string, Item>();
  #last: Item | undefined;
  #calls = 0;

  /** `limit` is the reply's token limit: a server may report a reply truncated there as complete. */
  constructor(limit: number | undefined) {
    this.#limit = limit;
  }

  /** Returns the chunks of an event, often none. Throws `MalformedChunk`, and `NoReply` if the response failed. */
  chunks(event: unknown): readonly object[] {
    if (!isRecord(event)) throw new MalformedChunk("an event that is not an object");
    const { type, response } = event;
    switch (type) {
      case "error":
        throw new NoReply(errorMessage(event), { ...event, type: undefined });
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        return this.#end(response);
      case undefined:
        // The whole response in one piece, as for a request without `stream`.
        return Array.isArray(event["output"]) ? this.#end(event) : [];
      default:
        return this.#delta(String(type), event).map((delta) => ({ choices: [{ index: 0, delta }] }));
    }
  }

  #delta(type: string, event: JsonRecord): readonly Delta[] {
    const { delta } = event;
    switch (type) {
      case "response.output_item.added":
        return this.#begin(event["item"], event);
      case "response.output_item.done":
        return this.#whole(event["item"], event);
      case "response.output_text.delta":
        this.#streamed(event, "message");
        return [{ content: delta }];
      case "response.refusal.delta":
        this.#streamed(event, "message");
        return [{ refusal: delta }];
      case "response.reasoning_summary_part.added":
        // Parts are paragraphs.
        return Number(event["summary_index"]) > 0 ? [{ reasoning: "\n\n" }] : [];
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#streamed(event, "reasoning");
        return [{ reasoning: delta }];
      case "response.function_call_arguments.delta": {
        const item = this.#known(event, "function_call");
        // Arguments of a call without a name: the end of its item contains the whole call.
        if (item === undefined) return [];
        item.streamed = true;
        return [{ tool_calls: [{ index: item.call, function: { arguments: delta } }] }];
      }
      default:
        return [];
    }
  }

  #begin(item: unknown, event: JsonRecord): readonly Delta[] {
    if (!isRecord(item)) throw new MalformedChunk("an item that is not an object");
    const { type, call_id: id, name } = item;
    const { call } = this.#add(type, keysOf(event, item));
    return type === "function_call" ? [{ tool_calls: [{ index: call, id, function: { name, arguments: "" } }] }] : [];
  }

  /** Returns the parts of an item that have not come in pieces. */
  #whole(item: unknown, event: JsonRecord): readonly Delta[] {
    if (!isRecord(item)) throw new MalformedChunk("an item that is not an object");
    const known = this.#known(event, item["type"], item);
    const before = known === undefined ? this.#begin(item, event) : [];
    const { streamed, call } = known ?? this.#last!;
    switch (item["type"]) {
      case "message":
        return streamed ? [] : partsOf(item["content"]).map(deltaOf);
      case "function_call": {
        const rest = { tool_calls: [{ index: call, function: { arguments: item["arguments"] } }] };
        return streamed ? before : [...before, rest];
      }
      case "reasoning": {
        const parts = [...partsOf(item["summary"]), ...partsOf(item["content"])].map(({ text }) => text);
        return [
          ...(streamed || parts.length === 0 ? [] : [{ reasoning: parts.join("\n\n") }]),
          { reasoning_item: item as Json },
        ];
      }
      default:
        return [];
    }
  }

  #end(response: unknown): readonly object[] {
    if (!isRecord(response)) throw new MalformedChunk("an end without a response");
    const { status, error, output, usage, model } = response;
    if (status === "failed" || status === "cancelled" || isRecord(error))
      throw new NoReply(isRecord(error) ? errorMessage(error) : `the response was ${String(status)}`, error);
    const items = this.#last === undefined && Array.isArray(output) ? (output as unknown[]) : [];
    const deltas = items.flatMap((item, index) => this.#whole(item, { output_index: index }));
    const counted = isRecord(usage) ? usage : {};
    return [
      ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
      { model, usage: usageOf(counted), choices: [{ index: 0, finish_reason: this.#finish(response, counted) }] },
    ];
  }

  #finish({ status, incomplete_details: details }: JsonRecord, usage: JsonRecord): string {
    const reason = isRecord(details) ? details["reason"] : undefined;
    if (reason === "max_output_tokens") return "length";
    if (status === "incomplete") return typeof reason === "string" ? reason : "length";
    // llama.cpp's server reports a truncated reply as complete.
    if (this.#limit !== undefined && Number(usage["completion_tokens"] ?? usage["output_tokens"]) >= this.#limit)
      return "length";
    return this.#calls > 0 ? "tool_calls" : "stop";
  }

  /**
   * Returns the item of this kind that an event concerns: the item that it names, otherwise the item that started last. A whole
   * call under another name is another item.
   */
  #known(event: JsonRecord, kind: unknown, item?: JsonRecord): Item | undefined {
    const keys = keysOf(event, item ?? {});
    const named = keys.flatMap((key) => this.#items.get(key) ?? []).find((each) => each.kind === kind);
    const other = item !== undefined && kind === "function_call" && keys.length > 0;
    return named ?? (this.#last?.kind === kind && !other ? this.#last : undefined);
  }

  #streamed(event: JsonRecord, kind: string): void {
    (this.#known(event, kind) ?? this.#add(kind, keysOf(event, {}))).streamed = true;
  }

  #add(kind: unknown, keys: readonly string[]): Item {
    const item: Item = { kind, call: kind === "function_call" ? this.#calls++ : -1, streamed: false };
    for (const key of keys) this.#items.set(key, item);
    this.#last = item;
    return item;
  }
}

const deltaOf = ({ type, text, refusal }: JsonRecord): Delta => (type === "refusal" ? { refusal } : { content: text });

/** Returns all names of an item that an event contains. */
function keysOf({ output_index: index, item_id: id }: JsonRecord, item: JsonRecord): readonly string[] {
  return [
    ...(typeof index === "number" ? [`#${index}`] : []),
    ...[id, item["id"], item["call_id"]].filter((name) => typeof name === "string" && name !== ""),
  ] as readonly string[];
}

const partsOf = (list: unknown) => (Array.isArray(list) ? (list as unknown[]).filter(isRecord) : []);

/** Returns the same counts under the names of chat completions. */
function usageOf(usage: JsonRecord): object {
  const { input_tokens: input, output_tokens: output, input_tokens_details, output_tokens_details, ...others } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    prompt_tokens_details: input_tokens_details,
    completion_tokens_details: output_tokens_details,
    ...others,
  };
}
