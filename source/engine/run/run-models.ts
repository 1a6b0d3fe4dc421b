/** The models a run names, and what holds for them as long as they can be had. */
import type { Models } from "../models/models.ts";
import { modelSettings } from "../run-settings.ts";
import { tokenCost } from "../settings/price.ts";
import type { RunSpec } from "../types.ts";

/** The models of all roles this run names, each once. */
export function roleModels(spec: RunSpec): readonly string[] {
  const named = modelSettings.flatMap((role) => spec[role] ?? []);
  return [...new Set(named)].filter((name) => name !== "none");
}

/** Tasks in flight at most, from now on, for every model of the run. */
export function setConcurrencies(models: Models, spec: RunSpec, concurrency: number): void {
  for (const name of roleModels(spec))
    if (models.problem(name) === undefined) models.limiter(name).setConcurrency(concurrency);
}

/** undefined where it is not known, and for a model that is not there. */
export function priceOf(models: Models, name: string): ReturnType<Models["model"]>["price"] {
  return models.problem(name) === undefined ? models.model(name).price : undefined;
}

/** What so many tokens cost, in the endpoints' currency; undefined where the price is not known. */
export function costOf(
  models: Models,
  name: string,
  tokens: { readonly input: number; readonly output: number },
): number | undefined {
  return tokenCost(tokens, priceOf(models, name));
}
