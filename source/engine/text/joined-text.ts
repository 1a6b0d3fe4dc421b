/** Joins streamed text, which arrives in many small parts. */
import type { Chunk } from "../types.ts";

type TextPiece = Extract<Chunk, { type: "text" | "thinking" }>;

/** Returns whether a piece of a reply continues the event, or chunk, before it. */
export function joins(before: TextPiece | { readonly type: string }, piece: TextPiece): boolean {
  if (before.type !== piece.type) return false;
  if (piece.type === "text") return true;
  return !("textBefore" in piece || "item" in piece) && ("field" in before ? before.field : undefined) === piece.field;
}

/** Yields the same chunks with neighbouring text joined. If the iteration throws, earlier chunks are yielded first. */
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
