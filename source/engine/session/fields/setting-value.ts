/** Reads one value of a setting by its row, and the fields of `request`, some of which are settings. */
import { type OwnPrompts, roleKeys, variedKinds } from "../../run-settings.ts";
import { hashedInRequest, sameValue, settingNamed, settingSentAs } from "../../run-settings.ts";
import type { RequestFields, Setting, SettingValue } from "../../run-settings-rows.ts";
import type { Suite } from "../../suite.ts";
import { similarName } from "../../text/similar-name.ts";
import type { Json } from "../../types.ts";
import { isOfFile, ownDataIn } from "../file-suite.ts";
import { shown } from "./run-options.ts";

/** An invalid value; `expected` follows "Expected `NAME` to be" in the message. */
export class Unfit {
  readonly expected: string;
  /** The key with the mistake in a map, and its value. If absent, the value as a whole is invalid. */
  readonly within: { readonly key: string; readonly got: Json | undefined } | undefined;

  constructor(expected: string, within?: Unfit["within"]) {
    this.expected = expected;
    this.within = within;
  }
}

/**
 * Returns the message for an invalid value of a field, and the field with the mistake, for its line. An empty `name` leaves only
 * the key.
 */
export function unfitText(name: string, { expected, within }: Unfit, got: Json) {
  const field = [name, within?.key ?? ""].filter((part) => part !== "").join(".");
  return {
    field,
    message: `Expected \`${field}\` to be ${expected}, got ${shown(within === undefined ? got : within.got)}`,
  };
}

/** Reads one value of a setting in a cell of this suite. */
export function settingValue(setting: Setting, item: Json, suite: Suite): SettingValue | Unfit {
  const own = setting.name === "data" && !isOfFile(suite) ? ownDataIn(item) : undefined;
  const read = plainValue({ ...setting, names: namesOf(setting, suite), most: mostOf(setting, suite) }, item);
  return read instanceof Unfit ? (own ?? read) : read;
}

/** Reads one value of a setting that depends on no suite. */
function plainValue(setting: Setting, item: Json): SettingValue | Unfit {
  const { kind, names = [], least = -Infinity, most = Infinity } = setting;
  switch (kind) {
    case "name":
      if (isText(item) && names.includes(item)) return item;
      return new Unfit(`one of ${(names as readonly string[]).join(", ")}`);
    case "text":
      return isText(item) ? item : new Unfit("text");
    case "model":
      if (isText(item) && item.includes("/")) return item;
      if (setting.ofRole === true && isMap(item)) return readRole(item, setting.name);
      return new Unfit(`ENDPOINT/MODEL, such as \`builtin/oracle\`${setting.ofRole === true ? ", or a map" : ""}`);
    case "fields":
      return readRequestFields(item);
    case "prompts":
      return isMap(item) && Object.values(item).every(isText) ? (item as OwnPrompts) : new Unfit("a map of texts");
    case "vary":
      return readVariant(item);
    case "texts": {
      const texts = isText(item) ? [item] : item;
      if (Array.isArray(texts) && texts.every((text) => isText(text as Json))) return texts as readonly string[];
      return new Unfit("a string or a list of strings");
    }
    default: {
      const fits = typeof item === "number" && item >= least && item <= Number(most);
      if (fits && (kind === "number" || Number.isSafeInteger(item))) return item;
      const bounds = `${least === -Infinity ? "" : ` from ${least}`}${most === Infinity ? "" : ` to ${most}`}`;
      return new Unfit(`${kind === "whole" ? "a whole number" : "a number"}${bounds}`);
    }
  }
}

/** Maximum number of variants of one kind, including the benchmark's own. */
export const mostVariants = 100;

