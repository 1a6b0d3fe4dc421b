/** One combination of a cell's values as a run: its spec, its id, and the label that tells it from the others. */
import { createHash } from "node:crypto";
import type { Strategy } from "../strategy.ts";
import type { Suite } from "../suite.ts";
import {
  hashedSpec,
  isFields,
  sameValue,
  settingNamed,
  type SettingValues,
  type UnsentSetting,
  valueSettings,
} from "../run-settings.ts";
import type { SettingValue } from "../run-settings-rows.ts";
import { canonicalJson } from "../text/json-record.ts";
import type { Json, RunSpec } from "../types.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import type { ProgramIdentities } from "../run/programs/program-identity.ts";
import type { RunFields } from "./fields/run-fields.ts";
import { requestParts, toolNames } from "./fields/setting-value.ts";
import { appliedOptions } from "../measures/effective-settings.ts";
import { familyName } from "./file-suite.ts";

/** The values of one run, by setting or option. */
type ChosenValues = ReadonlyMap<string, SettingValue>;

/** `installed` says which data is used where the cell names none, and which tasks those are. */
export function runSpec(
  written: ChosenValues,
  { filter, budget, fork }: Omit<RunFields, "lists">,
  suite: Suite,
  installed: {
    defaultData(suite: string): RunSpec["data"];
    dataset?(suite: string, data: RunSpec["data"]): string | undefined;
    programs?(): ProgramIdentities;
    readonly code?: OwnCode;
  },
): RunSpec {
  const chosen = withRequestParts(written);
  const strategy = suite.strategies.find(({ name }) => name === chosen.get("strategy")) ?? suite.strategies[0]!;
  const data = (chosen.get("data") as RunSpec["data"] | undefined) ?? installed.defaultData(suite.name);
  const dataset = installed.dataset?.(suite.name, data);
  const set = valueSettings.flatMap(({ name, default: standard, unsentDefault }) =>
    unsentDefault === true && chosen.get(name) === standard ? [name as UnsentSetting] : [],
  );
  const options = optionsOf(chosen, suite, strategy);
  // What was recorded elsewhere is not of the programs that have these names here.
  const programs = chosen.has("predictions") ? undefined : installed.programs?.();
  const agent = programs?.agents.get(String(options[agentOption.name] ?? ""));
  const named = strategy.needs === "environment" ? toolNames(chosen.get("toolServers")) : [];
  const toolServers = named.map((name) => [name, programs?.toolServers.get(name) ?? ""] as const);
  const fromSuite = { suite: suite.name, split: suite.splits[0]!.name, data, strategy: strategy.name };
  const spec: RunSpec = {
    ...settingValues(chosen, fromSuite),
    ...(dataset === undefined ? {} : { dataset }),
    filter,
    options,
    budget,
    ...(toolServers.length === 0 ? {} : { toolServers: Object.fromEntries(toolServers) }),
    ...(agent === undefined ? {} : { agent }),
    ...(set.length === 0 ? {} : { set }),
    ...(fork === undefined ? {} : { fork }),
    suiteRevision: suite.revision,
    strategyRevision: strategy.revision,
  };
  const code = installed.code && codeOfRun(installed.code, spec, suite);
  return code === undefined ? spec : { ...spec, code };
}

/** The values with each setting that `request` holds as that setting. */
function withRequestParts(written: ChosenValues): ChosenValues {
  const request = written.get("request");
  if (request === undefined || !isFields(request)) return written;
  const { settings, others } = requestParts(request);
  return new Map([...written, ["request", others], ...settings]);
}

/** Every setting with a value, so that writing a default changes no id; quiet ones only where they differ from theirs. */
function settingValues(chosen: ChosenValues, fromSuite: Readonly<Record<string, string>>): SettingValues {
  const values = valueSettings.flatMap((setting) => {
    const { name, quiet } = setting;
    const value = chosen.get(name) ?? fromSuite[name] ?? setting.default;
    const left = value === undefined || (quiet === true && sameValue(value, setting.default));
    return left ? [] : [[name, value] as const];
  });
  // Each value was read as its row says.
  return Object.fromEntries(values) as unknown as SettingValues;
}

/** Every option that applies, with its default where the cell says nothing; what was no choice once, only where it differs. */
function optionsOf(chosen: ChosenValues, suite: Suite, strategy: Strategy): RunSpec["options"] {
  return Object.fromEntries(
    appliedOptions((name) => chosen.get(name), suite, strategy).flatMap(({ option, value }) => {
      const left = option.former ?? (option.quiet === true ? option.default : undefined);
      return value === left ? [] : [[option.name, value]];
    }),
  );
}

/** What tells a run from the others of its cell: the values of `varied`, else what answers. */
export function runLabel(chosen: ChosenValues, varied: readonly string[], { model }: RunSpec): string {
  if (varied.length > 0) return varied.map((name) => valueLabel(name, chosen.get(name)!)).join(", ");
  const predictions = chosen.get("predictions");
  if (predictions === undefined) return model;
  // A run of answers made elsewhere asks no model: wherever it is shown, the file stands there.
  return model === "none" ? lastName(String(predictions)) : `${model} (${answersName(String(predictions))})`;
}

/** The file of answers made elsewhere, as people know it: copies are named with a hash in front. */
export function answersName(path: string): string {
  return lastName(path).replace(/^[0-9a-f]{8}-/, "");
}

function lastName(path: string): string {
  return path.split(/[\\/]/).at(-1)!;
}

/** One value as labels show it: with the setting's name where the value alone would not say what it is. */
function valueLabel(name: string, value: SettingValue): string {
  const unit = settingNamed(name)?.unit;
  if (unit !== undefined) return `${String(value)} ${unit}`;
  const short = name.split(".").at(-1);
  if (isFields(value)) return `${short} ${Object.keys(value).length === 0 ? "none" : JSON.stringify(value)}`;
  if (typeof value === "object")
    return `${short} ${value.length === 0 ? "none" : value.map((text) => JSON.stringify(text)).join(" ")}`;
  return typeof value === "number" || value === "on" || value === "off" ? `${short} ${value}` : value;
}

/** The id of a run: 16 hexadecimal digits, equal for specs that are equal whatever the order of their keys. */
export function runId(spec: RunSpec, predictions: Json = null): string {
  return createHash("sha256")
    .update(canonicalJson([hashedSpec(spec) as unknown as Json, predictions]))
    .digest("hex")
    .slice(0, 16);
}

/** The hash of the code that defines each part, by the part's name; of strategies, by suite and name. Built-in parts are in none. */
export type OwnCode = {
  readonly suites: ReadonlyMap<string, string>;
  readonly strategies: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly environments: ReadonlyMap<string, string>;
};

/** The code that decides what comes of a run; undefined where all of it is built in. */
export function codeOfRun(code: OwnCode, spec: RunSpec, suite: Suite): RunSpec["code"] {
  const family = familyName(suite.name)!;
  const environments = suite.environmentsOf?.(spec) ?? [];
  const hashes = {
    suite: code.suites.get(family),
    strategy: code.strategies.get(family)?.get(spec.strategy),
    ...Object.fromEntries(environments.map((name) => [`environment:${name}`, code.environments.get(name)])),
  };
  const found = Object.entries(hashes).flatMap(([part, hash]) => (hash === undefined ? [] : [[part, hash] as const]));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
