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
  const postings = new Map<string, Map<number, number>>();
  for (const [index, text] of texts.entries()) {
    for (const [word, count] of counted(wordsOf(text))) {
      const weights = postings.get(word) ?? new Map<number, number>();
      if (weights.size === 0) postings.set(word, weights);
      weights.set(index, 1 + Math.log(count));
    }
    await yieldIfDue();
  }
  const rarity = (weights: ReadonlyMap<number, number>) => Math.log((1 + texts.length) / (1 + weights.size)) + 1;
  const norms = new Float64Array(texts.length);
  for (const weights of postings.values()) {
    for (const [index, weight] of weights) norms[index]! += (weight * rarity(weights)) ** 2;
    await yieldIfDue();
  }
  return {
    closest(question, count) {
      const scores = new Float64Array(texts.length);
      for (const [word, times] of counted(wordsOf(question))) {
        const weights = postings.get(word);
        if (weights === undefined) continue;
        const idf = rarity(weights);
        for (const [index, weight] of weights)
          scores[index]! += ((1 + Math.log(times)) * idf * weight * idf) / Math.sqrt(norms[index]!);
      }
      const order = texts.map((_, index) => index).sort((one, other) => scores[other]! - scores[one]! || one - other);
      return count <= 0 ? order : order.slice(0, count);
    },
  };
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
