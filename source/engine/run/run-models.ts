/** The models a run names, and what holds for them as long as they can be had. */
import type { Models } from "../models/models.ts";
import { timeInWords } from "../models/limits/outage.ts";
import { Problem } from "../problem.ts";
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

/** Requests in flight at most, at the endpoint of this model; 1 where it is not there. */
export function concurrencyOf(models: Models, name: string): number {
  return models.problem(name) === undefined ? models.limiter(name).state.concurrency : 1;
}

/** A run begins: its endpoints, where nobody else is asking them, have yet to answer. */
export function forgetOutages(models: Models, spec: RunSpec): void {
  for (const name of roleModels(spec))
    if (models.problem(name) === undefined && models.limiter(name).state.running === 0) models.outage(name).begin();
}

/** A run that paused for an endpoint is resumed. */
export function waitAgain(models: Models, spec: RunSpec): void {
  for (const name of roleModels(spec)) if (models.problem(name) === undefined) models.outage(name).waitAgain();
}

/** What is said while an endpoint of this run is away; undefined where all are there. */
export function outageMessage(models: Models, spec: RunSpec): string | undefined {
  for (const name of roleModels(spec)) {
    const outage = models.problem(name) === undefined ? models.outage(name).state : undefined;
    if (outage === undefined) continue;
    const endpoint = name.split("/")[0];
    return `Endpoint ${endpoint} does not answer (${outage.error}); waiting ${timeInWords(outage.left)} more, then the run pauses`;
  }
  return undefined;
}

/** What overload leaves of the requests in flight at the run's endpoints, in words; undefined if it is what is configured. */
export function overloadOf(models: Models, spec: RunSpec): string | undefined {
  const limiters = roleModels(spec).flatMap((name) => (models.problem(name) === undefined ? models.limiter(name) : []));
  return limiters.map(({ overload }) => overload).find((text) => text !== undefined);
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

/**
 * Throws `Problem` for the first model of the run, or of those its options name, that cannot be asked; resolves when all the others
 * can be asked at once. Without `others` all of it has been answered, and only its judge is asked.
 */
export async function mustReachFor(
  models: Models,
  spec: RunSpec,
  others: readonly string[] | undefined,
): Promise<void> {
  const judge = spec.judge === undefined ? [] : [spec.judge];
  const asked = others === undefined ? judge : [...roleModels(spec), ...others];
  for (const name of asked) {
    const problem = models.problem(name);
    if (problem !== undefined) throw new Problem("model", problem);
  }
  await Promise.all(asked.map((name) => models.ready(name)));
}

/** Models of the run that read the answer key, as far as they can be asked. */
export function keyReaders(models: Models, spec: RunSpec): readonly string[] {
  return roleModels(spec).filter((name) => models.problem(name) === undefined && models.model(name).readsAnswerKey);
}
