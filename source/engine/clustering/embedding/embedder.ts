/** Texts to vectors: one interface for a lexical embedding, an endpoint's model and a local model. */
import { checkVectors, vectorsFrom, type Vectors } from "../methods/vectors.ts";

export type Embedder = {
  /** As written beside results: `lexical`, `endpoint/model`, `onnx/folder`. */
  readonly name: string;
  /** What vectors kept on disk belong to, where a name may come to stand for something else: by default the name. */
  readonly key?: string;
  /** Numbers per vector; 0 while not known. */
  readonly dims: number;
  /**
   * One vector for each text, in order. Rejects with the signal's reason when it is aborted. `progress` hears how many
   * texts are done, from those that do not do all at once.
   */
  embed(texts: readonly string[], signal: AbortSignal, progress?: (done: number) => void): Promise<Float32Array[]>;
  /** Gives back what is held between calls (a process with its model). The embedder may be used again. */
  close?(): void;
};

/** Embeds the texts, a few at a time, as one checked matrix. Throws when a vector is missing, too short or not finite. */
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
