/** Assembles a reply from the chunks a server streams. Servers are not trusted to follow the protocol. */
import type { ToolCall } from "../types.ts";
import { parseArguments } from "./call-arguments.ts";

/** The server sent something that is not a chunk of a chat completion; the request is worth another attempt. */
export class MalformedChunk extends Error {
  override readonly name = "MalformedChunk";
}

type Fields = { [key: string]: unknown };
type Draft = { id: string; name: string; text: string };

/** Most characters of text and arguments in one reply; beyond it the server is assumed not to stop. */
const longest = 16_000_000;

export class StreamedReply {
  /** The finish reason, once the server has sent it. */
  finish: string | undefined;
  usage: { readonly input: number; readonly output: number } | undefined;
  text = "";
  readonly #drafts: Draft[] = [];
  /** The call to which chunks with this index belong. */
  readonly #open = new Map<number, Draft>();
  #size = 0;

  /** Adds one chunk; returns its text, often empty. Throws `MalformedChunk`. */
  take(chunk: unknown): string {
    if (!isFields(chunk)) throw new MalformedChunk("a chunk that is not an object");
    const { choices, usage } = chunk;
    if (isFields(usage)) this.#count(usage);
    if (choices === undefined || choices === null) return "";
    if (!Array.isArray(choices)) throw new MalformedChunk("a chunk whose `choices` is not a list");
    const choice: unknown = choices[0];
    if (choice === undefined) return "";
    if (!isFields(choice)) throw new MalformedChunk("a choice that is not an object");
    if (typeof choice["finish_reason"] === "string") this.finish = choice["finish_reason"];
    const { delta } = choice;
    if (delta === undefined || delta === null) return "";
    if (!isFields(delta)) throw new MalformedChunk("a `delta` that is not an object");
    if (delta["tool_calls"] !== undefined && delta["tool_calls"] !== null) this.#takeCalls(delta["tool_calls"]);
    const { content } = delta;
    if (typeof content === "string") {
      this.#grow(content.length);
      this.text += content;
      return content;
    }
    if (content !== undefined && content !== null) throw new MalformedChunk("a `content` that is not text");
    return "";
  }

  /** The calls in the order they began. Calls without an id are numbered. */
  calls(): ToolCall[] {
    return this.#drafts.map(({ id, name, text }, position) => ({
      id: id === "" ? `call-${position}` : id,
      name,
      text,
      arguments: parseArguments(text),
    }));
  }

  #count(usage: Fields): void {
    const input = usage["prompt_tokens"];
    const output = usage["completion_tokens"];
    if (isCount(input) && isCount(output)) this.usage = { input, output };
  }

  #takeCalls(list: unknown): void {
    if (!Array.isArray(list)) throw new MalformedChunk("`tool_calls` that are not a list");
    for (const fields of list as unknown[]) {
      if (!isFields(fields)) throw new MalformedChunk("a tool call that is not an object");
      const called = isFields(fields["function"]) ? fields["function"] : {};
      const id = typeof fields["id"] === "string" ? fields["id"] : "";
      const name = typeof called["name"] === "string" ? called["name"] : "";
      const text = typeof called["arguments"] === "string" ? called["arguments"] : "";
      this.#grow(id.length + name.length + text.length);
      const draft = this.#draft(fields["index"], id, name);
      if (draft.id === "") draft.id = id;
      // Some servers repeat the whole name in every chunk, others stream it.
      if (name !== "" && draft.name !== name) draft.name += name;
      draft.text += text;
    }
  }

  /** The call a chunk belongs to. A new id together with a name begins a new call even where the server omits the index. */
  #draft(index: unknown, id: string, name: string): Draft {
    const position = isCount(index) ? index : -1;
    const known = this.#open.get(position);
    const another = known !== undefined && id !== "" && known.id !== "" && id !== known.id && name !== "";
    if (known !== undefined && !another) return known;
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

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
