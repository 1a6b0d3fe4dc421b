/**
 * The fields of the set-up form: at least one for each row of the settings table, and one for each option that applies.
 */
import { type Option, systemOption } from "../../engine/option.ts";
import { isFields } from "../../engine/run-settings.ts";
import { runSettings, type Setting, settingGroups, type SettingValue } from "../../engine/run-settings-rows.ts";
import { mostOf } from "../../engine/session/fields/setting-value.ts";
import type { Suite } from "../../engine/suite.ts";
import { printable, width as widthOf } from "../../engine/text/printable.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import type { Choice } from "../input/choice-list.tsx";
import {
  type ReadText,
  readFacet,
  readJsonFields,
  readPromptFiles,
  readModel,
  readNumber,
  readRoleText,
  readTexts,
  readVariants,
  readWhole,
  shownTexts,
} from "./field-text.ts";
import { type FormValues, optionsOf, rolesOf, strategiesOf, suiteOf } from "./form-values.ts";
import type { Role } from "../../engine/types.ts";

export type Field = {
  readonly name: string;
  readonly title: string;
  readonly choices: readonly Choice[];
  /** True if several values may be chosen, which make a grid or, in a filter, select the tasks of each value. */
  readonly several: boolean;
  /** The default as text. */
  readonly standard: string;
  /** The chosen value, and its text, if the cell does not contain it. */
  readonly taken?: readonly string[];
  readonly shown?: string;
  readonly note?: string | undefined;
  /** Reads typed text or the value of a choice. */
  readonly read: ReadText;
  /** True if values other than the choices may be typed. */
  readonly typed: boolean;
  /** True if commas separate several typed values; otherwise commas are part of a value. */
  readonly commas?: boolean;
};

/** The context that the fields depend on. */
type FormContext = {
  readonly suite: Suite;
  /** The file that contains the tasks; undefined if no file is named. */
  readonly from: string | undefined;
  readonly workbench: Workbench;
  readonly roles: ReadonlySet<string>;
  /** Fields whose map names maps. */
  readonly named: ReadonlySet<string>;
  /** True if a chosen strategy uses demonstrations. */
  readonly usesShots: boolean;
};

export function formFields(values: FormValues, workbench: Workbench): readonly Field[] {
  const suite = suiteOf(values, workbench.suites);
  if (suite === undefined) return [];
  const models = modelChoices(workbench);
  const from = values.get(suite.tasksFrom ?? "from")?.[0];
  const usesShots = strategiesOf(values, suite).some((strategy) => strategy.usesShots === true);
  const named = new Set(
    [...values].flatMap(([name, [value]]) => (value !== undefined && isFields(value) ? [name] : [])),
  );
  const file = from === undefined ? undefined : String(from);
  const context = { suite, from: file, workbench, roles: rolesOf(values, suite), usesShots, named };
  const [before, options] = [true, false].map((isSystem) =>
    optionsOf(values, suite)
      .filter(({ name }) => (name === systemOption.name) === isSystem)
      .flatMap((option) => (named.has(groupOf(option.name)) ? [] : [optionField(option, models)])),
  );
  const groups = [...new Set(optionsOf(values, suite).map(({ name }) => groupOf(name)))].filter((name) =>
    named.has(name),
  );
  const behind: Readonly<Record<string, readonly Field[] | undefined>> = {
    data: suite.generate === undefined ? [] : [generatedField],
    strategy: [...options!, ...groups.map((name) => namedField(name, name))],
    judge: before,
  };
  const settings: readonly Setting[] = runSettings;
  return settingGroups
    .flatMap((group) => settings.filter((setting) => setting.group === group))
    .flatMap((setting) => [...settingFields(setting, context), ...(behind[setting.name] ?? [])]);
}

/** Returns the fields of a setting; empty if it does not apply to this suite. */
function settingFields(setting: Setting, context: FormContext): readonly Field[] {
  const { suite, roles } = context;
  const { name, kind } = setting;
  if (kind === "facets" || kind === "limits") {
    if (context.named.has(name)) return [namedField(name, setting.title)];
    return kind === "facets" ? facetsOf(context).map(facetField) : limitFields();
  }
  // A suite takes its tasks either from a file of the session or from data of its own.
  if (suite.ofFile !== undefined && name === "data") return [];
  if ((name === "from" || name === "process") && (suite.ofFile === undefined || name !== (suite.tasksFrom ?? "from")))
    return [];
  if (setting.strategyRole === true && !roles.has(name)) return [];
  if (setting.most === "maxShots" && (suite.maxShots === 0 || !context.usesShots)) return [];
  if (name === "predictions" && (suite.predictions === undefined || suite.predictions.sumsOnly === true)) return [];
  return [settingField(setting, context)];
}

const groupOf = (option: string): string => (option.includes(".") ? option.slice(0, option.indexOf(".")) : "");

