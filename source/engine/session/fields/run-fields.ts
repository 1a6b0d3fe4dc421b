/** Reads and checks the fields of a run cell one by one, by the table of settings and the suite's options. */
import { givesFormat } from "../../run/reply-format.ts";
import { optionsFor, type Option, systemOption } from "../../option.ts";
import { isRecording } from "../../prediction.ts";
import { isFields, sameValue, settingNamed, settingSentAs } from "../../run-settings.ts";
import { type RequestFields, runSettings, type Setting, type SettingValue } from "../../run-settings-rows.ts";
import { promptsOf } from "../../settings/prompt-template.ts";
import type { Strategy } from "../../strategy.ts";
import type { Suite } from "../../suite.ts";
import type { ForkedRun, Json } from "../../types.ts";
import { type JointValue, namesJointly, optionGroups, readJointly } from "./joint-values.ts";
import { readForks, readMap } from "./map-fields.ts";
import { readNotebookText, readPrompts } from "./prompt-value.ts";
import { labelProblem, type NamedItem, namedItems, valueKey } from "./named-values.ts";
import { shown } from "./run-options.ts";
import { namesFile } from "./text-file.ts";
import { variedItems } from "./vary-value.ts";
import { isText, requestParts, settingValue, splitTools, Unfit, unfitText } from "./setting-value.ts";

export type RunFields = {
  /** The list of values for each setting and option that has one value per run. More than one value makes a grid. */
  readonly lists: ReadonlyMap<string, readonly SettingValue[]>;
  /** Names of values that the cell gives, by field and `valueKey`. */
  readonly names: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Fields whose values are maps of the settings that they set. */
  readonly joint: ReadonlySet<string>;
  /** The setting whose runs are pooled, if a field such as `repeats` requests pooling. */
  readonly pooled: string | undefined;
  /** The run that many forks leave. */
  readonly forks?: ForkedRun;
};
type Report = (field: string, message: string) => void;

/** `text` returns the text of a file of the notebook, or throws `Problem`; absent: there are no files. */
export function readFields(
  value: { readonly [key: string]: Json },
  suite: Suite,
  report: Report,
  text?: (file: string) => string,
): RunFields {
  const lists = new Map<string, readonly SettingValue[]>();
  const names = new Map<string, ReadonlyMap<string, string>>();
  const joint = new Set<string>();
  let pooled: string | undefined;
  const options = suiteOptions(suite);
  const forks = readForks(value["fork"]);
  const readOne = (name: string, item: Json, below: Report) =>
    readValue(name, item, options.get(name), { suite, value, report: below, text });
  for (const [name, written] of flattened(value, options)) {
    const setting = settingNamed(name);
    let given = written;
    if (namesJointly(name, written, { suite, options })) joint.add(name);
    else if (name === "tools" && suite.takesTools === true) {
      const { ways, names } = splitTools(written, settingNamed("tools")!.names as readonly string[]);
      if (names.length > 0) lists.set("toolServers", names);
      if (names.length > 0 && (ways as readonly Json[]).length === 0) continue;
      given = ways;
    }
    if (name === "rescue" || (name === "fork" && (forks !== undefined || written === null))) continue;
    if (setting === undefined && !options.has(name) && !joint.has(name)) {
      report(name, unknownName(name, [...options.keys()]));
      continue;
    }
    const items = joint.has(name)
      ? Object.entries(given as Fields).map(([label, item]) => ({ name: label, item }))
      : name === "vary"
        ? variedItems(given, text, report)
        : namedItems(name, given);
    if (items.length === 0) report(name, `Expected \`${name}\` to have a value, got an empty list`);
    const read = items.map((each) =>
      readItem(name, each, report, (item, below) =>
        joint.has(name) ? readJointly(name, item, readOne, below) : readOne(name, item, below),
      ),
    );
    const named = namesOf(items, read);
    if (named.size > 0) names.set(name, named);
    const values = distinct(read.filter((item) => item !== undefined));
    if (setting?.unhashed === true && values.length > 1)
      report(name, `Expected \`${name}\` to be one value, got ${shown(given)}`);
    if (setting?.pools === undefined) lists.set(name, values);
    else if (setting.pools in value) report(name, `Expected \`${name}\` or \`${setting.pools}\`, got both`);
    else if (values.length > 1) report(name, `Expected \`${name}\` to be one number, got ${shown(given)}`);
    else {
      lists.set(setting.pools, numbersTo(Number(values[0] ?? 1)));
      if (Number(values[0] ?? 1) > 1) pooled = setting.pools;
    }
  }
  checkTogether(lists, suite, value, report);
  return { lists, names, joint, pooled, ...(forks && { forks }) };
}

type Fields = { readonly [field: string]: Json };

