import { describe, expect, it } from "vitest";
import { embedAll } from "../../../source/engine/clustering/embedder.ts";
import { endpointEmbedder, type EmbeddingsClient } from "../../../source/engine/clustering/endpoint-embedder.ts";
import { kMeans } from "../../../source/engine/clustering/k-means.ts";
import { lexicalEmbedder } from "../../../source/engine/clustering/lexical-embedder.ts";
import { purity } from "../../../source/engine/clustering/partition.ts";
import { wordsOf } from "../../../source/engine/clustering/words.ts";
import { sampleApis } from "./sample-apis.ts";

const { signal } = new AbortController();

describe("words", () => {
  it("are lower case, singular, split at humps and signs, without those that say nothing", () => {
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
  it("groups descriptions by what they are about", async () => {
    const vectors = await embedAll(
      lexicalEmbedder(),
      sampleApis.map(({ functionality }) => functionality),
      { signal },
    );
    const { labels } = await kMeans(vectors, { k: 6 });
    const groups = sampleApis.map(({ api_dest }) => api_dest.type_name);
    expect(purity(labels, groups)).toBeGreaterThanOrEqual(0.9);
  });

  it("is the same every time, of length 1, and has a direction even for nothing", async () => {
    const embedder = lexicalEmbedder({ dims: 64 });
    const texts = ["rates of exchange", "", "rates of exchange", "???"];
    const [first, nothing, again, signs] = await embedder.embed(texts, signal);
    expect(await embedder.embed(texts, signal)).toEqual([first, nothing, again, signs]);
    expect(again).toEqual(first);
    expect(signs).toEqual(nothing);
    for (const vector of [first!, nothing!]) expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  it("can weigh words by other texts than those it embeds", async () => {
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

  it("are asked for in batches and put in order", async () => {
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

  it("must all be there, and be numbers of one length", async () => {
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
    const broken = endpointEmbedder(
      client((input) => input.map((_, index) => ({ index, embedding: [Number.NaN] }))),
      "local",
      "e5",
    );
    await expect(embedAll(broken, ["a"], { signal })).rejects.toThrow("Expected finite numbers, got NaN");
    // JSON has no NaN: servers write null, which must not pass for 0. The embedder itself refuses, before anything is kept.
    for (const odd of [null, "0.5", {}]) {
      const hostile = endpointEmbedder(
        client((input) => input.map((_, index) => ({ index, embedding: [1, odd] }))),
        "local",
        "e5",
      );
      await expect(hostile.embed(["a"], signal)).rejects.toThrow(
        `Expected finite numbers, got ${String(odd)} in row 0, column 1 from local`,
      );
    }
  });
});