/** A map of maps by name, as JSON. */
const namedField = (name: string, title: string): Field => ({
  name,
  title,
  several: false,
  note: "a JSON object with one object per name",
  choices: [],
  standard: "none",
  read: readJsonFields,
  typed: true,
  commas: false,
});

/** Returns the facets of the tasks file once it is named. */
function facetsOf({ suite, from, workbench }: FormContext): Suite["facets"] {
  if (suite.ofFile === undefined) return suite.facets;
  return from === undefined ? [] : workbench.facetsOf(`${suite.name}/${from}`);
}

function settingField(setting: Setting, context: FormContext): Field {
  if (setting.name === "tools" && context.named.has("tools")) return namedField("tools", setting.title);
  const { name, title, kind, defaultTitle, note, single } = setting;
  const choices = choicesFor(setting, context);
  const standard = standardOf(setting, context);
  return {
    name,
    title,
    several: single !== true,
    note,
    choices,
    standard: defaultTitle ?? standard,
    read: readerFor(setting, context),
    typed: kind !== "name",
    commas: kind !== "texts" && kind !== "fields" && kind !== "prompts" && kind !== "vary",
  };
}

function standardOf(setting: Setting, { suite, workbench }: FormContext): string {
  const { name, default: standard } = setting;
  if (name === "suite") return suite.name;
  if (name === "data") {
    const data = workbench.dataOf(suite.name);
    return data.includes("published") ? "published" : (data[0] ?? "sample");
  }
  if (setting.names === "splits" || setting.names === "strategies") return suite[setting.names][0]?.name ?? "";
  return standard === undefined || (typeof standard === "object" && Object.keys(standard).length === 0)
    ? "none"
    : shownOne(standard);
}

function choicesFor(setting: Setting, { suite, workbench }: FormContext): readonly Choice[] {
  const { name, names, kind, choices = [] } = setting;
  // Settings that hold a model are named after its role.
  if (kind === "model") return modelChoices(workbench, name as Role);
  if (names === "suite")
    return workbench.suites.map(({ name: value, title, summary, paper, licence }) => ({
      value,
      title,
      // Own questions have no paper; their licence describes them.
      note: [summary, paper.title].filter((text) => (text ?? "") !== "").join("; ") || licence,
    }));
  if (names === "splits" || names === "strategies")
    return suite[names].map((each) => ({ value: each.name, title: each.name, note: each.title }));
  if (name === "data") return choicesOf(workbench.dataOf(suite.name));
  if (name === "from") return choicesOf(workbench.questionFiles());
  if (name === "process") return choicesOf(workbench.programs.processNames());
  if (name === "tools" && suite.takesTools === true)
    return choicesOf([...workbench.programs.toolNames(), ...(names as readonly string[])]);
  if (names !== undefined) return choicesOf(names);
  if (typeof setting.most === "string")
    return choicesOf(Array.from({ length: mostOf(setting, suite) + 1 }, (_, index) => index));
  return kind === "texts" ? choicesOf(choices.map((text) => [String(text)])) : choicesOf(choices);
}

function readerFor(setting: Setting, { suite }: FormContext): ReadText {
  const { kind, title, least = -Infinity } = setting;
  switch (kind) {
    case "model":
      return setting.ofRole === true ? readRoleText : readModel;
    case "whole":
      return readWhole(least, mostOf(setting, suite));
    case "number":
      return readNumber(least, mostOf(setting, suite));
    case "texts":
      return readTexts;
    case "fields":
      return readJsonFields;
    case "prompts":
      return readPromptFiles;
    case "vary":
      return readVariants;
    default:
      return (text) => (text.trim() === "" ? { problem: `Expected a value for ${title}` } : text.trim());
  }
}

/** This field is not part of the cell: choosing a value generates tasks and installs them. */
export const generatedField: Field = {
  name: "fresh",
  title: "Generate new tasks",
  choices: [60, 300, 4500].map((count) => ({ value: String(count), title: `${count} tasks`, note: "seed 0" })),
  several: false,
  standard: "as installed",
  note: "replaces the previously generated tasks; type COUNT SEED for another seed",
  read: (text) =>
    readGenerated(text) === undefined ? { problem: "Expected COUNT or COUNT SEED, such as 300 7" } : text.trim(),
  typed: true,
};

/** Reads the number of tasks and their seed. */
export function readGenerated(text: string): { readonly count: number; readonly seed: number } | undefined {
  const [count, seed = "0", ...more] = text.trim().split(/\s+/);
  const read = { count: Number(count), seed: Number(seed) };
  const fits =
    Number.isSafeInteger(read.count) &&
    read.count > 0 &&
    read.count <= 100_000 &&
    Number.isSafeInteger(read.seed) &&
    read.seed >= 0;
  return fits && more.length === 0 ? read : undefined;
}

