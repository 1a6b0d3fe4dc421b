/** A score as Inspect AI's log has it. */
import { randomUUID } from "node:crypto";
import { verdictOf } from "../../../log/rows/verdict.ts";
import type { Json, Mistake, Score } from "../../../types.ts";

/** Stands where the log there has NaN (unscored), for which JSON has no number; see `inspectText`. No text of a model can equal it. */
export const notANumber = `not-a-number:${randomUUID()}`;

export function inspectScore(score: Score, answer: Json | undefined): { readonly [key: string]: Json } {
  const { value, metrics, checks, errors, labels = {} } = score;
  return {
    value: value ?? notANumber,
    ...(answer === undefined ? {} : { answer: typeof answer === "string" ? answer : JSON.stringify(answer) }),
    ...(errors.length === 0 ? {} : { explanation: errors.map(mistakeText).join("\n") }),
    metadata: {
      verdict: verdictOf(score),
      metrics,
      checks: checks.map(({ name, kept, message }) => ({ name, kept: kept ?? null, message: message ?? null })),
      errors: errors.map((error) => ({ ...error })),
      labels,
    },
    history: [],
  };
}

function mistakeText({ kind, step, key, expected, got, note }: Mistake): string {
  const where = [step === undefined ? [] : [`step ${step + 1}`], key === undefined ? [] : [key]].flat().join(", ");
  const what = [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(got === undefined ? [] : [`got ${got}`]),
    ...(note === undefined ? [] : [note]),
  ].join(", ");
  return [kind + (where === "" ? "" : ` (${where})`), what].filter((part) => part !== "").join(": ");
}
