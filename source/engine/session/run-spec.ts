/** One combination of a cell's values as a run: its spec, its id, and a label that distinguishes it from the others. */
import { hash } from "node:crypto";
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
import type { RequestFields, SettingValue } from "../run-settings-rows.ts";
import { judgeSampling, roleText } from "../settings/role-settings.ts";
import { type OwnPrompts, type RoleSettings, type Varied } from "../run-settings.ts";
import { hashedVariant, variantName } from "../settings/varied.ts";
import { canonicalJson } from "../text/json-record.ts";
import type { Budget, Fork, Json, RunSpec } from "../types.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import type { ProgramIdentities } from "../run/programs/program-identity.ts";
import { joinedLabel, textLabel } from "../settings/label.ts";
import { ownPrompts } from "./fields/prompt-value.ts";
import type { RunFields } from "./fields/run-fields.ts";
import { requestParts, toolNames } from "./fields/setting-value.ts";
import { appliedOptions } from "../measures/effective-settings.ts";
import { familyName } from "./file-suite.ts";

/** The values of one run, by setting or option. */
type ChosenValues = ReadonlyMap<string, SettingValue>;

/** Returns the settings of a run. `installed` returns the data for a cell that names none, and the identifier of its tasks. */
export function runSpec(
  written: ChosenValues,
  { forks }: Pick<RunFields, "forks">,
  suite: Suite,
  installed: {
    defaultData(suite: string): RunSpec["data"];
    dataset?(suite: string, data: RunSpec["data"]): string | undefined;
    programs?(): ProgramIdentities;
    readonly code?: OwnCode;
  },
): RunSpec {
  const { chosen, roles, judges } = rolesApart(withRequestParts(written));
  const strategy = suite.strategies.find(({ name }) => name === chosen.get("strategy")) ?? suite.strategies[0]!;
  const data = (chosen.get("data") as RunSpec["data"] | undefined) ?? installed.defaultData(suite.name);
  const dataset = installed.dataset?.(suite.name, data);
  const set = valueSettings.flatMap(({ name, default: standard, unsentDefault }) =>
    unsentDefault === true && chosen.get(name) === standard ? [name as UnsentSetting] : [],
  );
  const options = optionsOf(chosen, suite, strategy);
  // Answers recorded elsewhere do not come from the programs with these names here.
  const programs = chosen.has("predictions") ? undefined : installed.programs?.();
  const agent = programs?.agents.get(String(options[agentOption.name] ?? ""));
  const named = ["environment", "process"].includes(strategy.needs) ? toolNames(chosen.get("toolServers")) : [];
  const toolServers = named.map((name) => [name, programs?.toolServers.get(name) ?? ""] as const);
  const fromSuite = { suite: suite.name, split: suite.splits[0]!.name, data, strategy: strategy.name };
  const { prompts: _, ...values } = settingValues(chosen, fromSuite);
  const { split } = values;
  const fork = chosen.get("fork") as Fork | undefined;
  const spec: RunSpec = {
    ...values,
    ...(dataset === undefined ? {} : { dataset }),
    filter: (chosen.get("filter") ?? {}) as RunSpec["filter"],
    options,
    budget: (chosen.get("budget") ?? {}) as Budget,
    ...(toolServers.length === 0 ? {} : { toolServers: Object.fromEntries(toolServers) }),
    ...(agent === undefined ? {} : { agent }),
    ...(Object.keys(roles).length > 0 && { roles }),
    ...(chosen.has("judge") &&
      !chosen.has("predictions") && { judging: judgeSampling(roles.judge, suite.judgeTemperature) }),
    ...(judges !== undefined && !chosen.has("predictions") && { judges }),
    ...ownPrompts((chosen.get("prompts") ?? {}) as OwnPrompts, suite, strategy, { options, split }),
    ...(set.length === 0 ? {} : { set }),
    ...(fork === undefined ? {} : { fork }),
    ...(forks === undefined ? {} : { forks }),
    suiteRevision: suite.revision,
    strategyRevision: strategy.revision,
  };
  const code = installed.code && codeOfRun(installed.code, spec, suite);
  return code === undefined ? spec : { ...spec, code };
}

