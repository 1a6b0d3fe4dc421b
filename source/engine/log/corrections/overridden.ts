/** Applies overrides to a score: finds the error that each one addresses and changes its kind. */
import { type ErrorOverride, isOfError, isOfScore, type Override } from "./overrides.ts";
import { Problem } from "../../problem.ts";
import type { RunStore } from "../run-store.ts";
import type { Benchmark } from "../../benchmark.ts";
import type { Facets, Mistake, Score } from "../../types.ts";

/** Returns the indexes of the scorer's errors that match an override; exactly one is expected. */
export function fitting(
  errors: readonly Mistake[],
  { step, was, key, number }: Pick<ErrorOverride, "step" | "was" | "key" | "number">,
): readonly number[] {
  const all = [...errors.keys()].filter((at) => {
    const error = errors[at]!;
    return error.step === step && (was === undefined || error.kind === was) && (key === undefined || error.key === key);
  });
  return number === undefined ? all : all.slice(number - 1, number);
}

/** Returns the shortest address that matches only this error. */
export function addressOf(errors: readonly Mistake[], at: number) {
  const { step, kind: was, key } = errors[at]!;
  const address = step === undefined ? { was } : { step, was };
  if (fitting(errors, address).length === 1) return address;
  const named = key === undefined ? address : { ...address, key };
  const all = fitting(errors, named);
  return all.length === 1 ? named : { ...named, number: all.filter((each) => each <= at).length };
}

/**
 * Applies overrides to the errors and value of a score; the last override is used if several address the same error. The metric
 * `errors.overridden` counts the changed errors. Throws `Problem` if an override matches no error of the task, or several;
 * otherwise the override would be lost silently.
 */
export function overridden(score: Score, overrides: readonly Override[], { withValue }: Benchmark, facets: Facets) {
  const counted = withErrors(score, overrides.filter(isOfError));
  const last = overrides.findLast(isOfScore);
  if (last === undefined) return counted;
  const { value, source, reason } = last;
  const same = withValue?.(value, score.metrics, facets) ?? {};
  const override = { was: score.value, metrics: score.metrics, source, reason };
  return { ...counted, value, override, metrics: { ...counted.metrics, ...same } };
}

function withErrors(score: Score, overrides: readonly ErrorOverride[]): Score {
  if (overrides.length === 0) return score;
  const errors = [...score.errors];
  for (const each of overrides) {
    const { kind, source, reason } = each;
    const [at, ...more] = fitting(score.errors, each);
    if (at === undefined || more.length > 0)
      throw new Problem(
        "parse",
        `Expected the override of ${addressText(each)} to match one error, but it matches ${at === undefined ? 0 : more.length + 1}`,
      );
    errors[at] = { ...score.errors[at]!, kind, override: { was: score.errors[at]!.kind, source, reason } };
  }
  const count = errors.filter((error: Mistake) => error.override !== undefined).length;
  return { ...score, errors, metrics: { ...score.metrics, "errors.overridden": count } };
}

/** Adds the tasks with overrides but without a score to the problem, because those overrides would be lost silently. */
export function withUnscored(
  problem: string | undefined,
  overrides: ReadonlyMap<string, readonly Override[]>,
  { table }: RunStore,
): string | undefined {
  const unscored = [...overrides.keys()].filter((task) => table.row(task)?.state !== "scored");
  if (unscored.length === 0) return problem;
  const more = unscored.length > 3 ? ` and ${unscored.length - 3} more` : "";
  const message = `overrides.json names tasks that have no score here: ${unscored.slice(0, 3).join(", ")}${more}`;
  return problem === undefined ? message : `${problem}; ${message}`;
}

/** Formats the address of an error: `G1-21, step 2, missing-parameter`. */
export const addressText = ({ task, step, was, key, number }: ErrorOverride): string =>
  [task, step === undefined ? undefined : `step ${step}`, was, key, number]
    .filter((part) => part !== undefined)
    .join(", ");