const numbersTo = (most: number): readonly number[] => Array.from({ length: most }, (_, index) => index + 1);

const unknownName = (name: string, options: readonly string[]): string =>
  `Expected one of the fields ${[...runSettings.map((row) => row.name), ...options].join(", ")}, got \`${name}\``;

/**
 * Returns the values that runs of these fields may have for a setting, including values that are set together with other
 * settings.
 */
export function valuesOf({ lists, joint }: Pick<RunFields, "lists" | "joint">, name: string): readonly SettingValue[] {
  const together = [...joint].flatMap((field) =>
    (lists.get(field) as readonly JointValue[]).flatMap((each) => each[name] ?? []),
  );
  return [...(joint.has(name) ? [] : (lists.get(name) ?? [])), ...together];
}

/** Reads one value of a field; a mistake in a named value is reported with the path of its name. */
function readItem<Value>(
  field: string,
  { item, name }: NamedItem,
  report: Report,
  read: (item: Json, report: Report) => Value,
): Value {
  const problem = name === undefined ? undefined : labelProblem(field, name);
  if (problem !== undefined) report(field, problem);
  if (name === undefined) return read(item, report);
  return read(item, (path, message) => report(`${field}.${name}${path.slice(field.length)}`, message));
}

/** Returns the names of values by their keys: the cell's own, or the files of their texts. */
function namesOf(
  items: readonly NamedItem[],
  read: readonly (SettingValue | undefined)[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [index, value] of read.entries()) {
    const { item, name = fileName(item) } = items[index]!;
    if (value !== undefined && name !== undefined && !names.has(valueKey(value))) names.set(valueKey(value), name);
  }
  return names;
}

/** Returns the file of a text, or the prompts with files, which label a value without a name. */
function fileName(item: Json): string | undefined {
  if (typeof item === "string") return namesFile(item) ? item : undefined;
  const texts = item !== null && typeof item === "object" && !Array.isArray(item) ? Object.entries(item) : [];
  const isOfFiles = texts.length > 0 && texts.every(([, text]) => typeof text === "string" && namesFile(text));
  return isOfFiles ? texts.map(([name, file]) => `${name} ${String(file)}`).join(" ") : undefined;
}

/** Reports conflicting fields, and a missing model. */
function checkTogether(
  lists: RunFields["lists"],
  suite: Suite,
  value: { readonly [key: string]: Json },
  report: Report,
): void {
  checkSamples(lists, value, report);
  if (lists.has("vary") && lists.has("predictions"))
    report("vary", "Expected `vary` or `predictions`, got both: existing answers cannot be varied");
  const requests = (lists.get("request") ?? []).filter(isFields);
  if (lists.has("format") && requests.some(givesFormat))
    report("request", "Expected the format of replies in `request` or in `format`, got both");
  for (const fields of requests) reportOtherValues(fields, lists, report);
  const answers = (lists.get("predictions") ?? []).filter((file) => !isRecording(String(file)));
  if (answers.length > 0 && suite.predictions?.sumsOnly === true)
    report(
      "predictions",
      `Expected no \`predictions\` for \`${suite.name}\`: it scores labels, which are not tied to tasks; see \`planwright score ${suite.name}\``,
    );
  if (!lists.has("model") && !lists.has("predictions") && chosenStrategies(lists, suite).every(needsModel)) {
    report("suite", "Expected `model: ENDPOINT/NAME`, such as `builtin/oracle`, got none");
  }
}

/** Reports fields that a cell with samples cannot have, and fields that only such a cell can have. */
function checkSamples(lists: RunFields["lists"], value: { readonly [key: string]: Json }, report: Report): void {
  const picks = lists.get("pick") ?? [];
  if (!lists.has("samples")) {
    if (picks.length > 0) report("pick", "Expected `samples: NUMBER` with `pick`, got none");
    return;
  }
  const other = ["repeats", "trial", "predictions", "fork", "rescue"].find((name) => (value[name] ?? null) !== null);
  if (other !== undefined) report("samples", `Expected \`samples\` or \`${other}\`, got both`);
  if (picks.includes("judge") && !lists.has("judge"))
    report("pick", "Expected `judge: ENDPOINT/MODEL`, which picks the answer, got none");
}

/** Reports settings for which `request` contains another value than the setting's own field. */
function reportOtherValues(fields: RequestFields, lists: RunFields["lists"], report: Report): void {
  const { settings } = requestParts(fields);
  for (const [field, value] of Object.entries(fields)) {
    const name = settingSentAs(field)?.name;
    if (name === undefined) continue;
    const held = settings.get(name) ?? (value as SettingValue);
    const other = lists.get(name)?.find((own) => !sameValue(own, held));
    if (other === undefined) continue;
    const both = `${shown(other as Json)} and \`request: ${JSON.stringify({ [field]: value })}\``;
    report("request", `Expected one value for \`${name}\`, got ${both}`);
  }
}