/** Reads one variant in the form in which the settings of runs contain it. */
function readVariant(item: Json): SettingValue | Unfit {
  const [entry, ...more] = isMap(item) ? Object.entries(item) : [];
  if (entry === undefined && isMap(item)) return item;
  const [kind, value] = entry ?? ["", null];
  if (more.length > 0 || !variedKinds.some((each) => each === kind))
    return new Unfit(`a map with one of the keys ${variedKinds.join(", ")}, such as {tools: 2}`);
  const isFit =
    kind === "questions"
      ? isMap(value) && Object.keys(value).length > 0 && Object.values(value).every(isText)
      : Number.isSafeInteger(value) && Number(value) >= 2 && Number(value) <= mostVariants;
  if (isFit) return item as RequestFields;
  const expected =
    kind === "questions" ? "a file with a question for each task" : `the number of a variant, 2 to ${mostVariants}`;
  return new Unfit(expected, { key: kind, got: value });
}

export const isText = (item: Json): item is string => typeof item === "string" && item !== "";

/** Returns the names a setting may have in this suite. */
export function namesOf({ name, names = [] }: Setting, suite: Suite): readonly string[] {
  if (name === "data") return isOfFile(suite) || suite.identity !== undefined ? ["own"] : ["sample", "published"];
  if (typeof names !== "string") return names;
  return names === "suite" ? [suite.name] : suite[names].map((each) => each.name);
}

/** Returns the largest value of a setting in this suite. */
export const mostOf = ({ most = Infinity }: Setting, suite: Suite) => (typeof most === "string" ? suite[most] : most);

/** Fields that `request` may not contain, and why. */
const refused: ReadonlyMap<string, string> = new Map([
  ["max_completion_tokens", "set `maxTokens` instead"],
  ["max_output_tokens", "set `maxTokens` instead"],
  ["model", "set `model` instead"],
  ["messages", "`strategy` decides them"],
  ["input", "`strategy` decides them"],
  ["tools", "`tools` and `strategy` decide them"],
  ["stream", "replies are always streamed"],
  ["stream_options", "tokens are always requested"],
]);

const isMap = (item: Json): item is { readonly [key: string]: Json } =>
  item !== null && typeof item === "object" && !Array.isArray(item);

/** Keys of a role's map. */
const roleMapKeys: readonly string[] = ["model", ...roleKeys];

/** The largest number of judges for a majority: each is asked about each answer. */
const mostJudges = 15;

/** Reads the models of several judges. */
function readMajority(item: Json): readonly string[] | Unfit {
  const isModel = (each: Json) => isText(each) && each.includes("/");
  const models = Array.isArray(item) ? (item as readonly Json[]) : [];
  const isFit = models.length >= 2 && models.length <= mostJudges && models.every(isModel);
  return isFit && new Set(models).size === models.length
    ? (models as readonly string[])
    : new Unfit(`2 to ${mostJudges} different models, such as [lab/a, lab/b, lab/c]`, { key: "majority", got: item });
}

/**
 * Reads a role's map of a model and its own settings. A map of the model alone is the model. A setting written as a field of
 * `request` becomes that setting.
 */
export function readRole(item: { readonly [key: string]: Json }, role?: string): SettingValue | Unfit {
  const { majority, ...single } = item;
  if (majority !== undefined && role === "judge") {
    const models = readMajority(majority);
    if (models instanceof Unfit) return models;
    if ("model" in single) return new Unfit("absent together with `majority`", { key: "model", got: single["model"] });
    const read = readRole({ ...single, model: models[0]! });
    if (read instanceof Unfit) return read;
    const { model: _, ...own } = typeof read === "string" ? { model: read } : (read as RequestFields);
    return { majority: models, ...own };
  }
  const read = new Map<string, SettingValue>();
  for (const [key, value] of Object.entries(item)) {
    if (!roleMapKeys.includes(key)) {
      const similar = similarName(key, roleMapKeys);
      const hint = similar === undefined ? "" : ` (did you mean \`${similar}\`?)`;
      return new Unfit(`one of the keys ${roleMapKeys.join(", ")}${hint}`, { key, got: key });
    }
    const { ofRole: _, ...setting } = settingNamed(key)!;
    const held = plainValue(setting, value);
    if (held instanceof Unfit) return new Unfit(held.expected, { key, got: value });
    read.set(key, held);
  }
  const model = read.get("model");
  if (model === undefined)
    return new Unfit("ENDPOINT/MODEL, such as `builtin/oracle`", { key: "model", got: undefined });
  const request = read.get("request");
  const { settings, others } = request === undefined ? noParts : requestParts(request as RequestFields);
  const more = new Map<string, unknown>(Object.entries(others));
  for (const [name, value] of settings) {
    if (!roleMapKeys.includes(name)) more.set(settingNamed(name)!.sentAs!, value);
    else if (read.has(name) && !sameValue(read.get(name), value))
      return new Unfit(`without \`${settingNamed(name)!.sentAs}\`, for which \`${name}\` has another value`, {
        key: "request",
        got: item["request"],
      });
    else read.set(name, value);
  }
  if (more.size > 0 || (request !== undefined && settings.size === 0)) read.set("request", Object.fromEntries(more));
  else read.delete("request");
  return read.size === 1
    ? model
    : Object.fromEntries(roleMapKeys.flatMap((key) => (read.has(key) ? [[key, read.get(key)]] : [])));
}

