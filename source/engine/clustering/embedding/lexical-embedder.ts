/**
 * A deterministic embedding that needs no model: words and their character n-grams, weighted by tf-idf, hashed with signs
 * into a fixed number of dimensions (Weinberger et al. 2009). Texts that share words are close to each other; synonyms are
 * not recognised.
 */
import { seedOf } from "../../statistics/random.ts";
import type { Embedder } from "../../clusters.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { wordsOf } from "./words.ts";

/** Weight of an n-gram relative to a whole word, so that `translate` and `translation` are similar. */
const gramWeight = 0.4;
const gramLength = 4;

export type LexicalOptions = {
  /** Numbers per vector, 512 by default. */
  readonly dims?: number;
  /** Texts from which document frequencies are counted; by default those embedded together. */
  readonly corpus?: readonly string[];
};

/** Vectors have length 1; a text without any word becomes the first unit vector, so that cosine distance is always defined. */
export function lexicalEmbedder({ dims = 512, corpus }: LexicalOptions = {}): Embedder {
  if (!Number.isInteger(dims) || dims < 1) {
    throw new RangeError(`Expected \`dims\` to be a whole number of at least 1, got \`${dims}\``);
  }
  const known = corpus === undefined ? undefined : new DocumentFrequency();
  for (const text of corpus ?? []) known!.add(featuresOf(text));
  return {
    name: "lexical",
    dims,
    async embed(texts, signal) {
      signal.throwIfAborted();
      const yieldIfDue = eventLoopYielder(signal);
      const features: Map<string, number>[] = [];
      const together = new DocumentFrequency();
      for (const text of texts) {
        const counts = featuresOf(text);
        features.push(counts);
        if (known === undefined) together.add(counts);
        await yieldIfDue();
      }
      const { rarity } = known ?? together;
      const vectors: Float32Array[] = [];
      for (const counts of features) {
        vectors.push(hashed(counts, rarity, dims));
        await yieldIfDue();
      }
      return vectors;
    },
  };
}

type Rarity = (feature: string) => number;

/** Counts words and n-grams; n-grams are prefixed with `#`, which no word contains. */
function featuresOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (feature: string) => counts.set(feature, (counts.get(feature) ?? 0) + 1);
  for (const word of wordsOf(text)) {
    count(word);
    if (word.length <= gramLength) continue;
    for (let at = 0; at + gramLength <= word.length; at++) count(`#${word.slice(at, at + gramLength)}`);
  }
  return counts;
}

/** Document frequencies of features; texts are added one by one. */
class DocumentFrequency {
  readonly #frequency = new Map<string, number>();
  #texts = 0;

  add(counts: ReadonlyMap<string, number>): void {
    this.#texts += 1;
    for (const feature of counts.keys()) this.#frequency.set(feature, (this.#frequency.get(feature) ?? 0) + 1);
  }

  /** ln((1 + n) / (1 + texts with the feature)) + 1, the smoothed inverse document frequency. */
  readonly rarity: Rarity = (feature) => Math.log((1 + this.#texts) / (1 + (this.#frequency.get(feature) ?? 0))) + 1;
}

function hashed(counts: ReadonlyMap<string, number>, rarity: Rarity, dims: number): Float32Array {
  const sums = new Float64Array(dims);
  for (const [feature, count] of counts) {
    const hash = mixed(seedOf(feature));
    const weight = (1 + Math.log(count)) * rarity(feature) * (feature.startsWith("#") ? gramWeight : 1);
    sums[(hash >>> 1) % dims]! += (hash & 1) === 0 ? weight : -weight;
  }
  const norm = Math.sqrt(sums.reduce((sum, value) => sum + value * value, 0));
  if (norm === 0) sums[0] = 1;
  return Float32Array.from(sums, (value) => (norm === 0 ? value : value / norm));
}

/** Mixes the bits of a hash: the low bits alone are too regular for short texts. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
