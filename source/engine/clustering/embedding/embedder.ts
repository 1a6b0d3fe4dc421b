/** Embeds texts as one matrix. */
import type { Embedder } from "../../clusters.ts";
import { checkVectors, vectorsFrom, type Vectors } from "../methods/vectors.ts";

/** Embeds the texts in batches. Throws when a vector is missing, of another length or not finite. */
export async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  options: { readonly signal: AbortSignal; readonly batch?: number; readonly progress?: (done: number) => void },
): Promise<Vectors> {
  const { signal, batch = texts.length, progress } = options;
  const rows: Float32Array[] = [];
  while (rows.length < texts.length) {
    signal.throwIfAborted();
    const part = texts.slice(rows.length, rows.length + Math.max(1, batch));
    const before = rows.length;
    const vectors = await embedder.embed(part, signal, (done) => {
      if (done < part.length) progress?.(before + done);
    });
    if (vectors.length !== part.length) {
      throw new Error(`Expected ${part.length} vectors from ${embedder.name}, got ${vectors.length}`);
    }
    rows.push(...vectors);
    progress?.(rows.length);
  }
  const vectors = vectorsFrom(rows);
  checkVectors(vectors);
  return vectors;
}
