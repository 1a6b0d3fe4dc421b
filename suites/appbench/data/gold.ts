/** A task of the benchmark: the instruction and its reference plan, with the publisher's field names. */
import { recordOf, type Fitting } from "../../../source/engine/text/checked-record.ts";
import { z } from "zod";
import type { Task } from "../../../source/engine/types.ts";

const texts = z.array(z.string());
const valuesByKey = recordOf(z.string());
/** A record of a test file. */
export const sample = z.object({
  input: z.string(),
  output: z.object({
    /** The app of each call, repeated if it is used more than once. */
    used_app: texts,
    /** The API name of each call with its true literal values. */
    used_api: z.array(recordOf(valuesByKey)),
    result_arguments: z.array(texts),
    /** The reference text of each call, `returned = api(#key='literal', #key=reference)`, which the scorers compare. */
    api_results: texts,
    /** The first literal value the user gave for each argument name. */
    user_aware_arguments: valuesByKey,
  }),
});
export type Sample = Fitting<typeof sample>;
export type Gold = Sample["output"];

export const categories = ["SS", "SM", "MS", "MM"] as const;
export type Category = (typeof categories)[number];

export type AppTask = Task<{ readonly instruction: string; readonly category: Category }, Gold>;

/** A plan to score: its text, and the first-stage answer if there was one. */
export type Answer = {
  readonly output: string;
  readonly apps?: string;
};

/**
 * Returns the calls of a reference plan with their apps. If the lists differ in length (one published task), the shorter list
 * decides.
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
