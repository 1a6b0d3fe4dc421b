/** Vectors of an embedding that costs money or time, kept on disk by the text they belong to. */
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Embedder } from "./embedder.ts";
import { hashOf, readKept } from "./kept-replies.ts";

export type KeptEmbedder = Embedder & {
  /** Texts among these that have no vector yet. */
  missing(texts: readonly string[]): number;
};

/** Asks the embedder for what is not in the file, and adds it there as soon as it came. */
export async function keptEmbedder(embedder: Embedder, path: string): Promise<KeptEmbedder> {
  const known = await readKept(path);
  const keyOf = (text: string) => hashOf(JSON.stringify([embedder.name, text]));
  const unknown = (texts: readonly string[]) => [...new Set(texts)].filter((text) => !known.has(keyOf(text)));
  await mkdir(dirname(path), { recursive: true });
  return {
    name: embedder.name,
    get dims() {
      return embedder.dims;
    },
    missing: (texts) => unknown(texts).length,
    async embed(texts, signal) {
      const wanted = unknown(texts);
      if (wanted.length > 0) {
        const vectors = await embedder.embed(wanted, signal);
        const lines = wanted.map((text, index) => ({ key: keyOf(text), text: written(vectors[index]!) }));
        await appendFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
        for (const { key, text } of lines) known.set(key, text);
      }
      return texts.map((text) => read(known.get(keyOf(text))!));
    },
  };
}

function written(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function read(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
}
