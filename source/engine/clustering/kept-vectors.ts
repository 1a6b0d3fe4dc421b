/** Vectors of an embedding that costs money or time, kept on disk by the text they belong to. */
import { createReadStream, existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Embedder } from "./embedder.ts";
import { hashOf } from "./kept-replies.ts";

export type KeptEmbedder = Embedder & {
  /** Texts among these that have no vector yet. */
  missing(texts: readonly string[]): number;
};

/** Vectors written at a time: what a stop loses at most. */
const keptAtOnce = 64;

/** The file for an embedder's vectors in a folder: another one for another `key`. */
export function keptVectorsFile(folder: string, { key, name }: Pick<Embedder, "key" | "name">): string {
  return join(folder, `vectors-${hashOf(key ?? name).slice(0, 12)}.jsonl`);
}

/** Asks the embedder for what is not in the file, and adds it there as soon as it came, 64 vectors at a time. */
export async function keptEmbedder(embedder: Embedder, path: string): Promise<KeptEmbedder> {
  const known = await readKept(path);
  const keyOf = (text: string) => hashOf(JSON.stringify([embedder.key ?? embedder.name, text]));
  const unknown = (texts: readonly string[]) => [...new Set(texts)].filter((text) => !known.has(keyOf(text)));
  await mkdir(dirname(path), { recursive: true });
  return {
    name: embedder.name,
    ...(embedder.key === undefined ? {} : { key: embedder.key }),
    get dims() {
      return embedder.dims;
    },
    missing: (texts) => unknown(texts).length,
    async embed(texts, signal, progress) {
      const wanted = unknown(texts);
      for (let start = 0; start < wanted.length; start += keptAtOnce) {
        const part = wanted.slice(start, start + keptAtOnce);
        const before = texts.length - wanted.length + start;
        const vectors = await embedder.embed(part, signal, (done) => progress?.(before + done));
        const lines = part.map((text, index) => ({ key: keyOf(text), text: written(vectors[index]!) }));
        await appendFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
        for (const { key, text } of lines) known.set(key, read(text));
      }
      return texts.map((text) => known.get(keyOf(text))!);
    },
    close: () => embedder.close?.(),
  };
}

/** Vectors by key. Lines that cannot be read (the last one of a run that was cut off) are left out: they will be asked for again. */
async function readKept(path: string): Promise<Map<string, Float32Array>> {
  const known = new Map<string, Float32Array>();
  if (!existsSync(path)) return known;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    try {
      const value = JSON.parse(line) as { key?: unknown; text?: unknown } | null;
      if (typeof value?.key === "string" && typeof value.text === "string") known.set(value.key, read(value.text));
    } catch {
      continue;
    }
  }
  return known;
}

function written(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function read(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
}
