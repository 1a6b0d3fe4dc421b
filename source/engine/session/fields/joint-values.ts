/**
 * Named values that set several settings at once: `tools: {alone: [mail], both: [mail, calendar]}`, and values of options with
 * the same part before the dot, `clusters: {coarse: {k: 4}, fine: {k: 16}}`.
 */
import type { Option } from "../../option.ts";
import { settingNamed } from "../../run-settings.ts";
import type { SettingValue } from "../../run-settings-rows.ts";
import type { Suite } from "../../suite.ts";
import type { Json } from "../../types.ts";
import { shown } from "./run-options.ts";
import { splitTools } from "./setting-value.ts";

/** A value by the settings and options that it sets. */
export type JointValue = { readonly [setting: string]: SettingValue };

type Map = { readonly [key: string]: Json };

const isMap = (value: Json | undefined): value is Map =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Returns the part before the dot of each option that has one. */
export const optionGroups = (options: ReadonlyMap<string, Option>): ReadonlySet<string> =>
  new Set([...options.keys()].flatMap((name) => (name.includes(".") ? [name.slice(0, name.indexOf("."))] : [])));

/** Returns whether a field's map names values that set several settings. */
export function namesJointly(
  field: string,
  given: Json,
  { suite, options }: { readonly suite: Pick<Suite, "takesTools">; readonly options: ReadonlyMap<string, Option> },
): given is Map {
  if (!isMap(given) || Object.keys(given).length === 0) return false;
  if (field === "tools") return suite.takesTools === true;
  return (
    optionGroups(options).has(field) &&
    Object.entries(given).every(([name, value]) => isMap(value) && !options.has(`${field}.${name}`))
  );
}

type Read = (name: string, item: Json, report: Report) => SettingValue | undefined;
type Report = (field: string, message: string) => void;

/** Reads one value; `read` reads one setting or option in it. Returns undefined after it has reported a mistake. */
export function readJointly(field: string, item: Json, read: Read, report: Report): JointValue | undefined {
  const parts = field === "tools" ? toolParts(item, report) : groupParts(field, item);
  const values = (parts ?? []).map(([name, value]) => [name, read(name, value, report)] as const);
  const isWhole = parts !== undefined && values.every(([, value]) => value !== undefined);
  return isWhole ? (Object.fromEntries(values) as JointValue) : undefined;
}

const groupParts = (field: string, item: Json): readonly (readonly [string, Json])[] =>
  Object.entries(item as Map).map(([part, value]) => [`${field}.${part}`, value]);

function toolParts(item: Json, report: Report): readonly (readonly [string, Json])[] | undefined {
  const split = isMap(item) ? undefined : splitTools(item, settingNamed("tools")!.names as readonly string[]);
  const ways = (split?.ways ?? []) as readonly Json[];
  if (split === undefined || ways.length > 1 || split.names.length > 1)
    return void report("tools", `Expected \`tools\` to name one list of tools, got ${shown(item)}`);
  return [...split.names.map((name) => ["toolServers", name] as const), ...ways.map((way) => ["tools", way] as const)];
}