const needsModel = ({ roles, mayLackModel }: Strategy) => roles.length > 0 && mayLackModel !== true;

/** Returns the strategies that a cell names, or the suite's first. */
function chosenStrategies(lists: RunFields["lists"], { strategies }: Suite): readonly Strategy[] {
  const named = lists.get("strategy");
  return named === undefined ? strategies.slice(0, 1) : strategies.filter(({ name }) => named.includes(name));
}

/** Returns the options of a suite and of all its strategies. */
export function suiteOptions(suite: Suite): ReadonlyMap<string, Option> {
  const all = [undefined, ...suite.strategies].flatMap((strategy) => optionsFor(suite, strategy));
  return new Map(all.map((option) => [option.name, option]));
}

/** Yields the fields of a cell, one by one: `clusters: {k: 4}` is the option `clusters.k`; maps of names stay whole. */
export function flattened(value: { readonly [key: string]: Json }, options: ReadonlyMap<string, Option>) {
  return Object.entries(value).flatMap(([name, given]): readonly (readonly [string, Json])[] => {
    const nested = optionGroups(options).has(name) && !namesJointly(name, given, { suite: {}, options });
    if (!nested || given === null || typeof given !== "object" || Array.isArray(given)) return [[name, given]];
    return Object.entries(given).map(([part, inner]) => [`${name}.${part}`, inner]);
  });
}

function distinct(values: readonly SettingValue[]): readonly SettingValue[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Returns the text of a file of the notebook, or throws `Problem`. */
type ReadText = (file: string) => string;

type Reading = {
  readonly suite: Suite;
  readonly value: { readonly [key: string]: Json };
  readonly report: Report;
  readonly text: ReadText | undefined;
};

/** Reads one value of a setting, an option or a list of tool servers. */
function readValue(name: string, item: Json, option: Option | undefined, reading: Reading): SettingValue | undefined {
  const setting = settingNamed(name);
  // Names of tool servers are separated from ways of calling them before.
  if (name === "toolServers") return String(item);
  if (setting !== undefined) return readSetting(setting, item, reading);
  if (option !== undefined) return readOption(option, item, reading.report, reading.text);
  return void reading.report(name, unknownName(name, [...suiteOptions(reading.suite).keys()]));
}

function readSetting(
  setting: Setting,
  item: Json,
  { suite, value: cell, report, text }: Reading,
): SettingValue | undefined {
  if (setting.kind === "facets" || setting.kind === "limits" || setting.kind === "fork")
    return readMap(setting.kind, item, { suite, report, text });
  if (setting.kind === "prompts") {
    const named = namedItems("strategy", cell["strategy"] ?? suite.strategies[0]!.name).map((each) => each.item);
    const strategies = suite.strategies.filter(({ name }) => named.includes(name));
    const templates = strategies.flatMap((strategy) => promptsOf(suite, strategy));
    return readPrompts(item ?? {}, { of: suite.name, templates, text }, report);
  }
  // Answers made elsewhere need no model: any name serves as a label.
  if (setting.name === "model" && cell["predictions"] !== undefined && isText(item)) return item;
  const value = settingValue(setting, item, suite);
  if (!(value instanceof Unfit)) return value;
  const { field, message } = unfitText(setting.name, value, item);
  return void report(field, message);
}

function readOption(
  option: Option,
  item: Json,
  report: Report,
  text: ReadText | undefined,
): string | number | undefined {
  // Some versions of YAML read a bare on/off/yes/no as a truth value; people mean the word.
  const value = typeof item === "boolean" ? (item ? "on" : "off") : item;
  const { name, values, words = [] } = option;
  if (values === "model") {
    const isModel = typeof value === "string" && /^[^/\s]+\/\S/.test(value) && !value.startsWith("builtin/");
    if (isModel || words.includes(String(value))) return String(value);
    const expected = [...words, "ENDPOINT/MODEL"].join(", ");
    return void report(name, `Expected \`${name}\` to be ${expected}, got ${shown(item)}`);
  }
  if (values === "number") {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (words.includes(String(value))) return String(value);
    return void report(name, `Expected \`${name}\` to be ${[...words, "a number"].join(", ")}, got ${shown(item)}`);
  }
  if (values === "text") {
    if (typeof value === "number") return value;
    if (typeof value === "string")
      return name === systemOption.name ? readNotebookText(name, value, text, report) : value;
    return void report(name, `Expected \`${name}\` to be text, got ${shown(item)}`);
  }
  const found = values.find((allowed) => String(allowed) === String(value));
  if (found !== undefined) return found;
  return void report(name, `Expected \`${name}\` to be one of ${values.join(", ")}, got ${shown(item)}`);
}
