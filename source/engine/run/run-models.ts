/** The models a run names, and their properties while they are available. */
import type { Models } from "../models/models.ts";
import { timeInWords } from "../models/limits/outage.ts";
import { Problem } from "../problem.ts";
import { namedModels } from "../run-settings.ts";
import { tokenCost } from "../settings/price.ts";
import type { RunSpec } from "../types.ts";
import { factOf } from "../work/fact.ts";

/** Returns the models of all the run's roles, each once. */
export const roleModels = factOf((spec: RunSpec): readonly string[] =>
  [...new Set(namedModels(spec))].filter((name) => name !== "none"),
);

/** Returns the judges of a run: an empty list, one, or several for a majority. */
export const judgesOfRun = ({ judge, judges }: Pick<RunSpec, "judge" | "judges">): readonly string[] =>
  judges ?? (judge === undefined ? [] : [judge]);

/** Sets the maximum number of tasks in flight for every model of the run. */
export function setConcurrencies(models: Models, spec: RunSpec, concurrency: number): void {
  for (const name of roleModels(spec))
    if (models.problem(name) === undefined) models.limiter(name).setConcurrency(concurrency);
}

/** Returns the maximum number of requests in flight at the model's endpoint; 1 if the model is unknown. */
export const concurrencyOf = (models: Models, name: string): number =>
  models.problem(name) === undefined ? models.limiter(name).state.concurrency : 1;

/** Forgets earlier outages of the endpoints of a run that starts, unless another run is using them. */
export function forgetOutages(models: Models, spec: RunSpec): void {
  for (const name of roleModels(spec))
    if (models.problem(name) === undefined && models.limiter(name).state.running === 0) models.outage(name).begin();
}

/** Waits for the endpoints again after a run that paused for one is resumed. */
export function waitAgain(models: Models, spec: RunSpec): void {
  for (const name of roleModels(spec)) if (models.problem(name) === undefined) models.outage(name).waitAgain();
}

/** Returns the message while an endpoint of this run does not respond; undefined if all respond. */
export function outageMessage(models: Models, spec: RunSpec): string | undefined {
  for (const name of roleModels(spec)) {
    const outage = models.problem(name) === undefined ? models.outage(name).state : undefined;
    if (outage === undefined) continue;
    const endpoint = name.split("/")[0];
    return `Endpoint ${endpoint} does not answer (${outage.error}); waiting ${timeInWords(outage.left)} more, then the run pauses`;
  }
  return undefined;
}

/** Describes the reduced number of requests in flight at overloaded endpoints of the run; undefined at the configured limit. */
export function overloadOf(models: Models, spec: RunSpec): string | undefined {
  const limiters = roleModels(spec).flatMap((name) => (models.problem(name) === undefined ? models.limiter(name) : []));
  return limiters.map(({ overload }) => overload).find((text) => text !== undefined);
}

/** Returns undefined if the price is unknown or the model does not exist. */
export const priceOf = (models: Models, name: string): ReturnType<Models["model"]>["price"] =>
  models.problem(name) === undefined ? models.model(name).price : undefined;

/** Returns the cost of these tokens in the endpoints' currency; undefined if the price is unknown. */
export const costOf = (models: Models, name: string, tokens: { readonly input: number; readonly output: number }) =>
  tokenCost(tokens, priceOf(models, name));

/**
 * Throws `Problem` for the first model of the run, or of its options, that cannot be used; resolves when all can be used at once.
 * Without `others`, all answers exist and only the judge is needed.
 */
export async function mustReachFor(models: Models, spec: RunSpec, others: readonly string[] | undefined) {
  const asked = others === undefined ? judgesOfRun(spec) : [...roleModels(spec), ...others];
  for (const name of asked) {
    const problem = models.problem(name);
    if (problem !== undefined) throw new Problem("model", problem);
  }
  await Promise.all(asked.map((name) => models.ready(name)));
}

/** Returns the parts of a run that read the answer key: its models, if they are available, and the method that picks samples. */
export const keyReaders = (models: Models, spec: RunSpec): readonly string[] => [
  ...roleModels(spec).filter((name) => models.problem(name) === undefined && models.model(name).readsAnswerKey),
  ...(spec.pick === "oracle" ? ["pick: oracle"] : []),
];
