/**
 * Builds replies with exactly one mistake of a named kind from the answer key; the scorers count each as a mistake,
 * too.
 */
import { pick } from "../../../source/engine/statistics/random.ts";
import type { Api, Catalogue } from "../data/catalogue.ts";
import { namesOf, shortName } from "../score/call-text.ts";
import { canonicalValue } from "../score/canonical-call.ts";
import type { FaultName } from "../score/error-kinds.ts";
import type { Gold } from "../data/gold.ts";
import { type ReferenceCall, referenceCalls, writePlan } from "./reference-call.ts";
import { isPlaceKey, isTimeKey } from "../score/score-analysis.ts";
import { ownValue } from "../score/values.ts";
import { stripOf } from "../../../source/engine/python/text.ts";

type Random = () => number;

/** Builds the plan with one mistake; returns undefined if the mistake is impossible in this plan. */
export function faultyPlan(kind: FaultName, gold: Gold, catalogue: Catalogue, random: Random): string | undefined {
  if (kind === "garbage") return pick(garbage, random);
  const calls = referenceCalls(gold);
  return mistakes[kind](calls, random, gold, catalogue) ? writePlan(calls) : undefined;
}

/** Texts without any line that either scorer reads as a call. */
const garbage = [
  "I am sorry, but I cannot make these reservations for you.",
  "To do this you would first have to look for a place and then book it. Shall I go on?",
  '{"plan": [{"app": "',
  "%% 0x3f ~~ la la la la la la la la",
  "The request could not be completed",
];

type Mistake = (calls: ReferenceCall[], random: Random, gold: Gold, catalogue: Catalogue) => boolean;

/** Changes the calls of a plan; each function returns false if it cannot. */
const mistakes: Readonly<Record<Exclude<FaultName, "garbage">, Mistake>> = {
  app: wrongApp,
  api: wrongApi,
  "missing-call": missingCall,
  "extra-call": extraCall,
  "missing-key": missingKey,
  "wrong-value": wrongValue((key) => !isTimeKey(key) && !isPlaceKey(key)),
  "wrong-time-value": wrongValue(isTimeKey),
  "wrong-place-value": wrongValue((key) => isPlaceKey(key) && !isTimeKey(key)),
  "literal-for-reference": literalForReference,
};

function wrongApp(calls: ReferenceCall[], random: Random, gold: Gold, catalogue: Catalogue): boolean {
  const others = catalogue.apps.map((app) => app.name).filter((name) => !gold.used_app.includes(name));
  if (calls.length === 0 || others.length === 0) return false;
  pick(calls, random).app = pick(others, random);
  return true;
}

type Choice = { readonly app: string; readonly api: Api };

/** Lists the APIs of all apps that the plan does not call. */
function unusedApis(gold: Gold, catalogue: Catalogue): Choice[] {
  const used = namesOf(gold.api_results);
  return catalogue.apps.flatMap((app) =>
    app.apis.filter((api) => !used.includes(shortName(api.name).toLowerCase())).map((api) => ({ app: app.name, api })),
  );
}

function wrongApi(calls: ReferenceCall[], random: Random, gold: Gold, catalogue: Catalogue): boolean {
  const unused = unusedApis(gold, catalogue);
  if (calls.length === 0 || unused.length === 0) return false;
  const call = pick(calls, random);
  const near = unused.filter((choice) => choice.app === call.app);
  call.api = pick(near.length > 0 ? near : unused, random).api.name;
  return true;
}

/** Removes a call, unless it is the only call, because an empty plan is a different mistake. */
function missingCall(calls: ReferenceCall[], random: Random): boolean {
  if (calls.length < 2) return false;
  calls.splice(Math.floor(random() * calls.length), 1);
  return true;
}

function extraCall(calls: ReferenceCall[], random: Random, gold: Gold, catalogue: Catalogue): boolean {
  const unused = unusedApis(gold, catalogue);
  if (unused.length === 0) return false;
  const near = unused.filter((choice) => gold.used_app.includes(choice.app));
  const { app, api } = pick(near.length > 0 ? near : unused, random);
  calls.push({
    app,
    head: `${api.result_arguments.map((item) => item.name).join(", ")} = `,
    api: api.name,
    arguments: api.required_arguments.map(({ name, type }) => ({ key: name, value: `'${madeUpValue(type)}'` })),
  });
  return true;
}

/** Returns the last call of each API, because the official scorer sees no other. */
const seenCalls = (calls: readonly ReferenceCall[]): ReferenceCall[] => [
  ...new Map(calls.map((call) => [call.api, call])).values(),
];

