/** Values with names: `system: {terse: "...", careful: careful.md}`. A name is a label and part of no id. */
import { isFields, roleKeys, settingNamed } from "../../run-settings.ts";
import type { SettingValue } from "../../run-settings-rows.ts";
import { partsOfLabel } from "../../settings/label.ts";
import type { Json } from "../../types.ts";

export type NamedItem = { readonly item: Json; readonly name?: string };

type Map = { readonly [name: string]: Json };

const isMap = (value: Json): value is Map => value !== null && typeof value === "object" && !Array.isArray(value);

/** Fields of a request whose values are maps: a map in one of them is one value. */
const mapsOfRequests: ReadonlySet<string> = new Set([
  "chat_template_kwargs",
  "extra_body",
  "guided_json",
  "logit_bias",
  "metadata",
  "options",
  "prediction",
  "provider",
  "reasoning",
  "response_format",
  "text",
  "thinking",
  "tool_choice",
]);

/**
 * Returns the values in a field, with their names if a map gives names. For a field that contains a map, a map of maps gives
 * names. Fields of `request` whose values are maps stay one value.
 */
export function namedItems(field: string, given: Json): readonly NamedItem[] {
  if (!isMap(given) || !hasNames(field, given)) return gridItems(field, given).map((item) => ({ item }));
  return Object.entries(given).map(([name, item]) => ({ name, item }));
}

function hasNames(field: string, given: Map): boolean {
  const setting = settingNamed(field);
  const [entries, values] = [Object.keys(given), Object.values(given)];
  if (entries.length === 0 || setting?.kind === "vary") return false;
  if (setting?.kind === "facets" || setting?.kind === "fork") return values.every(isMap);
  if (setting?.kind === "limits") return values.every(isMap) && !entries.some((key) => key === "task" || key === "run");
  if (setting?.kind === "prompts") return values.every((value) => value === null || isMap(value));
  if (setting?.ofRole === true)
    return values.every(isMap) && !entries.some((key) => key === "model" || roleKeys.some((each) => each === key));
  if (setting?.kind === "fields")
    return entries.length > 1 && values.every(isMap) && !entries.some((key) => mapsOfRequests.has(key));
  return !values.some(isMap);
}

/** Returns why a name cannot be a label; undefined if it can. */
export function labelProblem(field: string, name: string): string | undefined {
  const isLabel = name.trim() !== "" && name.length <= 60 && partsOfLabel(name).length === 1 && !/[\n,]/.test(name);
  return isLabel
    ? undefined
    : `Expected \`${field}\` to have names of at most 60 characters without a comma, got \`${name.slice(0, 80)}\``;
}

/** The key of a value in labels. */
export const valueKey = (value: SettingValue): string => JSON.stringify(isFields(value) ? sorted(value) : value);

const sorted = (value: object) => Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Returns the values in a field of a cell, of which a list makes a grid. If a value may itself be a list of texts, such as
 * `stop`, only a list that contains lists makes a grid.
 */
export function gridItems(name: string, given: Json): readonly Json[] {
  if (!Array.isArray(given)) return [given];
  const items = given as readonly Json[];
  return settingNamed(name)?.kind !== "texts" || items.some((item) => Array.isArray(item)) ? items : [items];
}
