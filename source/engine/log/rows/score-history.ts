/** Derives manual corrections from the sequence of logged scores. */
import type { Mistake, Score } from "../../types.ts";

/**
 * A score with the time at which it was logged, in milliseconds since 1970, and the person whose correction or withdrawal caused
 * it.
 */
export type ScoreAt = { readonly at: number; readonly score: Score; readonly by?: string };

/** A correction of the value (numbers) or of the kind of an error, or the withdrawal of a correction, which has no reason. */
export type ScoreChange = {
  readonly at: number;
  readonly by: string;
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
  readonly reason?: string;
};

/** Returns the changes in order. Scoring again adds none, even if it changes the score. */
export function scoreHistory(scores: readonly ScoreAt[]): readonly ScoreChange[] {
  return scores.flatMap(({ at, score, by }, index) => {
    const before = scores[index - 1]?.score;
    return [...valueChanges(before, score), ...labelChanges(before, score)].map((change) => ({
      at,
      ...change,
      by: by ?? change.by,
    }));
  });
}

type Change = Omit<ScoreChange, "at">;

function valueChanges(before: Score | undefined, { value, override }: Score): readonly Change[] {
  const old = before?.override;
  if (override === undefined) return old === undefined ? [] : [{ by: old.source, from: before!.value, to: value }];
  const { was, source, reason } = override;
  const isSame = old?.source === source && old.reason === reason && before?.value === value;
  return isSame ? [] : [{ by: source, from: old === undefined ? was : before!.value, to: value, reason }];
}

function labelChanges(before: Score | undefined, after: Score): readonly Change[] {
  const was = new Map((before?.errors ?? []).map((error, index) => [keyOf(error, index), error]));
  return after.errors.flatMap((error, index): Change[] => {
    const old = was.get(keyOf(error, index));
    const { kind, override } = error;
    if (override === undefined)
      return old?.override === undefined ? [] : [{ by: old.override.source, from: old.kind, to: kind }];
    const { source, reason } = override;
    if (old?.kind === kind && old.override?.source === source && old.override.reason === reason) return [];
    return [{ by: source, from: old?.kind ?? override.was, to: kind, reason }];
  });
}

/**
 * Returns a key by which an error is identified: scorers list errors in a fixed order, so the same position and original kind
 * mean the same error.
 */
const keyOf = ({ kind, override, step, key }: Mistake, index: number): string =>
  JSON.stringify([index, override?.was ?? kind, step, key]);