/** Returns the values with the settings in `request` as settings. */
function withRequestParts(written: ChosenValues): ChosenValues {
  const request = written.get("request");
  if (request === undefined || !isFields(request)) return written;
  const { settings, others } = requestParts(request);
  return new Map([...written, ["request", others], ...settings]);
}

/** Separates the models of roles from their own settings; the first of several judges represents all judges. */
function rolesApart(written: ChosenValues): {
  readonly chosen: ChosenValues;
  readonly roles: NonNullable<RunSpec["roles"]>;
  readonly judges?: readonly string[];
} {
  const chosen = new Map(written);
  const roles: Record<string, RoleSettings> = {};
  let judges: readonly string[] | undefined;
  for (const [name, value] of written) {
    if (!isFields(value) || settingNamed(name)?.ofRole !== true) continue;
    const { model, majority, ...own } = value;
    if (majority !== undefined) judges = majority as readonly string[];
    chosen.set(name, judges?.[0] ?? (model as string));
    if (Object.keys(own).length > 0) roles[name] = own;
  }
  return { chosen, roles, ...(judges !== undefined && { judges }) };
}

/**
 * Returns the spec of a run whose log exists: its judge keeps the sampling settings with which the run started, although the cell
 * does not contain them.
 */
export function asBegun(planned: RunSpec, begun: Pick<RunSpec, "judging"> | undefined): RunSpec {
  if (planned.judging === undefined || begun === undefined) return planned;
  const { judging: _, ...rest } = planned;
  return begun.judging === undefined ? rest : { ...rest, judging: begun.judging };
}

/**
 * Returns every setting that has a value, so that writing a default changes no id; quiet settings only if they differ from their
 * default.
 */
function settingValues(chosen: ChosenValues, fromSuite: Readonly<Record<string, string>>): SettingValues {
  const values = valueSettings.flatMap((setting) => {
    const { name, quiet } = setting;
    const value = chosen.get(name) ?? fromSuite[name] ?? setting.default;
    const left = value === undefined || (quiet === true && sameValue(value, setting.default));
    return left ? [] : [[name, value] as const];
  });
  // Each value was read by its row.
  return Object.fromEntries(values) as unknown as SettingValues;
}

/**
 * Returns every option that applies, with its default if the cell sets no value; options added later only if they differ from
 * their default.
 */
const optionsOf = (chosen: ChosenValues, suite: Suite, strategy: Strategy): RunSpec["options"] =>
  Object.fromEntries(
    appliedOptions((name) => chosen.get(name), suite, strategy).flatMap(({ option, value }) => {
      const left = option.former ?? (option.quiet === true ? option.default : undefined);
      return value === left ? [] : [[option.name, value]];
    }),
  );

/** Returns the name of a field's value; undefined if the value has no name. */
export type NameOf = (field: string, value: SettingValue) => string | undefined;

/** Returns the part of a run's settings that distinguishes it in its cell: the values of `varied`, otherwise the model. */
export function runLabel(chosen: ChosenValues, varied: readonly string[], { model }: RunSpec, nameOf: NameOf): string {
  if (varied.length > 0)
    return joinedLabel(
      varied.map((name) => {
        const value = chosen.get(name)!;
        return nameOf(name, value) ?? valueLabel(name, value);
      }),
    );
  const predictions = chosen.get("predictions");
  const title = nameOf("model", model) ?? model;
  if (predictions === undefined) return title;
  // A run of answers made elsewhere asks no model: the file's name replaces it everywhere.
  return model === "none" ? lastName(String(predictions)) : `${title} (${answersName(String(predictions))})`;
}

/** Returns the original name of a file of answers: copies have a hash as a prefix. */
export const answersName = (path: string): string => lastName(path).replace(/^[0-9a-f]{8}-/, "");

const lastName = (path: string): string => path.split(/[\\/]/).at(-1)!;

/**
 * Returns one value for labels, with the setting's name if the value alone would be unclear. A label never contains a whole text.
 */
