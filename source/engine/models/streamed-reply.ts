/** Puts a reply together from the pieces a server streams. Servers are not trusted to keep to the protocol. */
import type { ToolCall } from "../types.ts";
import { parseArguments } from "./call-arguments.ts";

/** The server sent something that is not a chunk of a chat completion; the request is worth another attempt. */
export class MalformedChunk extends Error {
  override readonly name = "MalformedChunk";
}

type Piece = { [key: string]: unknown };
type Draft = { id: string; name: string; text: string };

/** Most characters of text and arguments taken from one reply; more is a server that does not stop. */
const longest = 16_000_000;

export class StreamedReply {
  /** Set once the server said why it stopped. */
  finish: string | undefined;
  usage: { readonly input: number; readonly output: number } | undefined;
  text = "";
  readonly #drafts: Draft[] = [];
  /** The call that pieces with this index go to. */
  readonly #open = new Map<number, Draft>();
  #size = 0;

  /** Takes one chunk; gives the text in it, often empty. Throws `MalformedChunk`. */
  take(chunk: unknown): string {
    if (!isPiece(chunk)) throw new MalformedChunk("a chunk that is not an object");
    const { choices, usage } = chunk;
    if (isPiece(usage)) this.#count(usage);
    if (choices === undefined || choices === null) return "";
    if (!Array.isArray(choices)) throw new MalformedChunk("a chunk whose `choices` is not a list");
    const choice: unknown = choices[0];
    if (choice === undefined) return "";
    if (!isPiece(choice)) throw new MalformedChunk("a choice that is not an object");
    if (typeof choice["finish_reason"] === "string") this.finish = choice["finish_reason"];
    const { delta } = choice;
    if (delta === undefined || delta === null) return "";
    if (!isPiece(delta)) throw new MalformedChunk("a `delta` that is not an object");
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

  /** The finished calls in the order they began. Calls without an id are named by their place. */
  calls(): ToolCall[] {
    return this.#drafts.map(({ id, name, text }, place) => ({
      id: id === "" ? `call-${place}` : id,
      name,
      text,
      arguments: parseArguments(text),
    }));
  }

  #count(usage: Piece): void {
    const input = usage["prompt_tokens"];
    const output = usage["completion_tokens"];
    if (isCount(input) && isCount(output)) this.usage = { input, output };
  }

  #takeCalls(pieces: unknown): void {
    if (!Array.isArray(pieces)) throw new MalformedChunk("`tool_calls` that are not a list");
    for (const piece of pieces as unknown[]) {
      if (!isPiece(piece)) throw new MalformedChunk("a tool call that is not an object");
      const called = isPiece(piece["function"]) ? piece["function"] : {};
      const id = typeof piece["id"] === "string" ? piece["id"] : "";
      const name = typeof called["name"] === "string" ? called["name"] : "";
      const text = typeof called["arguments"] === "string" ? called["arguments"] : "";
      this.#grow(id.length + name.length + text.length);
      const draft = this.#draft(piece["index"], id, name);
      if (draft.id === "") draft.id = id;
      // Some servers repeat the whole name with every piece, others stream it.
      if (name !== "" && draft.name !== name) draft.name += name;
      draft.text += text;
    }
  }

  /** The call a piece belongs to. A new id that comes with a name begins a new call even where the server forgets the index. */
  #draft(index: unknown, id: string, name: string): Draft {
    const said = isCount(index) ? index : -1;
    const known = this.#open.get(said);
    const another = known !== undefined && id !== "" && known.id !== "" && id !== known.id && name !== "";
    if (known !== undefined && !another) return known;
    const draft: Draft = { id: "", name: "", text: "" };
    this.#drafts.push(draft);
    this.#open.set(said, draft);
    return draft;
  }

  #grow(length: number): void {
    this.#size += length;
    if (this.#size > longest) throw new MalformedChunk(`a reply of more than ${longest} characters`);
  }
}

function isPiece(value: unknown): value is Piece {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
