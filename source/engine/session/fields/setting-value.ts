/** Reads one value of a setting by its row, and the fields of `request`, some of which are settings. */
import { hashedInRequest, sameValue, settingSentAs } from "../../run-settings.ts";
import type { RequestFields, Setting, SettingValue } from "../../run-settings-rows.ts";
import type { Suite } from "../../suite.ts";
import type { Json } from "../../types.ts";
import { isOfFile, ownDataIn } from "../file-suite.ts";

/** An invalid value; `expected` follows "Expected `NAME` to be" in the message. */
export class Unfit {
  readonly expected: string;
  constructor(expected: string) {
    this.expected = expected;
  }
}

/** Reads one value of a setting in a cell of this suite. */
export function settingValue(setting: Setting, item: Json, suite: Suite): SettingValue | Unfit {
  const own = setting.name === "data" && !isOfFile(suite) ? ownDataIn(item) : undefined;
  const read = plainValue({ ...setting, names: namesOf(setting, suite), most: mostOf(setting, suite) }, item);
  return read instanceof Unfit ? (own ?? read) : read;
}

/** Reads one value of a setting that depends on no suite. */
function plainValue(
  { kind, names = [], least = -Infinity, most = Infinity }: Setting,
  item: Json,
): SettingValue | Unfit {
  switch (kind) {
    case "name":
      if (isText(item) && names.includes(item)) return item;
      return new Unfit(`one of ${(names as readonly string[]).join(", ")}`);
    case "text":
      return isText(item) ? item : new Unfit("text");
    case "model":
      if (isText(item) && item.includes("/")) return item;
      return new Unfit("ENDPOINT/MODEL, such as `builtin/oracle`");
    case "fields":
      return readRequestFields(item);
    case "texts": {
      const texts = isText(item) ? [item] : item;
      if (Array.isArray(texts) && texts.every((text) => isText(text as Json))) return texts as readonly string[];
      return new Unfit("a text or a list of texts");
    }
    default: {
      const fits = typeof item === "number" && item >= least && item <= Number(most);
      if (fits && (kind === "number" || Number.isSafeInteger(item))) return item;
      const bounds = `${least === -Infinity ? "" : ` from ${least}`}${most === Infinity ? "" : ` to ${most}`}`;
      return new Unfit(`${kind === "whole" ? "a whole number" : "a number"}${bounds}`);
    }
  }
}

export function isText(item: Json): item is string {
  return typeof item === "string" && item !== "";
}

/** Returns the names a setting may have in this suite. */
export function namesOf({ name, names = [] }: Setting, suite: Suite): readonly string[] {
  if (name === "data") return isOfFile(suite) || suite.identity !== undefined ? ["own"] : ["sample", "published"];
  if (typeof names !== "string") return names;
  return names === "suite" ? [suite.name] : suite[names].map((each) => each.name);
}

/** Returns the largest value of a setting in this suite. */
export function mostOf({ most = Infinity }: Setting, suite: Suite): number {
  return typeof most === "string" ? suite[most] : most;
}

/** Fields that `request` may not contain, and why. */
const refused: ReadonlyMap<string, string> = new Map([
  ["max_completion_tokens", "`maxTokens` has a setting of its own"],
  ["max_output_tokens", "`maxTokens` has a setting of its own"],
  ["model", "`model` has a setting of its own"],
  ["messages", "`strategy` decides them"],
  ["input", "`strategy` decides them"],
  ["tools", "`tools` and `strategy` decide them"],
  ["stream", "replies are always streamed"],
  ["stream_options", "tokens are always asked for"],
]);

/** Returns whether the fields set the form of replies, by either protocol's names. */
export function givesFormat({ response_format: format, text }: RequestFields): boolean {
  return format !== undefined || (typeof text === "object" && text !== null && "format" in text);
}

/** Reads the fields of a body that a cell may set. */
export function readRequestFields(item: Json): RequestFields | Unfit {
  if (item === null || typeof item !== "object" || Array.isArray(item))
    return new Unfit("fields of a request and their values, such as `{reasoning_effort: low}`");
  const fields = item as { readonly [field: string]: Json };
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
 * Returns the settings written as fields of `request`, by their names, and the fields without a setting. A value that its later
 * setting does not accept as it is stays a field, because it was sent before there was the setting.
 */
export function requestParts(fields: RequestFields): {
  readonly settings: ReadonlyMap<string, SettingValue>;
  readonly others: RequestFields;
} {
  const settings = new Map<string, SettingValue>();
  const others = new Map<string, unknown>();
  for (const [field, value] of Object.entries(fields)) {
    const held = heldBy(field, value as Json);
    if (held === undefined || held instanceof Unfit) others.set(field, value);
    else settings.set(settingSentAs(field)!.name, held);
  }
  return { settings, others: Object.fromEntries(others) };
}

/** Reads the value of the setting that is sent as this field; undefined if there is no such setting. */
function heldBy(field: string, value: Json): SettingValue | Unfit | undefined {
  const setting = settingSentAs(field);
  if (setting === undefined) return undefined;
  const read = plainValue(setting, value);
  if (!hashedInRequest.includes(setting)) return read;
  return read instanceof Unfit || !sameValue(read, value as SettingValue) ? undefined : read;
}

/** Separates names in one text; names of tool servers never contain it. */
const between = ", ";

/** Returns the values of `tools` that set the mode, and those that name tools, each as one text. */
export function splitTools(
  given: Json,
  ways: readonly string[],
): { readonly ways: Json; readonly names: readonly string[] } {
  const items = Array.isArray(given) ? (given as readonly Json[]) : [given];
  const isName = (item: Json): item is string => typeof item === "string" && !ways.includes(item);
  const single = items.filter(isName);
  const lists = items.filter((item): item is readonly string[] => Array.isArray(item) && item.every(isName));
  const rest = items.filter((item) => !isName(item) && !lists.some((list) => list === item));
  const names = [...(single.length === 0 ? [] : [single]), ...lists].map((list) => list.toSorted().join(between));
  return { ways: rest, names: [...new Set(names)] };
}

/** Returns the names in one value of `toolServers`. */
export function toolNames(value: unknown): readonly string[] {
  return typeof value === "string" ? [...new Set(value.split(between))] : [];
}
