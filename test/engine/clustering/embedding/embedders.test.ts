import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { embedAll } from "../../../../source/engine/clustering/embedding/embedder.ts";
import {
  endpointEmbedder,
  type EmbeddingsClient,
} from "../../../../source/engine/clustering/embedding/endpoint-embedder.ts";
import { kMeans } from "../../../../source/engine/clustering/methods/k-means.ts";
import { cachedEmbedder } from "../../../../source/engine/clustering/embedding/vector-cache.ts";
import { lexicalEmbedder } from "../../../../source/engine/clustering/embedding/lexical-embedder.ts";
import { purity } from "../../../../source/engine/clustering/methods/partition.ts";
import { wordsOf } from "../../../../source/engine/clustering/embedding/words.ts";
import { temporaryFolder } from "../../../commands/typed.ts";
import { sampleApis } from "../toolkits/sample-apis.ts";

const { signal } = new AbortController();
const at = temporaryFolder();

describe("words for the lexical embedding", () => {
  it("are lower case, singular, split at punctuation and inside camelCase, without stop words", () => {
    expect(wordsOf("GetExchangeRates: lists the currency_codes, of cities!")).toEqual([
      "exchange",
      "rate",
      "list",
      "currency",
      "code",
      "city",
    ]);
    expect(wordsOf("Wetter für Zürich 東京 2024")).toEqual(["wetter", "für", "zürich", "東京", "2024"]);
  });
});

describe("the lexical embedding", () => {
  it("groups descriptions by subject", async () => {
    const vectors = await embedAll(
      lexicalEmbedder(),
      sampleApis.map(({ functionality }) => functionality),
      { signal },
    );
    const { labels } = await kMeans(vectors, { k: 6 });
    const groups = sampleApis.map(({ api_dest }) => api_dest.type_name);
    expect(purity(labels, groups)).toBeGreaterThanOrEqual(0.9);
  });

  it("is deterministic and has length 1, even for an empty text", async () => {
    const embedder = lexicalEmbedder({ dims: 64 });
    const texts = ["rates of exchange", "", "rates of exchange", "???"];
    const [first, nothing, again, signs] = await embedder.embed(texts, signal);
    expect(await embedder.embed(texts, signal)).toEqual([first, nothing, again, signs]);
    expect(again).toEqual(first);
    expect(signs).toEqual(nothing);
    for (const vector of [first!, nothing!]) expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  it("can count document frequencies in texts other than those it embeds", async () => {
    const corpus = sampleApis.map(({ functionality }) => functionality);
    const embedder = lexicalEmbedder({ corpus });
    const all = await embedder.embed(corpus, signal);
    expect(await embedder.embed([corpus[4]!], signal)).toEqual([all[4]]);
  });
});

describe("an endpoint's embeddings", () => {
  const asked: string[][] = [];
  const client = (answer: (input: string[]) => unknown): EmbeddingsClient => ({
    embeddings: {
      create: (async ({ input }: { input: string[] }) => {
        asked.push(input);
        return { data: answer(input) };
      }) as unknown as EmbeddingsClient["embeddings"]["create"],
    },
  });

  it("are requested in batches and returned in order", async () => {
    const texts = Array.from({ length: 70 }, (_, index) => (index === 1 ? "" : "x".repeat(index)));
    const embedder = endpointEmbedder(
      client((input) => input.map((text, index) => ({ index, embedding: [text.length, 1] })).toReversed()),
      "local",
      "e5",
    );
    const vectors = await embedder.embed(texts, signal);
    expect(vectors.map(([length]) => length)).toEqual([1, 1, ...Array.from({ length: 68 }, (_, index) => index + 2)]);
    expect(asked.map((input) => input.length)).toEqual([64, 6]);
    expect([embedder.name, embedder.dims]).toEqual(["local/e5", 2]);
  });

  it("are rejected if incomplete, not numeric or of unequal length", async () => {
    const missing = endpointEmbedder(
      client(() => [{ index: 0, embedding: [1] }]),
      "local",
      "e5",
    );
    await expect(missing.embed(["a", "b"], signal)).rejects.toThrow(
      "Expected a vector for text 1 from local, got none",
    );
    const uneven = endpointEmbedder(
      client((input) => input.map((text, index) => ({ index, embedding: text === "a" ? [1] : [1, 2] }))),
      "local",
      "e5",
    );
    await expect(embedAll(uneven, ["a", "b"], { signal })).rejects.toThrow(
      "Expected vectors of equal length (1), got 2 in row 1",
    );
  });

  it.each([
    [[null], "Expected finite numbers for text 0 from local, got null"],
    [["many"], 'Expected finite numbers for text 0 from local, got "many"'],
    [[1e39], "Expected finite numbers for text 0 from local, got 1e+39"],
    [[], "Expected a vector for text 0 from local, got none"],
  ])("are requested again and not cached if the reply contains anything but numbers (%j)", async (embedding, words) => {
    let answer: unknown = embedding;
    const embedder = endpointEmbedder(
      client((input) => input.map((_, index) => ({ index, embedding: answer }))),
      "local",
      "e5",
    );
    const path = at("vectors.jsonl");
    const embed = async () => (await cachedEmbedder(embedder, path)).embed(["a"], signal);
    await expect(embed()).rejects.toThrow(words);
    answer = [1, 2];
    expect(await embed()).toEqual([Float32Array.of(1, 2)]);
    answer = [3, 4];
    expect(await embed()).toEqual([Float32Array.of(1, 2)]);
  });

  it("are requested again if the cache is invalid, and never come from another model's cache", async () => {
    let answer = [1, 2];
    const embedder = endpointEmbedder(
      client((input) => input.map((_, index) => ({ index, embedding: answer }))),
      "local",
      "e5",
    );
    const path = at("vectors.jsonl");
    const kept = () => cachedEmbedder(embedder, path);
    await (await kept()).embed(["a", "b"], signal);
    const lines = readFileSync(path, "utf8").trim().split("\n");
    const broken = Buffer.from(Float32Array.of(Number.NaN, 1).buffer).toString("base64");
    writeFileSync(path, `${lines[0]}\n${JSON.stringify({ ...JSON.parse(lines[1]!), text: broken })}\n`);
    expect((await kept()).missing(["a", "b"])).toBe(1);
    answer = [1, 2, 3];
    await expect((await kept()).embed(["a", "b"], signal)).rejects.toThrow(
      `Expected vectors of 2 numbers, as in ${path}, got a vector of 3`,
    );
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(2);
  });

  it("are read from the cache once per process, and again after another process adds embeddings", async () => {
    const embedder = endpointEmbedder(
      client((input) => input.map((text, index) => ({ index, embedding: [text.length, 1] }))),
      "local",
      "e5",
    );
    const path = at("vectors.jsonl");
    const first = await cachedEmbedder(embedder, path);
    const [vector] = await first.embed(["a"], signal);
    const second = await cachedEmbedder(embedder, path);
    expect((await second.embed(["a"], signal))[0]).toBe(vector);
    await second.embed(["bb"], signal);
    expect(first.missing(["a", "bb"])).toBe(0);
    const elsewhere = at("elsewhere.jsonl");
    await (await cachedEmbedder(embedder, elsewhere)).embed(["ccc"], signal);
    writeFileSync(path, readFileSync(elsewhere, "utf8"), { flag: "a" });
    expect((await cachedEmbedder(embedder, path)).missing(["a", "bb", "ccc"])).toBe(0);
    rmSync(path);
    expect((await cachedEmbedder(embedder, path)).missing(["a"])).toBe(1);
  });
});
