/** Caches in an unwritable folder: nothing is cached and no error is thrown. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cachedEmbedder } from "../../../../source/engine/clustering/embedding/vector-cache.ts";
import { askAll } from "../../../../source/engine/clustering/toolkits/reply-cache.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-cache-"));
  writeFileSync(join(folder, "file"), "in the place of a folder");
});
afterEach(() => rmSync(folder, { recursive: true }));
const { signal } = new AbortController();

describe("a cache that cannot be written", () => {
  it("returns replies, and requests the same replies again the next time", async () => {
    let asked = 0;
    const ask = () => Promise.resolve(`reply ${++asked}`);
    const asking = {
      model: "m",
      ask,
      cache: join(folder, "file", "replies.jsonl"),
      concurrency: 1,
      signal,
      progress: () => {},
    };
    const prompts = [[{ role: "user" as const, content: "a" }], [{ role: "user" as const, content: "b" }]];
    expect(await askAll(prompts, asking)).toEqual(["reply 1", "reply 2"]);
    expect(await askAll(prompts, asking)).toEqual(["reply 3", "reply 4"]);
  });

  it("computes vectors once in the lifetime of the embedder", async () => {
    let computed = 0;
    const embed = (texts: readonly string[]) => {
      computed += texts.length;
      return Promise.resolve(texts.map((text) => new Float32Array([text.length, 1])));
    };
    const embedder = await cachedEmbedder({ name: "e", dims: 2, embed }, join(folder, "file", "vectors.jsonl"));
    expect(await embedder.embed(["a", "bb", "a"], signal)).toEqual(
      [1, 2, 1].map((length) => new Float32Array([length, 1])),
    );
    expect(embedder.missing(["a", "bb"])).toBe(0);
    expect(computed).toBe(2);
  });
});
