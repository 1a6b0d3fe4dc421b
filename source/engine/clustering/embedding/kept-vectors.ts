/** Vectors of an embedding that costs money or time, kept on disk by the text they belong to. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { DataProblem } from "../../text/json-lines.ts";
import type { Embedder } from "./embedder.ts";
import { hashOf } from "../toolkits/kept-replies.ts";
import { keptLine } from "../toolkits/reply-file.ts";

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
  // As numbers: as texts, those of a whole catalogue would fill gigabytes of the heap.
  const known = await vectorsIn(path);
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
        checkLengths(vectors, known, path);
        const made = part.map((text, index) => ({ key: keyOf(text), vector: vectors[index]! }));
        const lines = made.map(({ key, vector }) => `${JSON.stringify({ key, text: written(vector) })}\n`);
        await appendFile(path, lines.join(""));
        // Copied, as they may be views on the memory of all that was asked at a time.
        for (const { key, vector } of made) known.set(key, vector.slice());
        remember(path, known);
      }
      return texts.map((text) => known.get(keyOf(text))!);
    },
    close: () => embedder.close?.(),
  };
}

type Known = Map<string, Float32Array>;

/** What files held when they were read or written last: those of a whole catalogue are not read for each task of a run. */
const opened = new Map<string, { readonly mark: string; readonly known: WeakRef<Known> }>();

async function vectorsIn(path: string): Promise<Known> {
  const last = opened.get(path);
  const known = last?.mark === markOf(path) ? last?.known.deref() : undefined;
  if (known !== undefined) return known;
  const found = await readVectors(path);
  remember(path, found);
  return found;
}

/** Vectors by key. Lines that cannot be read (the last one of a run that was cut off) are left out: they will be asked for again. */
async function readVectors(path: string): Promise<Known> {
  const known: Known = new Map();
  if (!existsSync(path)) return known;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const kept = keptLine(line);
    const vector = kept && read(kept.text);
    if (vector !== undefined) known.set(kept!.key, vector);
  }
  return known;
}

function remember(path: string, known: Known): void {
  opened.set(path, { mark: markOf(path), known: new WeakRef(known) });
}

/** Another one when another program, or a person, has changed the file. */
function markOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  return file === undefined ? "none" : `${file.ino} ${file.size} ${file.mtimeMs}`;
}

/** Another model under the old name would spoil the file for both. */
function checkLengths(vectors: readonly Float32Array[], known: ReadonlyMap<string, Float32Array>, path: string): void {
  const [kept = vectors[0]] = known.values();
  const other = vectors.find(({ length }) => length !== kept?.length);
  if (other === undefined) return;
  const found = `got one of ${other.length}: where another model has the name now, remove the file`;
  throw new DataProblem(`Expected vectors of ${kept?.length} numbers, as ${path} holds them, ${found}`);
}

function written(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

/** undefined for what is no vector of finite numbers: it is asked for again. */
function read(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, "base64");
  const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
  for (const value of vector) if (!Number.isFinite(value)) return undefined;
  return vector.length > 0 ? vector : undefined;
}
