/** Separates thinking from answers if a server leaves both in the text, between `<think>` and `</think>`. */

export type Piece = {
  readonly type: "text" | "thinking";
  readonly text: string;
  /** True if all text before this piece was thinking, too, because the opening tag was missing. */
  readonly textBefore?: true;
};

const opening = "<think>";
const closing = "</think>";
const fence = "```";
const marks = [opening, closing, fence];

/**
 * Takes text as it is streamed. A block starts at the start of the text, right after another block, or at the start of a line
 * outside a code block; the blank space after a block is dropped. A closing tag without an earlier opening tag makes all text
 * before it thinking, because some chat templates write the opening tag into the prompt.
 */
export class ThinkTags {
  /** True while a block is open: a reply that ends then has no answer. */
  inside = false;
  #held = "";
  /** True until any answer other than blank space has followed the last block. */
  #fresh = true;
  #blocks = 0;
  #fenced = false;
  #lineStart = true;

  /** Returns the parts whose kind is certain; a possible beginning of a tag is held back. */
  take(text: string): Piece[] {
    if (this.#held !== "" || text.includes("<") || text.includes("`")) {
      this.#held += text;
      return this.#pieces(false);
    }
    // Most pieces contain no part of a tag, so they need no search.
    const pieces: Piece[] = [];
    this.#add(pieces, text);
    return pieces;
  }

  /** Returns the text held back. */
  end(): Piece[] {
    return this.#pieces(true);
  }

  #pieces(last: boolean): Piece[] {
    const pieces: Piece[] = [];
    for (;;) {
      const held = this.#held;
      const at = this.inside ? held.indexOf(closing) : nextMark(held);
      if (at === -1) {
        const keep = last ? 0 : unfinished(held, this.inside ? [closing] : marks);
        this.#add(pieces, held.slice(0, held.length - keep));
        this.#held = held.slice(held.length - keep);
        return pieces;
      }
      this.#add(pieces, held.slice(0, at));
      const rest = held.slice(at);
      const mark = marks.find((each) => rest.startsWith(each))!;
      this.#held = rest.slice(mark.length);
      this.#mark(pieces, mark);
    }
  }

  #mark(pieces: Piece[], mark: string): void {
    if (this.inside) {
      this.inside = false;
      this.#blocks += 1;
      this.#fresh = true;
      return;
    }
    if (mark === fence) this.#fenced = !this.#fenced;
    else if (mark === opening && !this.#fenced && (this.#fresh || this.#lineStart)) {
      this.inside = true;
      return;
    } else if (mark === closing && !this.#fenced && this.#blocks === 0) {
      this.#blocks = 1;
      this.#fresh = true;
      pieces.push({ type: "thinking", text: "", textBefore: true });
      return;
    }
    this.#add(pieces, mark);
  }

  #add(pieces: Piece[], text: string): void {
    if (this.inside) {
      if (text !== "") pieces.push({ type: "thinking", text });
      return;
    }
    const own = this.#fresh && this.#blocks > 0 ? text.trimStart() : text;
    if (own === "") return;
    if (own.trim() !== "") this.#fresh = false;
    this.#lineStart = own.slice(own.lastIndexOf("\n") + 1).trim() === "" && (own.includes("\n") || this.#lineStart);
    pieces.push({ type: "text", text: own });
  }
}

function nextMark(text: string): number {
  const found = marks.map((mark) => text.indexOf(mark)).filter((at) => at !== -1);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Returns the length of the longest suffix of `text` that is a prefix of one of `words`. */
export function unfinished(text: string, words: readonly string[]): number {
  let longest = 0;
  for (const word of words)
    for (let length = Math.min(word.length - 1, text.length); length > longest; length--)
      if (text.endsWith(word.slice(0, length))) longest = length;
  return longest;
}