export function valueLabel(name: string, value: SettingValue): string {
  const unit = settingNamed(name)?.unit;
  if (unit !== undefined) return `${String(value)} ${unit}`;
  if (isFields(value) && settingNamed(name)?.ofRole === true) return roleText(value);
  const short = name.split(".").at(-1)!;
  if (name === "vary") return variantName(value as Varied);
  if (name === "prompts") return promptsLabel(value as OwnPrompts);
  if (name === "fork") return forkLabel(value as Fork);
  if (name === "filter" || name === "budget") return mapLabel(value as RequestFields) || `no ${name}`;
  if (isFields(value))
    return `${short} ${Object.keys(value).length === 0 ? "none" : JSON.stringify(value).replaceAll(",", " ")}`;
  if (typeof value === "object")
    return `${short} ${value.length === 0 ? "none" : value.map((text) => JSON.stringify(text).replaceAll(",", " ")).join(" ")}`;
  if (name === "system" || name === "rubric") return value === "" ? `no ${short}` : textLabel(String(value));
  if (typeof value === "number" || value === "on" || value === "off") return `${short} ${value}`;
  const line = value.replaceAll(/[,\s]+/g, " ").trim();
  return settingNamed(name) === undefined && line.length > longestValue ? textLabel(value) : line;
}

/**
 * Maximum number of characters of an option's value in a label. Longer values are texts, which labels identify by how they start.
 */
const longestValue = 60;

/** Returns the words of a map: `level easy hard`, `task steps 8`. */
const mapLabel = (map: RequestFields): string =>
  Object.entries(map)
    .map(([key, value]) => {
      const words = isFields(value as SettingValue) ? mapLabel(value as RequestFields) : [value].flat().join(" ");
      return `${key} ${words}`.replaceAll(/[,\s]+/g, " ");
    })
    .join(" ");

/** Returns a label of the task and request of a fork, and of what it replaces. */
function forkLabel({ task, request, ...more }: Fork): string {
  const replaced = (["message", "result", "reply"] as const).filter((each) => more[each] !== undefined);
  return [`${task}@${request}`.replaceAll(",", " "), ...replaced].join(" ");
}

/**
 * Returns the label of prompts. It identifies a text in a cell by the first characters of its hash, and a text in a file by the
 * file's name.
 */
function promptsLabel(prompts: OwnPrompts): string {
  const hashes = Object.entries(hashesOf(prompts)).map(([name, hash]) => `${name} ${hash.slice(0, 6)}`);
  return hashes.length === 0 ? "standard prompts" : hashes.join(" ");
}

/** Returns the id of a run: 16 hexadecimal digits, equal for specs that are equal regardless of the order of their keys. */
export function runId(spec: RunSpec, predictions: Json = null): string {
  const { judging: _, prompts, judgePrompts, vary, ...identity } = hashedSpec(spec);
  const texts = {
    ...(vary && { vary: hashedVariant(vary) }),
    ...(prompts && { prompts: hashesOf(prompts) }),
    ...(judgePrompts && { judgePrompts: hashesOf(judgePrompts) }),
  };
  return hashOf(canonicalJson([{ ...identity, ...texts } as unknown as Json, predictions]));
}

const hashOf = (text: string): string => hash("sha256", text).slice(0, 16);

/** Returns prompts in the form that ids contain: the hash of each text. */
export const hashesOf = (prompts: OwnPrompts): OwnPrompts =>
  Object.fromEntries(Object.entries(prompts).map(([name, text]) => [name, hashOf(text)]));

/** Returns the same id for a run and for forks of it that change no setting. */
export function unchangedBy(spec: RunSpec): string {
  const { forks: _, fork: __, ...own } = spec;
  const { task } = spec.budget;
  return runId({ ...own, trial: 1, limit: 0, filter: {}, budget: task === undefined ? {} : { task } });
}

/** The hash of the code that defines each part, by the part's name; strategies by suite and name. Built-in parts are absent. */
export type OwnCode = {
  readonly suites: ReadonlyMap<string, string>;
  readonly strategies: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly environments: ReadonlyMap<string, string>;
};

/** Returns the user's code that determines a run's results; undefined if all of it is built in. */
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