type Place = { readonly call: ReferenceCall; readonly index: number };

function places(
  calls: readonly ReferenceCall[],
  fits: (key: string, value: string, call: ReferenceCall) => boolean,
): Place[] {
  return seenCalls(calls).flatMap((call) =>
    call.arguments.flatMap(({ key, value }, index) => (fits(key, value, call) ? [{ call, index }] : [])),
  );
}

function missingKey(calls: ReferenceCall[], random: Random): boolean {
  const found = places(calls, () => true);
  if (found.length === 0) return false;
  const { call, index } = pick(found, random);
  call.arguments.splice(index, 1);
  return true;
}

const isLiteral = (value: string): boolean => value.startsWith("'");

/**
 * Returns whether a value is a reference. A value without quotes may be a literal, because one published value is a bare number.
 */
const isReference = (value: string): boolean => canonicalValue(value).kind === "reference";

/** Inserts a value that the official scorer would accept for this key nowhere in the task. */
function wrongValue(about: (key: string) => boolean): Mistake {
  return (calls, random, gold) => {
    const found = places(calls, (key, value) => isLiteral(value) && about(key)).flatMap(({ call, index }) => {
      const { key, value } = call.arguments[index]!;
      const wrong = valueUnlike(value.slice(1, -1), acceptable(key, gold));
      return wrong === undefined ? [] : [{ call, index, wrong }];
    });
    if (found.length === 0) return false;
    const { call, index, wrong } = pick(found, random);
    call.arguments[index]!.value = `'${wrong}'`;
    return true;
  };
}

/** Collects all values of this key in the task: reference, user's and true values, and values that could be remembered. */
function acceptable(key: string, gold: Gold): string[] {
  const written = referenceCalls({ used_app: gold.api_results, api_results: gold.api_results });
  const inCalls = written.flatMap((call) =>
    call.arguments.filter((item) => item.key === key).map((item) => item.value),
  );
  const user = ownValue(gold.user_aware_arguments, key);
  return [...inCalls, ...trueValues(key, gold), ...(user === undefined ? [] : [user])];
}

const trueValues = (key: string, gold: Gold): string[] =>
  gold.used_api.flatMap((call) =>
    Object.values(call).flatMap((given) => {
      const value = ownValue(given, key);
      return value === undefined ? [] : [value];
    }),
  );

/** Writes a literal of the request in place of a reference. The structure is wrong although the value may be right. */
function literalForReference(calls: ReferenceCall[], random: Random, gold: Gold): boolean {
  const literal = (key: string) =>
    [ownValue(gold.user_aware_arguments, key), ...trueValues(key, gold)].find(
      (value) => value !== undefined && !/, |[()=[\]\\]/.test(value),
    );
  const found = places(calls, (key, value) => isReference(value) && literal(key) !== undefined);
  if (found.length === 0) return false;
  const { call, index } = pick(found, random);
  const item = call.arguments[index]!;
  item.value = `'${literal(item.key)!}'`;
  return true;
}

const dates = ["2019-11-23", "2018-06-17", "2020-10-29", "2017-12-09"];
const times = ["03:35", "04:52", "05:27", "23:43"];
const numbers = ["9", "8", "7", "53", "67", "4096"];
const truths = ["False", "True", "Perhaps"];
const words = ["Wyvernholm", "Zubrowka Junction", "Quixby", "Ulmenfjord"];

/** Invents a value of a catalogue type. */
function madeUpValue(type: string | null): string {
  if (type === "date") return dates[0]!;
  if (type === "time") return times[0]!;
  if (type === "int" || type === "float") return numbers[0]!;
  return type === "bool" ? truths[0]! : words[0]!;
}

/**
 * Returns a value that looks like `model` but neither contains nor is contained in any of `avoid`; undefined if none is
 * left.
 */
function valueUnlike(model: string, avoid: readonly string[]): string | undefined {
  const taken = avoid.map((value) => stripOf(value.toLowerCase(), "'"));
  return [...candidates(model), ...words].find((value) => {
    const lower = value.toLowerCase();
    return !taken.some((other) => other.includes(lower) || lower.includes(other));
  });
}

function candidates(model: string): readonly string[] {
  if (/^\d{4}-\d\d-\d\d$/.test(model)) return dates;
  if (/^\d\d:\d\d$/.test(model)) return times;
  if (/^\d+(\.\d+)?$/.test(model)) return numbers;
  return model === "True" || model === "False" ? truths : words;
}
