/** A lexical retriever: the texts closest to a question, for prefilters and tool lists. */
import { wordsOf } from "../clustering/embedding/words.ts";
import { eventLoopYielder } from "../work/event-loop.ts";
import type { Measure } from "../benchmark.ts";
import { meanMeasure } from "../measures/measure.ts";

export type Ranking = {
  /**
   * Returns indexes of the `count` most similar texts, the most similar first, ties in their own order; all texts for a count of
   * 0.
   */
  closest(question: string, count: number): readonly number[];
};

/** Indexes texts by cosine of tf-idf weights (log-damped counts, smoothed idf). Deterministic. Yields to the event loop. */
export async function rankingOf(texts: readonly string[]): Promise<Ranking> {
  const yieldIfDue = eventLoopYielder();
  const index = new TextIndex();
  for (const text of texts) {
    index.add(text);
    await yieldIfDue();
  }
  return index;
}

/** Indexes some hundred texts the same way, when they are first searched. */
export function rankedWhenSearched(texts: () => readonly string[]): Ranking {
  let index: TextIndex | undefined;
  return {
    closest(question, count) {
      if (index === undefined) {
        index = new TextIndex();
        for (const text of texts()) index.add(text);
      }
      return index.closest(question, count);
    },
  };
}

class TextIndex implements Ranking {
  /** Weights of each word by the index of the text. */
  readonly #postings = new Map<string, Map<number, number>>();
  #size = 0;
  #norms: Float64Array | undefined;

  add(text: string): void {
    for (const [word, count] of counted(wordsOf(text))) {
      const weights = this.#postings.get(word) ?? new Map<number, number>();
      if (weights.size === 0) this.#postings.set(word, weights);
      weights.set(this.#size, 1 + Math.log(count));
    }
    this.#size += 1;
  }

  #rarity(weights: ReadonlyMap<number, number>): number {
    return Math.log((1 + this.#size) / (1 + weights.size)) + 1;
  }

  /** Squared lengths of the texts' vectors. */
  #normed(): Float64Array {
    const norms = new Float64Array(this.#size);
    for (const weights of this.#postings.values()) {
      const rarity = this.#rarity(weights);
      for (const [index, weight] of weights) norms[index]! += (weight * rarity) ** 2;
    }
    return norms;
  }

  closest(question: string, count: number): readonly number[] {
    const norms = (this.#norms ??= this.#normed());
    const scores = new Float64Array(this.#size);
    for (const [word, times] of counted(wordsOf(question))) {
      const weights = this.#postings.get(word);
      if (weights === undefined) continue;
      const idf = this.#rarity(weights);
      for (const [index, weight] of weights)
        scores[index]! += ((1 + Math.log(times)) * idf * weight * idf) / Math.sqrt(norms[index]!);
    }
    const order = [...scores.keys()].sort((one, other) => scores[other]! - scores[one]! || one - other);
    return count <= 0 ? order : order.slice(0, count);
  }
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * Measures of two metrics: `retriever.recall`, the share of the required tools that were offered, and `retriever.offered`, the
 * number of offered tools.
 */
export const retrieverMeasures: readonly Measure[] = [
  meanMeasure("retriever.recall", { name: "retriever.recall", title: "Retriever's recall", mode: "effort" }),
  meanMeasure("retriever.offered", {
    name: "retriever.offered",
    title: "APIs offered",
    mode: "effort",
    unit: "number",
    better: "lower",
  }),
];
