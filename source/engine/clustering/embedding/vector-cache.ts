/** A cache on disk for the vectors of an embedding that costs money or time, by text. */
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stampOf } from "../../work/file-stamp.ts";
import { DataProblem } from "../../text/json-lines.ts";
import type { CachedEmbedder, Embedder } from "../../clusters.ts";
import { hashOf } from "../toolkits/reply-cache.ts";
import { parseReply, appendToCache } from "../toolkits/reply-file.ts";

/** Number of vectors written at a time, which is the maximum that an interruption loses. */
const vectorsPerWrite = 64;

/** Returns the file for an embedder's vectors in a folder, by its `key`. */
export const vectorCacheFile = (folder: string, { key, name }: Pick<Embedder, "key" | "name">): string =>
  join(folder, `vectors-${hashOf(key ?? name).slice(0, 12)}.jsonl`);

/**
 * Returns an embedder that computes only vectors missing in the file and appends them there, 64 at a time; if the file cannot
 * be written, they are computed again the next time.
 */
export async function cachedEmbedder(embedder: Embedder, path: string): Promise<CachedEmbedder> {
  // Numbers, because the text of a whole catalogue's vectors would take gigabytes of the heap.
  const known = await vectorsIn(path);
  const keyOf = (text: string) => hashOf(JSON.stringify([embedder.key ?? embedder.name, text]));
  const unknown = (texts: readonly string[]) => [...new Set(texts)].filter((text) => !known.has(keyOf(text)));
  return {
    name: embedder.name,
    ...(embedder.key === undefined ? {} : { key: embedder.key }),
    get dims() {
      return embedder.dims;
    },
    missing: (texts) => unknown(texts).length,
    async embed(texts, signal, progress) {
      const missing = unknown(texts);
      for (let start = 0; start < missing.length; start += vectorsPerWrite) {
        const part = missing.slice(start, start + vectorsPerWrite);
        const before = texts.length - missing.length + start;
        const vectors = await embedder.embed(part, signal, (done) => progress?.(before + done));
        checkLengths(vectors, known, path);
        const made = part.map((text, index) => ({ key: keyOf(text), vector: vectors[index]! }));
        const lines = made.map(({ key, vector }) => `${JSON.stringify({ key, text: written(vector) })}\n`);
        await appendToCache(path, lines.join(""));
        // Copied, because they may be views on the memory of a whole batch.
        for (const { key, vector } of made) known.set(key, vector.slice());
        remember(path, known);
      }
      return texts.map((text) => known.get(keyOf(text))!);
    },
    close: () => embedder.close?.(),
  };
}

type Known = Map<string, Float32Array>;

/** The contents of files when last read or written, so that a whole catalogue is not read for each task of a run. */
const opened = new Map<string, { readonly stamp: string | undefined; readonly known: WeakRef<Known> }>();

async function vectorsIn(path: string): Promise<Known> {
  const last = opened.get(path);
  const known = last?.stamp === stampOf(path) ? last?.known.deref() : undefined;
  if (known !== undefined) return known;
  const found = await readVectors(path);
  remember(path, found);
  return found;
}

/** Reads vectors by key. Lines that cannot be parsed, such as a truncated last line, are skipped and computed again later. */
async function readVectors(path: string): Promise<Known> {
  const known: Known = new Map();
  if (!existsSync(path)) return known;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const entry = parseReply(line);
    const vector = entry && read(entry.text);
    if (vector !== undefined) known.set(entry!.key, vector);
  }
  return known;
}

function remember(path: string, known: Known): void {
  opened.set(path, { stamp: stampOf(path), known: new WeakRef(known) });
}

/** Rejects vectors of another length, which come from another model and would spoil the cache. */
function checkLengths(vectors: readonly Float32Array[], known: ReadonlyMap<string, Float32Array>, path: string): void {
  const [kept = vectors[0]] = known.values();
  const other = vectors.find(({ length }) => length !== kept?.length);
  if (other === undefined) return;
  const found = `got a vector of ${other.length}; if the name now refers to another model, remove the file`;
  throw new DataProblem(`Expected vectors of ${kept?.length} numbers, as in ${path}, ${found}`);
}

const written = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");

/** Undefined for anything but a vector of finite numbers, which is then computed again. */
function read(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, "base64");
  const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
  for (const value of vector) if (!Number.isFinite(value)) return undefined;
  return vector.length > 0 ? vector : undefined;
}
