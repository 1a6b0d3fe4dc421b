/** Writes run cells from the settings of a run. */
import { writtenSetting } from "../settings/role-settings.ts";
import { sameValue, settingNamed, settingRank } from "../run-settings.ts";
import { runSettings, type Setting, type SettingValue } from "../run-settings-rows.ts";
import type { Fork, Json, RunSpec } from "../types.ts";

/**
 * Returns the YAML of a cell that forks a saved run: its settings with the changes. Omits settings that only choose tasks,
 * because a fork names its task; includes limits, which apply to the fork as to the run.
 */
export function forkSource(spec: RunSpec, fork: Fork, change: { readonly [field: string]: Json } = {}): string {
  // Repeats are trials.
  const { trial, ...rest } = spec;
  return cellSource(
    "repeats" in change ? (rest as RunSpec) : { ...rest, trial },
    { ...change, fork },
    unchosen,
    new Set(Object.keys(change)),
  );
}

/** Returns the YAML of a cell with a run of this spec. `given` are fields that must be written because the notebook sets them. */
export const runSource = (spec: RunSpec, given: ReadonlySet<string>) => cellSource(spec, {}, runSettings, given);

/** Returns the fields of such a cell with their values, in order. */
export const runFields = (spec: RunSpec) => fieldsOf(spec, {}, runSettings);

/** Returns a field as a cell writes it on one line. */
export const fieldLine = (name: string, value: Json): string => `${name}: ${flowYaml(value)}`;

/** Returns the YAML of a cell for answers in a file of the session, with the settings of their run. */
export function recordedSource(spec: RunSpec, predictions: string): string {
  return cellSource(
    spec,
    { predictions },
    (runSettings as readonly Setting[]).filter(({ kind }) => kind !== "fork"),
  );
}

type CellChange = { readonly [field: string]: Json | Fork };

const cellSource = (...of: Parameters<typeof fieldsOf>): string =>
  fieldsOf(...of)
    .map(([name, value]) => `${fieldLine(name, value)}\n`)
    .join("");

/** Returns the fields of a cell that forks tasks of a run, without fields that choose among its tasks. */
export const forkedFields = (spec: RunSpec): { readonly [field: string]: Json } =>
  Object.fromEntries(fieldsOf(spec, {}, unchosen));

const unchosen = (runSettings as readonly Setting[]).filter(({ choosesTasks }) => choosesTasks !== true);

/** Returns the fields of a cell with their values, in the order in which cells are written. */
function fieldsOf(
  spec: RunSpec,
  change: CellChange,
  written: readonly Setting[],
  given: ReadonlySet<string> = new Set(),
): readonly (readonly [name: string, value: Json])[] {
  const { toolServers, tools } = spec;
  const named = toolServers && { tools: [...Object.keys(toolServers), ...(tools === undefined ? [] : [tools])] };
  const settled = [...Object.keys(spec.roles ?? {}), ...(spec.judges === undefined ? [] : ["judge"])];
  const roles = Object.fromEntries(settled.map((role) => [role, writtenSetting(spec, role)]));
  const prompts = { ...spec.prompts, ...spec.judgePrompts };
  // A map would count variants.
  const vary = spec.vary && { vary: [spec.vary] };
  const changed = { ...spec, prompts, ...vary, ...roles, ...change, ...named } as unknown as {
    readonly [field: string]: Json | undefined;
  };
  const settings = written.map((setting) => [
    setting.name,
    isDefault(setting, changed[setting.name]) && !isSet(spec, setting) && !given.has(setting.name)
      ? undefined
      : changed[setting.name],
  ]);
  const others = Object.entries(change).filter(([name]) => settingNamed(name) === undefined);
  return [...settings, ...Object.entries({ ...spec.options, ...Object.fromEntries(others) })]
    .filter((field): field is [string, Json] => field[1] !== undefined)
    .toSorted(([one], [other]) => settingRank(one) - settingRank(other));
}

function isDefault({ default: standard }: Setting, value: Json | undefined): boolean {
  const nothing = value !== null && typeof value === "object" && Object.keys(value).length === 0;
  return nothing || (standard !== undefined && sameValue(value as SettingValue, standard));
}

const isSet = ({ set = [] }: RunSpec, { name }: Setting): boolean => set.some((each) => each === name);

/**
 * Returns YAML on one line. JSON is YAML: text that could be read as another type (a run's id may look like a number) is
 * quoted.
 */
function flowYaml(value: Json): string {
  if (value === null || typeof value !== "object") return scalarYaml(value);
  if (Array.isArray(value)) return `[${value.map((item) => flowYaml(item as Json)).join(", ")}]`;
  const members = Object.entries(value as { readonly [key: string]: Json });
  return `{${members.map(([key, item]) => `${scalarYaml(key)}: ${JSON.stringify(item)}`).join(", ")}}`;
}

function scalarYaml(value: Json): string {
  const plain =
    typeof value === "string" && /^[a-z][\w/.-]*$/i.test(value) && !/^(on|off|yes|no|true|false|null)$/i.test(value);
  return plain ? value : JSON.stringify(value);
}
