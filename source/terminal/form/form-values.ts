/** The values of the set-up form by field, several values for a grid; an absent field has its default. */
import { suiteNamed } from "../../engine/session/file-suite.ts";
import { isMap } from "yaml";
import { parseYaml, yamlValue } from "../../engine/text/yaml-document.ts";
import { applies, defaultOf, optionsFor, type Option } from "../../engine/option.ts";
import { isFields, settingNamed, valueSettings } from "../../engine/run-settings.ts";
import type { RequestFields, SettingValue } from "../../engine/run-settings-rows.ts";
import { rivals } from "../../engine/session/fields/given-fields.ts";
import { namedItems } from "../../engine/session/fields/named-values.ts";
import { mostOf, namesOf, requestParts } from "../../engine/session/fields/setting-value.ts";
import type { Strategy } from "../../engine/strategy.ts";
import type { Suite } from "../../engine/suite.ts";
import type { Json } from "../../engine/types.ts";

export type FormValues = ReadonlyMap<string, readonly SettingValue[]>;

/**
 * Reads the fields of a run cell that a form can show, or those in the field `within` of front matter; `filter`,
 * `budget` and grouped options have dotted names. Never throws.
 */
export function readValues(source: string, within?: string): FormValues {
  const whole = readCellMap(source);
  return valuesGiven(within === undefined ? whole : ((whole[within] ?? {}) as Given));
}

type Given = { readonly [key: string]: Json };

/** Reads a cell's text as a map; empty if the text is not a map. */
export function readCellMap(source: string): Given {
  const document = parseYaml(source);
  if (document.errors.length > 0 || !isMap(document.contents)) return {};
  try {
    return yamlValue(document) as Given;
  } catch {
    return {};
  }
}

/** Returns the names that the fields of a cell give to all their values. */
export const valueNames = (given: Given): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(given).flatMap(([field, value]) => {
      const names = namedItems(field, value).flatMap(({ name }) => name ?? []);
      return names.length === 0 ? [] : [[field, names] as const];
    }),
  );

export function valuesGiven(given: Given): FormValues {
  const values = new Map<string, readonly SettingValue[]>();
  for (const [name, value] of Object.entries(given)) {
    if (isMapOf(value) && namesMaps(name, value)) values.set(name, [value satisfies RequestFields]);
    else if (name === "budget") {
      for (const [part, limit] of limitsOf(value)) put(values, part, limit);
    } else if (isMapOf(value) && !holdsFields(name) && !isRole(name) && !namesValues(name, value)) {
      for (const [part, inner] of Object.entries(value)) put(values, `${name}.${part}`, inner);
    } else put(values, name, value);
  }
  return withRequestParts(values);
}

/** Gives a setting in `request` a separate field, unless several requests make a grid or the cell also contains the setting. */
function withRequestParts(values: FormValues): FormValues {
  const [request, ...more] = values.get("request") ?? [];
  if (request === undefined || !isFields(request) || more.length > 0) return values;
  const { settings, others } = requestParts(request);
  if ([...settings.keys()].some((name) => values.has(name))) return values;
  const own = [...settings].map(([name, value]) => [name, [value]] as const);
  return new Map([...values, ["request", [others]], ...own]);
}

/** Returns the limits of a budget by dotted names, such as `budget.task.steps`. */
const limitsOf = (budget: Json): readonly (readonly [string, Json])[] =>
  Object.entries(budget ?? {}).flatMap(([scope, limits]) => {
    if (limits === null || typeof limits !== "object") return [];
    return Object.entries(limits).map(([name, limit]) => [`budget.${scope}.${name}`, limit as Json] as const);
  });

/** Returns whether a map names the values of a field whose values are not maps. */
const namesValues = (name: string, value: Json): boolean =>
  settingNamed(name)?.kind !== "fork" && namedItems(name, value).some((item) => item.name !== undefined);

/** Returns whether a field names filters, limits, lists of tools or options of a group, which stay one value in the form. */
function namesMaps(name: string, value: { readonly [key: string]: Json }): boolean {
  const kind = settingNamed(name)?.kind;
  if (kind === "facets" || kind === "limits") return namesValues(name, value);
  const inner = Object.values(value);
  if (name === "tools") return inner.every((each) => !isMapOf(each));
  return kind === undefined && inner.length > 0 && inner.every(isMapOf);
}

const holdsFields = (name: string) => ["fields", "prompts", "vary"].includes(settingNamed(name)?.kind ?? "");
const isRole = (name: string) => settingNamed(name)?.ofRole === true;
const isMapOf = (item: Json): item is { readonly [key: string]: Json } =>
  item !== null && typeof item === "object" && !Array.isArray(item);

function put(values: Map<string, readonly SettingValue[]>, name: string, given: Json): void {
  const holdsTexts = settingNamed(name)?.kind === "texts";
  const kept = namedItems(name, given).flatMap(({ item }): SettingValue[] => {
    if (isMapOf(item) && (holdsFields(name) || isRole(name))) return [item satisfies RequestFields];
    if (holdsFields(name)) return [];
    if (holdsTexts && Array.isArray(item)) return item.every((text) => typeof text === "string") ? [item] : [];
    if (typeof item === "boolean") return [item ? "on" : "off"];
    if (typeof item !== "string" && typeof item !== "number") return [];
    return [holdsTexts ? [String(item)] : item];
  });
  if (kept.length > 0) values.set(name, kept);
}

