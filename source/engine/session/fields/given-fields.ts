/**
 * Fields given to run cells in addition to their own: the defaults of the notebook's front matter, and fields set by one command.
 * They are resolved before any other code reads a cell.
 */
import { settingNamed, settingSentAs } from "../../run-settings.ts";
import { runSettings, type Setting } from "../../run-settings-rows.ts";
import type { Suite } from "../../suite.ts";
import { similarName } from "../../text/similar-name.ts";
import type { Json } from "../../types.ts";
import { fileSuite } from "../file-suite.ts";
import type { Aliases } from "./aliases.ts";
import { gridItems } from "./named-values.ts";
import { flattened, readFields, suiteOptions } from "./run-fields.ts";
import { shown } from "./run-options.ts";

export type Fields = { readonly [field: string]: Json };

/** The fields given to a run cell, in layers of rising precedence; the cell's own fields come just before `replaced`. */
export type GivenFields = {
  /** From the front matter: used unless the cell sets the field. */
  readonly defaults: Fields;
  /** From the command: used instead of those defaults. */
  readonly set: Fields;
  /** Fields from the command for this cell, which replace the cell's own fields. */
  readonly replaced: Fields;
  /** Names of models, agents and strategies in figures and reports. Absent: there are none. */
  readonly aliases?: Aliases;
  /** Why no run can be planned: defaults with a mistake would give a different run. */
  readonly problem?: string;
};

/**
 * A value that is not in a cell's text under the field's own name, and its source: the front matter, the command, the installed
 * data or their lack of tasks, or a field of `request`.
 */
export type FilledIn = {
  readonly field: string;
  readonly value: Json;
  readonly from: "defaults" | "command" | "installed" | "lacking" | "request";
  /** The missing part of the installed data, if `from` is `lacking`. */
  readonly because?: string;
};

/**
 * Combines a cell's fields with those given to it, options by dotted names. Omits defaults of other suites' options, and a model
 * for strategies that use none. Also omits all defaults in a fork, which has the settings of its original run, and for answers
 * made by other programs, whose settings this notebook does not determine.
 */
export function resolveFields(own: Fields, { defaults, set, replaced }: GivenFields, suite: Suite) {
  const options = suiteOptions(suite);
  const isSettled = isSingleFork(own["fork"]) || own["predictions"] !== undefined;
  const layers = [
    { given: isSettled ? {} : defaults, from: "defaults", shared: true },
    { given: isSettled ? {} : set, from: "command", shared: true },
    { given: own, from: "cell", shared: false },
    { given: replaced, from: "command", shared: false },
  ] as const;
  const found = new Map<string, { readonly value: Json; readonly layer: (typeof layers)[number] }>();
  for (const layer of layers) {
    for (const [name, value] of flattened(layer.given, options)) {
      if (layer.shared && !knows(suite, name)) continue;
      const isOfGroup = (other: string) => other.startsWith(`${name}.`) || name.startsWith(`${other}.`);
      for (const [other, { layer: before }] of found) if (isOfGroup(other) && before !== layer) found.delete(other);
      // Two rivals in one layer are a mistake, which is reported when the fields are read.
      for (const rival of rivals(name, value)) if (found.get(rival)?.layer !== layer) found.delete(rival);
      const request = found.get("request");
      if (request !== undefined && request.layer !== layer)
        found.set("request", { ...request, value: withoutSetting(request.value, name) });
      found.set(name, { value, layer });
    }
  }
  if (found.get("model")?.layer.shared === true && asksNobody(suite, found.get("strategy")?.value))
    found.delete("model");
  return {
    fields: Object.fromEntries([...found].map(([field, { value }]) => [field, value])),
    filledIn: [...found].flatMap(([field, { value, layer }]) =>
      layer.from === "cell" ? [] : [{ field, value, from: layer.from }],
    ),
  };
}

/** Returns true for a fork of a single saved run. Forks of another cell's runs take those runs' settings as defaults. */
const isSingleFork = (fork: Json | undefined): boolean =>
  fork !== undefined && !(typeof fork === "object" && fork !== null && "of" in fork);

/** Returns whether these strategies of a suite, one or a list, are all baselines without a model. */
function asksNobody({ strategies }: Suite, named: Json | undefined): boolean {
  const names = Array.isArray(named) ? (named as readonly Json[]) : [named];
  return names.every((name) => strategies.find((strategy) => strategy.name === name)?.roles.length === 0);
}

