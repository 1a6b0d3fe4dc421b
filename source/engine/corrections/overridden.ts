/** What overrides make of a score: which error each is about, and what that counts as. */
import type { Override } from "./overrides.ts";
import { Problem } from "../problem.ts";
import type { RunStore } from "../log/run-store.ts";
import type { Mistake, Score } from "../types.ts";

/** Places of the errors an override is about, among those a scorer gives; it should be one. */
export function fitting(
  errors: readonly Mistake[],
  { step, was, key, number }: Pick<Override, "step" | "was" | "key" | "number">,
): readonly number[] {
  const all = [...errors.keys()].filter((at) => {
    const error = errors[at]!;
    return error.step === step && (was === undefined || error.kind === was) && (key === undefined || error.key === key);
  });
  return number === undefined ? all : all.slice(number - 1, number);
}

/** What an override must say so that it is about this error alone: no more than is needed. */
export function addressOf(errors: readonly Mistake[], at: number): Pick<Override, "step" | "was" | "key" | "number"> {
  const { step, kind: was, key } = errors[at]!;
  const place = step === undefined ? { was } : { step, was };
  if (fitting(errors, place).length === 1) return place;
  const named = key === undefined ? place : { ...place, key };
  const all = fitting(errors, named);
  return all.length === 1 ? named : { ...named, number: all.indexOf(at) + 1 };
}

/**
 * The score with the errors named as these overrides say; where several are about one error the last one counts. The number
 * of errors changed is `errors.overridden` among the metrics. Throws `Problem` for an override that fits no error of
 * the task, or several: it would otherwise be lost in silence.
 */
export function overridden(score: Score, overrides: readonly Override[]): Score {
  if (overrides.length === 0) return score;
  const errors = [...score.errors];
  for (const each of overrides) {
    const { kind, source, reason } = each;
    const [at, ...more] = fitting(score.errors, each);
    if (at === undefined || more.length > 0)
      throw new Problem(
        "parse",
        `Expected the override of ${placeOf(each)} to fit one error, it fits ${at === undefined ? 0 : more.length + 1}`,
      );
    errors[at] = { ...score.errors[at]!, kind, override: { was: score.errors[at]!.kind, source, reason } };
  }
  const count = errors.filter((error: Mistake) => error.override !== undefined).length;
  return { ...score, errors, metrics: { ...score.metrics, "errors.overridden": count } };
}

/** What was wrong, with the tasks that overrides are about and that have no score: what is said of them would be lost in silence. */
export function withGone(
  problem: string | undefined,
  overrides: ReadonlyMap<string, readonly Override[]>,
  { table }: Pick<RunStore, "table">,
): string | undefined {
  const gone = [...overrides.keys()].filter((task) => table.row(task)?.state !== "scored");
  if (gone.length === 0) return problem;
  const more = gone.length > 3 ? ` and ${gone.length - 3} more` : "";
  const words = `overrides.json speaks of tasks that have no score here: ${gone.slice(0, 3).join(", ")}${more}`;
  return problem === undefined ? words : `${problem}; ${words}`;
}

/** Which error is meant, in words: `G1-21, step 2, missing-parameter`. */
export function placeOf({ task, step, was, key, number }: Override): string {
  return [task, step === undefined ? undefined : `step ${step}`, was, key, number]
    .filter((part) => part !== undefined)
    .join(", ");
}