/**
 * Returns the field that a value belongs to: `filter` for `filter.level`, `budget` for `budget.run.cost`; `clusters.k`
 * is a field itself.
 */
export const fieldOf = (name: string): string => settingNamed(name.split(".", 1)[0]!)?.name ?? name;

/** Returns the effective values of a cell: its own values, and the notebook's for all other fields. */
export function withDefaults(own: FormValues, defaults: FormValues): FormValues {
  const said = new Set([...own.keys()].flatMap((name) => [fieldOf(name), ...rivals(name, own.get(name) as Json)]));
  return new Map([...[...defaults].filter(([name]) => !said.has(fieldOf(name))), ...own]);
}

/** Settles a cell's own values; values that equal the notebook's are not added. */
export function settleOwn(own: FormValues, defaults: FormValues, suites: readonly Suite[]): FormValues {
  const settled = settle(withDefaults(own, defaults), suites);
  return new Map([...settled].filter(([name]) => own.has(name) || !defaults.has(name)));
}

/** Moves all values of a field from one map to another, in which they replace the current values. */
export function fieldMoved(
  field: string,
  from: FormValues,
  to: FormValues,
): { readonly from: FormValues; readonly to: FormValues } {
  const isOf = ([name]: readonly [string, unknown]) => fieldOf(name) === field;
  return {
    from: new Map([...from].filter((entry) => !isOf(entry))),
    to: new Map([...[...to].filter((entry) => !isOf(entry)), ...[...from].filter(isOf)]),
  };
}

export const suiteOf = (values: FormValues, suites: readonly Suite[]): Suite | undefined =>
  suiteNamed(String(values.get("suite")?.[0]), suites) ?? suites[0];

/** Returns the chosen strategies, or the suite's first if none is chosen. */
export function strategiesOf(values: FormValues, suite: Suite): readonly Strategy[] {
  const chosen = suite.strategies.filter(({ name }) => values.get("strategy")?.includes(name));
  return chosen.length > 0 ? chosen : suite.strategies.slice(0, 1);
}

/** Returns the options that apply to any chosen strategy, with their defaults for it. */
export function optionsOf(values: FormValues, suite: Suite): readonly Option[] {
  const options = new Map<string, Option>();
  for (const strategy of strategiesOf(values, suite)) {
    const all = optionsFor(suite, strategy);
    const given: Record<string, string | number> = { strategy: strategy.name };
    for (const option of all)
      given[option.name] = (values.get(option.name)?.[0] as string | number | undefined) ?? defaultOf(option, given);
    for (const option of all)
      if (applies(option, given)) options.set(option.name, { ...option, default: defaultOf(option, given) });
  }
  return [...options.values()];
}

/** Removes values that are not valid for the chosen suite and strategy. */
export function settle(values: FormValues, suites: readonly Suite[]): FormValues {
  const suite = suiteOf(values, suites);
  if (suite === undefined) return values;
  const settled = new Map(values).set("suite", [suite.name]);
  const keep = (name: string, fits: (value: SettingValue) => boolean) => {
    const kept = (settled.get(name) ?? []).filter(fits);
    if (kept.length > 0) settled.set(name, kept);
    else settled.delete(name);
  };
  const usesShots = strategiesOf(settled, suite).some((strategy) => strategy.usesShots === true);
  for (const setting of valueSettings) {
    if (typeof setting.names === "string")
      keep(setting.name, (value) => namesOf(setting, suite).includes(String(value)));
    if (typeof setting.most === "string")
      keep(setting.name, (value) => usesShots && typeof value === "number" && value <= mostOf(setting, suite));
  }
  const own = new Set(optionsOf(settled, suite).map(({ name }) => name));
  const others = new Set(
    suites
      .flatMap((each) => [undefined, ...each.strategies].flatMap((strategy) => optionsFor(each, strategy)))
      .map(({ name }) => name),
  );
  for (const name of settled.keys()) {
    if (others.has(name) && !own.has(name)) settled.delete(name);
    if (
      name.startsWith("filter.") &&
      suite.ofFile === undefined &&
      !suite.facets.some((facet) => `filter.${facet.name}` === name)
    )
      settled.delete(name);
  }
  const roles: ReadonlySet<string> = rolesOf(settled, suite);
  for (const { name, strategyRole } of valueSettings)
    if (strategyRole === true && !roles.has(name)) settled.delete(name);
  // A dialogue needs a responder; beside built-in models the built-in one costs nothing.
  const models = settled.get("model") ?? [];
  if (
    roles.has("responder") &&
    suite.tasksFrom !== "process" &&
    !settled.has("responder") &&
    models.every((name) => String(name).startsWith("builtin/"))
  )
    settled.set("responder", ["builtin/responder"]);
  return settled;
}

/** Returns the roles that the chosen strategies use. */
export const rolesOf = (values: FormValues, suite: Suite): ReadonlySet<string> =>
  new Set(strategiesOf(values, suite).flatMap(({ roles }) => roles ?? []));