/** Returns the value of `request`, a map or a list of maps, without the field under which this setting is sent. */
function withoutSetting(request: Json, name: string): Json {
  const without = (item: Json): Json => {
    if (item === null || typeof item !== "object" || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).filter(([field]) => settingSentAs(field)?.name !== name));
  };
  return Array.isArray(request) ? (request as readonly Json[]).map(without) : without(request);
}

/**
 * Returns fields with the same meaning, only one of which a cell may contain: `repeats` and `trial`, and settings and their
 * fields in `request`.
 */
export function rivals(name: string, value: Json | undefined): readonly string[] {
  if (name === "request" && value !== undefined)
    return gridItems(name, value).flatMap((item) =>
      Object.keys(item ?? {}).flatMap((field) => settingSentAs(field)?.name ?? []),
    );
  const settings: readonly Setting[] = runSettings;
  return settings.flatMap((setting) =>
    setting.pools === name
      ? [setting.name]
      : setting.name === name && setting.pools !== undefined
        ? [setting.pools]
        : [],
  );
}

/** Returns the problem of a field for run cells of these suites; undefined if it is valid for one of them. */
export function fieldProblem(name: string, value: Json, suites: readonly Suite[]): string | undefined {
  if (settingNamed(name)?.kind === "fork") return `Expected a field that several cells can share, got \`${name}\``;
  if (name === "suite") {
    const names = suites.map((suite) => suite.name);
    if (names.includes(String(value)) || fileSuite(String(value), suites).family !== undefined) return undefined;
    return `Expected \`suite\` to be one of ${names.join(", ")}, got ${shown(value)}`;
  }
  const knowing = suites.filter((suite) => knows(suite, name));
  if (knowing.length === 0) return unknownField(name, suites);
  // The facets of a file's tasks are known once the file is read.
  if (name === "filter" && knowing.some(({ ofFile }) => ofFile !== undefined)) return undefined;
  let first: string | undefined;
  for (const suite of knowing) {
    const problems: string[] = [];
    readFields({ [name]: value }, suite, (field, message) => field !== "suite" && problems.push(message));
    if (problems.length === 0) return undefined;
    first ??= problems[0];
  }
  return first;
}

/** Returns whether run cells of a suite can have the field. `clusters` stands for all options that start with `clusters.`. */
function knows(suite: Suite, name: string): boolean {
  if (settingNamed(name) !== undefined) return true;
  return [...suiteOptions(suite).keys()].some((option) => option === name || option.startsWith(`${name}.`));
}

/** Returns whether any run cell has such a field. */
export const isField = (name: string, suites: readonly Suite[]): boolean => suites.some((suite) => knows(suite, name));

export function unknownField(name: string, suites: readonly Suite[]): string {
  const options = suites.flatMap((suite) => [...suiteOptions(suite).keys()]);
  const shared = (runSettings as readonly Setting[]).filter(({ kind }) => kind !== "fork");
  const known = [...shared.map((setting) => setting.name), ...options];
  const similar = similarName(name, known);
  const instead = similar === undefined ? `(${[...new Set(known)].join(", ")})` : `(did you mean \`${similar}\`?)`;
  return `Expected a field of a run cell ${instead}, got \`${name}\``;
}

/** Names for the source of a value. */
export const givers = {
  defaults: "from the notebook's defaults",
  command: "from the command",
  request: "from `request`",
} as const;

/** Returns the values filled into a cell as text, one line per source; `brief` omits values that the notebook's text contains. */
export function filledInTexts(filledIn: readonly FilledIn[], brief = false): readonly string[] {
  return [...Map.groupBy(filledIn, ({ from, because = "" }) => `${from} ${because}`).values()].map((fields) => {
    const { from, because } = fields[0]!;
    const texts = fields.map(
      ({ field, value }) => `${field}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    if (from === "lacking") return `${texts.join(", ")}, as ${because}`;
    if (brief && from === "defaults") return `${givers[from]}: ${fields.map(({ field }) => field).join(", ")}`;
    if (from !== "installed") return `${givers[from]}: ${texts.join(", ")}`;
    if (fields.some(({ value }) => value === "own")) return "your own questions";
    const isSample = fields.some(({ value }) => value === "sample");
    return `${texts.join(", ")}, as published data are ${isSample ? "not " : ""}installed`;
  });
}
