/** Calls the sample's APIs. Arguments are checked as by a real server; failures are part of the sample. */
import { randomFrom } from "../../../../source/engine/statistics/random.ts";
import { isRecord } from "../../../../source/engine/text/json-record.ts";
import type { Json } from "../../../../source/engine/types.ts";
import { identifier, standardize } from "../../ask/names.ts";
import apis from "./apis.json" with { type: "json" };
import { families } from "./families.ts";

export type Response = { readonly error: string; readonly response: Json };

export type SampleApi = {
  readonly category: string;
  readonly tool: string;
  readonly api: string;
  readonly description: string;
  readonly family: string;
  /** Names of its parameters, in the order of its family's `needs`. */
  readonly parameters: readonly string[];
  /** `dead` never works, `unsubscribed` refuses, `flaky` fails about every second call (seeded), `works` always answers. */
  readonly health: "works" | "flaky" | "dead" | "unsubscribed";
};

/** The 48 APIs of the sample. The places, people and things they know are invented. */
export const sampleApis = apis as readonly SampleApi[];

const keyOf = (tool: string, api: string): string => `${standardize(tool)}/${identifier(api)}`;

const byName = new Map(sampleApis.map((api) => [keyOf(api.tool, api.api), api]));

/** Finds an API by tool and API name, in either spelling. */
export const sampleApi = (tool: string, api: string): SampleApi | undefined => byName.get(keyOf(tool, api));

const broken = new Map<SampleApi["health"], Response>([
  ["dead", { error: "API not working error...", response: "" }],
  ["unsubscribed", { error: "Unsubscribed error...", response: "You are not subscribed to this API." }],
]);
const busy: Response = { error: "Too many requests error...", response: "" };

/**
 * Answers a call. `draw` names the call (run, task, number of earlier calls) and decides whether a flaky API works this
 * time.
 */
export function callSample(api: SampleApi, input: Json, draw: string): Response {
  const refused = broken.get(api.health);
  if (refused !== undefined) return refused;
  if (api.health === "flaky" && randomFrom(`${draw} ${api.tool} ${api.api}`)() < 0.5) return busy;
  const family = families.get(api.family)!;
  if (!isRecord(input)) return failure("Tool input parse error: the arguments must be a JSON object");
  for (const name of Object.keys(input))
    if (!api.parameters.includes(name))
      return failure(`${identifier(api.api)}() got an unexpected keyword argument '${name}'`);
  const given = new Map<string, string>();
  for (const [index, meaning] of family.needs.entries()) {
    const name = api.parameters[index]!;
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined || value === null || value === "") return failure(`The parameter '${name}' is required`);
    if (typeof value === "object") return failure(`Malformed value of '${name}': must be a text or a number, not JSON`);
    if (family.numbers.includes(meaning) && !Number.isFinite(Number(value)))
      return failure(`Invalid value of '${name}': not a valid number`);
    given.set(meaning, String(value));
  }
  const found = family.answer(given);
  return found === undefined
    ? failure(`Invalid value: no results for ${[...given.values()].join(", ").slice(0, 200)}`)
    : { error: "", response: found };
}

const failure = (error: string): Response => ({ error, response: "" });

/** Returns the arguments with which this API finds the needed fact; undefined if it cannot find it. */
export function argumentsFor(
  api: SampleApi,
  need: { readonly family: string; readonly given: Readonly<Record<string, string | number>> },
): Record<string, string | number> | undefined {
  if (api.family !== need.family) return undefined;
  const { needs } = families.get(api.family)!;
  const pairs = needs.map((meaning, index) => [api.parameters[index]!, need.given[meaning]!] as const);
  return Object.fromEntries(pairs);
}
