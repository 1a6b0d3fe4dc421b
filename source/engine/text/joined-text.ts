/** Text that is streamed comes in many small pieces; neighbours are one. */
import type { Chunk } from "../types.ts";

type TextPiece = Extract<Chunk, { type: "text" | "thinking" }>;

/** Whether a piece of a reply goes on in the same event, or chunk, as the one before it. */
export function joins(before: TextPiece | { readonly type: string }, piece: TextPiece): boolean {
  if (before.type !== piece.type) return false;
  if (piece.type === "text") return true;
  return !("textBefore" in piece || "item" in piece) && ("field" in before ? before.field : undefined) === piece.field;
}

/** The same chunks, neighbouring text in one. Where going through them throws, what came before is given first. */
export function* joined(chunks: Iterable<Chunk>): Generator<Chunk> {
  let last: Chunk | undefined;
  try {
    for (const chunk of chunks) {
      if (last !== undefined && "text" in last && "text" in chunk && joins(last, chunk))
        last = { ...last, text: last.text + chunk.text };
      else {
        if (last !== undefined) yield last;
        last = chunk;
      }
    }
  } catch (thrown) {
    if (last !== undefined) yield last;
    throw thrown;
  }
  if (last !== undefined) yield last;
}
