/** What judgements of created tools add up to. */
import { stepNumber } from "./steps.ts";

/** `key` identifies samples; samples with the same key share, and so double, their judgements. */
export type JudgedSample = { readonly key: string; readonly steps: readonly string[] };
export type ToolJudgement = { readonly key: string; readonly step: string; readonly scores: readonly number[] };

/**
 * Official aggregate, from 0 to 1 for each dimension. A sample without any judgement adds zeros, one set for each reference
 * step; a sample with some adds exactly those, its other steps are dropped; a judgement of a step that is not in the
 * reference adds zeros. Undefined for no samples.
 */
export function aggregateCreation(
  samples: readonly JudgedSample[],
  judgements: readonly ToolJudgement[],
  dimensions: number,
): readonly number[] | undefined {
  const byKey = Map.groupBy(judgements, (judgement) => judgement.key);
  const sums = Array.from({ length: dimensions }, () => 0);
  let count = 0;
  for (const { key, steps } of samples) {
    const given = byKey.get(key) ?? [];
    const numbers = new Set(steps.map(stepNumber));
    count += given.length === 0 ? steps.length : given.length;
    for (const { step, scores } of given) {
      if (numbers.has(stepNumber(step)))
        for (let index = 0; index < dimensions; index++) sums[index]! += scores[index]!;
    }
  }
  return count === 0 ? undefined : sums.map((sum) => sum / count / 10);
}
