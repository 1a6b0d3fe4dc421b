/** A task of the benchmark: the instruction and its reference plan, with the publisher's field names. */
import type { Task } from "../../../source/engine/types.ts";

export type Gold = {
  /** The app of each call, repeated if used more than once. */
  readonly used_app: readonly string[];
  /** The API name of each call with its true literal values. */
  readonly used_api: readonly Readonly<Record<string, Readonly<Record<string, string>>>>[];
  readonly result_arguments: readonly (readonly string[])[];
  /** The reference text of each call, `returned = api(#key='literal', #key=reference)`, which the scorers compare. */
  readonly api_results: readonly string[];
  /** The first literal value the user gave for each argument name. */
  readonly user_aware_arguments: Readonly<Record<string, string>>;
};

/** A record of a test file. */
export type Sample = { readonly input: string; readonly output: Gold };

export const categories = ["SS", "SM", "MS", "MM"] as const;
export type Category = (typeof categories)[number];

export type AppTask = Task<{ readonly instruction: string; readonly category: Category }, Gold>;

/** A plan to score: its text, and the first-stage answer if there was one. */
export type Answer = {
  readonly output: string;
  readonly apps?: string;
};

/**
 * Returns the calls of a reference plan with their apps. If the lists differ in length (one published task), the
 * shorter one decides.
 */
export function callsOf(
  gold: Pick<Gold, "used_app" | "api_results">,
): { readonly app: string; readonly text: string }[] {
  const count = Math.min(gold.used_app.length, gold.api_results.length);
  return Array.from({ length: count }, (_, index) => ({
    app: gold.used_app[index]!,
    text: gold.api_results[index]!,
  }));
}