function facetField({ name, title, order = [] }: Suite["facets"][number]): Field {
  const field = { name: `filter.${name}`, title: `Only ${title.toLowerCase()}`, choices: choicesOf(order) };
  return { ...field, several: true, commas: true, standard: "any", read: readFacet, typed: true };
}

/** Returns the fields for limits that end a task, or the whole run, early. */
function limitFields(): Field[] {
  const amounts = { steps: [10, 20, 50], tokens: [10_000, 100_000], seconds: [60, 300, 3600], cost: [0.1, 1, 10] };
  const ends = {
    task: "the task ends at this limit, and its last answer is scored",
    run: "the run stops at this limit and can be resumed",
  };
  return (["task", "run"] as const).flatMap((scope) =>
    Object.entries(amounts).map(([name, values]): Field => {
      const read: ReadText = (text) => {
        const value = readNumber(0, Infinity)(text);
        return value === 0 ? { problem: "Expected a number above 0" } : value;
      };
      const title = `Max ${name === "steps" ? "requests" : name} per ${scope}`;
      const note = name === "cost" ? "in the currency of the endpoint's prices" : ends[scope];
      const field = { name: `budget.${scope}.${name}`, title, note, read, typed: true };
      return { ...field, choices: choicesOf(values), several: false, standard: "no limit" };
    }),
  );
}

function optionField(
  { name, title, values, words = [], default: standard, note }: Option,
  models: readonly Choice[],
): Field {
  const field = { name, title, several: true, standard: String(standard) || "none", typed: true, commas: true, note };
  const wordOr =
    (other: ReadText): ReadText =>
    (text) =>
      words.includes(text.trim()) ? text.trim() : other(text);
  if (values === "number") {
    const choices = [...new Set([standard, ...words])];
    return { ...field, choices: choicesOf(choices), read: wordOr(readNumber(-Infinity, Infinity)) };
  }
  if (values === "model") {
    const real = models.filter(({ value }) => !value.startsWith("builtin/"));
    return { ...field, choices: [...choicesOf(words), ...real], read: wordOr(readModel) };
  }
  const choices = choicesOf(values !== "text" ? values : standard === "" ? [] : [standard]);
  return { ...field, choices, read: readFacet, typed: values === "text", commas: values !== "text" };
}

const choicesOf = (values: readonly SettingValue[]): Choice[] =>
  values.map((value) => ({ value: shownOne(value), title: shownOne(value) }));

/** Writes a value so that the form reads it again. */
export function shownOne(value: SettingValue): string {
  if (isFields(value)) return JSON.stringify(value);
  return typeof value === "object" ? shownTexts(value) : String(value);
}

/** Returns the value of a choice. */
export function valueOf({ read }: Field, choice: string): SettingValue {
  const value = read(choice);
  return typeof value === "object" && "problem" in value ? choice : value;
}

/** Returns a field's values as text: the chosen values, or the default in brackets. */
export function fieldText(field: Field, values: FormValues): { readonly text: string; readonly set: boolean } {
  if (field.shown !== undefined) return { text: field.shown, set: true };
  const own = values.get(field.name);
  if (own === undefined) return { text: `(${field.standard})`, set: false };
  return { text: own.map(shownOne).join(", "), set: true };
}

/** Returns how many tasks are available, if known, and how to execute all; empty for other fields. */
export function ofAvailable(field: Field, values: FormValues, available: readonly number[] = []): string {
  const [least, most] = [available[0], available.at(-1)];
  if (field.name !== "limit" || least === undefined || most === undefined) return "";
  const all = least === most ? String(least) : `${least} to ${most}`;
  const limits = (values.get("limit") ?? [0]).map(Number);
  return limits.every((limit) => limit === 0 || limit >= most) ? `  all ${all}` : `  of ${all}; 0 takes all`;
}

/** Width of titles, which are not truncated if half of the window is enough for them. */
export function titleColumns(fields: readonly Field[], width: number): number {
  const longest = Math.max(width < 100 ? 24 : 36, ...fields.map(({ title }) => widthOf(printable(title))));
  return Math.min(Math.max(24, width >> 1), longest);
}

/** Lists the models for a role; a model that only responds is not offered for planning or acting. */
export function modelChoices(workbench: Pick<Workbench, "modelNames">, role: Role = "model"): readonly Choice[] {
  const answers = role === "responder" || role === "judge";
  return workbench
    .modelNames()
    .filter((name) => answers || name !== "builtin/responder")
    .map((name) => ({ value: name, title: name, ...modelNote(name) }));
}

function modelNote(name: string): { note?: string } {
  if (name === "builtin/replay") return { note: "answers from a saved run" };
  return name.startsWith("builtin/") ? { note: "reads the answer key; needs no server" } : {};
}
