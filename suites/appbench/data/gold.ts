/** A task of the benchmark: the instruction and its reference plan, in the publisher's own field names. */
import type { Task } from "../../../source/engine/types.ts";

export type Gold = {
  /** App per call, repeated when used more than once. */
  readonly used_app: readonly string[];
  /** Per call the API name with its true literal values. */
  readonly used_api: readonly Readonly<Record<string, Readonly<Record<string, string>>>>[];
  readonly result_arguments: readonly (readonly string[])[];
  /** Per call the reference text `returned = api(#key='literal', #key=reference)`: this is what is scored. */
  readonly api_results: readonly string[];
  /** For each argument name the first literal value the user gave it. */
  readonly user_aware_arguments: Readonly<Record<string, string>>;
};

/** A record of a test file. */
export type Sample = { readonly input: string; readonly output: Gold };

export const categories = ["SS", "SM", "MS", "MM"] as const;
export type Category = (typeof categories)[number];

export type AppTask = Task<{ readonly instruction: string; readonly category: Category }, Gold>;

/** A plan as it is scored: its text, and the first-stage answer where there was one. */
export type Answer = {
  readonly output: string;
  readonly apps?: string;
};

/** The calls of a reference plan with their apps. Where the lists differ in length (one published task) the shorter wins. */
export function callsOf(
  gold: Pick<Gold, "used_app" | "api_results">,
): { readonly app: string; readonly text: string }[] {
  const count = Math.min(gold.used_app.length, gold.api_results.length);
  return Array.from({ length: count }, (_, index) => ({
    app: gold.used_app[index]!,
    text: gold.api_results[index]!,
  }));
}
