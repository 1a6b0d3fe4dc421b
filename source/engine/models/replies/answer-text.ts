/** Extracts the answer from a streamed reply: applies stop strings and removes tool calls written as text. */
import type { Chunk, ModelRequest, ToolCall } from "../../types.ts";
import type { Adaptation } from "../protocols/adaptation.ts";
import type { ReplyPiece } from "./streamed-reply.ts";
import { TextCalls } from "./text-calls.ts";
import { unfinished } from "./think-tags.ts";

export class AnswerText {
  /** The answer so far, as streamed. */
  text = "";
  /** Calls found in the text, once it has ended. */
  calls: readonly ToolCall[] = [];
  readonly #request: ModelRequest;
  /** True if stop strings are applied here. */
  readonly stopsHere: boolean;
  #stop: StopCut | undefined;
  #inText: TextCalls | undefined;

  constructor(request: ModelRequest, adaptations: ReadonlySet<Adaptation>) {
    this.#request = request;
    this.stopsHere = (adaptations.has("stop-here") || adaptations.has("stop")) && (request.stop ?? []).length > 0;
    this.#begin();
  }

  /** True once a stop string was found: further text from the server is not part of the answer. */
  get stopped(): boolean {
    return this.#stop?.met === true;
  }

  take(pieces: readonly ReplyPiece[]): Chunk[] {
    const chunks: Chunk[] = [];
    for (const piece of pieces) {
      if (piece.textBefore === true) this.#begin();
      if (piece.type === "thinking") chunks.push(piece);
      else this.#say(piece.text, chunks);
    }
    return chunks;
  }

  /** Returns the text that was held back. Searches it for calls unless the server sent calls separately. */
  end(looksForCalls: boolean): Chunk[] {
    const chunks: Chunk[] = [];
    const rest = this.#stop?.end() ?? "";
    if (rest !== "") this.#give(this.#inText?.take(rest) ?? rest, chunks);
    const { text, calls } = this.#inText?.end(looksForCalls) ?? { text: "", calls: [] };
    this.#give(text, chunks);
    this.calls = calls;
    return chunks;
  }

  #begin(): void {
    this.text = "";
    const { stop = [], tools = [] } = this.#request;
    this.#stop = this.stopsHere ? new StopCut(stop) : undefined;
    this.#inText = tools.length > 0 ? new TextCalls(tools.map(({ name }) => name)) : undefined;
  }

  #say(text: string, chunks: Chunk[]): void {
    const cut = this.#stop?.take(text) ?? text;
    if (cut !== "") this.#give(this.#inText?.take(cut) ?? cut, chunks);
  }

  #give(text: string, chunks: Chunk[]): void {
    if (text === "") return;
    this.text += text;
    chunks.push({ type: "text", text });
  }
}

/**
 * Truncates an answer before the first stop string, if the server does not support stop strings or would apply them to the
 * thinking.
 */
export class StopCut {
  readonly #stop: readonly string[];
  #held = "";
  /** True once a stop string was found: later text is not part of the answer. */
  met = false;

  constructor(stop: readonly string[]) {
    this.#stop = stop.filter((word) => word !== "");
  }

  /** Returns the text that certainly belongs to the answer; a possible beginning of a stop string is held back. */
  take(text: string): string {
    if (this.met) return "";
    this.#held += text;
    const found = this.#stop.map((word) => this.#held.indexOf(word)).filter((at) => at !== -1);
    this.met = found.length > 0;
    const end = this.met ? Math.min(...found) : this.#held.length - unfinished(this.#held, this.#stop);
    const certain = this.#held.slice(0, end);
    this.#held = this.met ? "" : this.#held.slice(end);
    return certain;
  }

  /** Returns the text held back. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}