const noParts: ReturnType<typeof requestParts> = { settings: new Map(), others: {} };

/** Reads the fields of a body that a cell may set. */
export function readRequestFields(item: Json): RequestFields | Unfit {
  if (!isMap(item)) return new Unfit("fields of a request and their values, such as `{reasoning_effort: low}`");
  const fields = item;
  for (const [field, value] of Object.entries(fields)) {
    if (field === "__proto__") return new Unfit("without `__proto__`");
    const why = refused.get(field);
    if (why !== undefined) return new Unfit(`without \`${field}\` (${why})`);
    if (field === "n" && value !== 1)
      return new Unfit("without `n` above 1 (one reply is read; `trial` repeats a run)");
    const held = heldBy(field, value);
    if (held instanceof Unfit) return new Unfit(`with \`${field}\` as ${held.expected}`);
  }
  return fields;
}

/**
 * Returns the settings written as fields of `request`, by their names, and the fields without a setting. A value that the later
 * setting does not accept unchanged stays a field, because it was sent before the setting existed.
 */
export function requestParts(fields: RequestFields) {
  const settings = new Map<string, SettingValue>();
  const others = new Map<string, unknown>();
  for (const [field, value] of Object.entries(fields)) {
    const held = heldBy(field, value as Json);
    if (held === undefined || held instanceof Unfit) others.set(field, value);
    else settings.set(settingSentAs(field)!.name, held);
  }
  return { settings, others: Object.fromEntries(others) };
}

/** Reads the value of the setting that is sent as this field; undefined if there is no setting for it. */
function heldBy(field: string, value: Json): SettingValue | Unfit | undefined {
  const setting = settingSentAs(field);
  if (setting === undefined) return undefined;
  const read = plainValue(setting, value);
  if (!hashedInRequest.includes(setting)) return read;
  return read instanceof Unfit || !sameValue(read, value as SettingValue) ? undefined : read;
}

/** The separator of names in one string; names of tool servers never contain it. */
const between = ", ";

/** Returns the values of `tools` that set the mode, and the values that name tools, each as one text. */
export function splitTools(given: Json, ways: readonly string[]) {
  const items = Array.isArray(given) ? (given as readonly Json[]) : [given];
  const isName = (item: Json): item is string => typeof item === "string" && !ways.includes(item);
  const single = items.filter(isName);
  const lists = items.filter((item): item is readonly string[] => Array.isArray(item) && item.every(isName));
  const rest = items.filter((item) => !isName(item) && !lists.some((list) => list === item));
  const names = [...(single.length === 0 ? [] : [single]), ...lists].map((list) => list.toSorted().join(between));
  return { ways: rest, names: [...new Set(names)] };
}

/** Returns the names in one value of `toolServers`. */
export const toolNames = (value: unknown) => (typeof value === "string" ? [...new Set(value.split(between))] : []);
