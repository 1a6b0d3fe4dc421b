/** Replies with exactly one mistake of a named kind, made from the answer key; each is a mistake to the scorers too. */
import { pick } from "../../../source/engine/statistics/random.ts";
import type { Api, Catalogue } from "../data/catalogue.ts";
import { namesOf, shortName } from "../score/call-text.ts";
import { canonicalValue } from "../score/canonical-call.ts";
import type { FaultName } from "../score/error-kinds.ts";
import type { Gold } from "../data/gold.ts";
import { madeUpValue, valueUnlike } from "../score/made-up-value.ts";
import type { ReferenceCall } from "./reference-call.ts";
import { referenceCalls, writePlan } from "./reference-call.ts";
import { isPlaceKey, isTimeKey } from "../score/score-analysis.ts";
import { ownValue } from "../score/values.ts";

type Random = () => number;

/** The plan with one mistake; undefined where this plan offers no place for it. */
export function faultyPlan(kind: FaultName, gold: Gold, catalogue: Catalogue, random: Random): string | undefined {
  if (kind === "garbage") return pick(garbage, random);
  const calls = referenceCalls(gold);
  return mistaken(kind, calls, gold, catalogue, random) ? writePlan(calls) : undefined;
}

/** Text without any line that either scorer takes for a call. */
const garbage = [
  "I am sorry, but I cannot make these reservations for you.",
  "To do this you would first have to look for a place and then book it. Shall I go on?",
  '{"plan": [{"app": "',
  "%% 0x3f ~~ la la la la la la la la",
  "The request could not be completed",
];

/** Changes `calls`; false where the mistake cannot be made. */
function mistaken(
  kind: Exclude<FaultName, "garbage">,
  calls: ReferenceCall[],
  gold: Gold,
  catalogue: Catalogue,
  random: Random,
): boolean {
  switch (kind) {
    case "app":
      return wrongApp(calls, gold, catalogue, random);
    case "api":
      return wrongApi(calls, gold, catalogue, random);
    case "missing-call":
      return missingCall(calls, random);
    case "extra-call":
      return extraCall(calls, gold, catalogue, random);
    case "missing-key":
      return missingKey(calls, random);
    case "wrong-value":
      return wrongValue(calls, gold, (key) => !isTimeKey(key) && !isPlaceKey(key), random);
    case "wrong-time-value":
      return wrongValue(calls, gold, isTimeKey, random);
    case "wrong-place-value":
      return wrongValue(calls, gold, (key) => isPlaceKey(key) && !isTimeKey(key), random);
    case "literal-for-reference":
      return literalForReference(calls, gold, random);
    default:
      return kind satisfies never;
  }
}

function wrongApp(calls: ReferenceCall[], gold: Gold, catalogue: Catalogue, random: Random): boolean {
  const others = catalogue.apps.map((app) => app.name).filter((name) => !gold.used_app.includes(name));
  if (calls.length === 0 || others.length === 0) return false;
  pick(calls, random).app = pick(others, random);
  return true;
}

type Choice = { readonly app: string; readonly api: Api };

/** APIs the plan does not call, by any app. */
function unusedApis(gold: Gold, catalogue: Catalogue): Choice[] {
  const used = namesOf(gold.api_results);
  return catalogue.apps.flatMap((app) =>
    app.apis.filter((api) => !used.includes(shortName(api.name).toLowerCase())).map((api) => ({ app: app.name, api })),
  );
}

function wrongApi(calls: ReferenceCall[], gold: Gold, catalogue: Catalogue, random: Random): boolean {
  const unused = unusedApis(gold, catalogue);
  if (calls.length === 0 || unused.length === 0) return false;
  const call = pick(calls, random);
  const near = unused.filter((choice) => choice.app === call.app);
  call.api = pick(near.length > 0 ? near : unused, random).api.name;
  return true;
}

/** A plan of one call cannot lose it: nothing would be left, which is another mistake. */
function missingCall(calls: ReferenceCall[], random: Random): boolean {
  if (calls.length < 2) return false;
  calls.splice(Math.floor(random() * calls.length), 1);
  return true;
}

function extraCall(calls: ReferenceCall[], gold: Gold, catalogue: Catalogue, random: Random): boolean {
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

/** The last call of each API: the official scorer sees no other. */
function seenCalls(calls: readonly ReferenceCall[]): ReferenceCall[] {
  return [...new Map(calls.map((call) => [call.api, call])).values()];
}

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

function isLiteral(value: string): boolean {
  return value.startsWith("'");
}

/** Not the same as "no literal in quotes": one published value is a number without them. */
function isReference(value: string): boolean {
  return canonicalValue(value).kind === "reference";
}

/** Puts in a value that matches nothing the official scorer would accept for this key anywhere in the task. */
function wrongValue(calls: ReferenceCall[], gold: Gold, about: (key: string) => boolean, random: Random): boolean {
  const found = places(calls, (key, value) => isLiteral(value) && about(key)).flatMap(({ call, index }) => {
    const { key, value } = call.arguments[index]!;
    const wrong = valueUnlike(value.slice(1, -1), acceptable(key, gold));
    return wrong === undefined ? [] : [{ call, index, wrong }];
  });
  if (found.length === 0) return false;
  const { call, index, wrong } = pick(found, random);
  call.arguments[index]!.value = `'${wrong}'`;
  return true;
}

/** Every value this key has anywhere in the task: reference, user's, true, and those that could be remembered. */
function acceptable(key: string, gold: Gold): string[] {
  const written = referenceCalls({ used_app: gold.api_results, api_results: gold.api_results });
  const inCalls = written.flatMap((call) =>
    call.arguments.filter((item) => item.key === key).map((item) => item.value),
  );
  const user = ownValue(gold.user_aware_arguments, key);
  return [...inCalls, ...trueValues(key, gold), ...(user === undefined ? [] : [user])];
}

function trueValues(key: string, gold: Gold): string[] {
  return gold.used_api.flatMap((call) =>
    Object.values(call).flatMap((given) => {
      const value = ownValue(given, key);
      return value === undefined ? [] : [value];
    }),
  );
}

/** Writes out a value of the request where a reference belongs: wrong in structure, though the value itself may be right. */
function literalForReference(calls: ReferenceCall[], gold: Gold, random: Random): boolean {
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
