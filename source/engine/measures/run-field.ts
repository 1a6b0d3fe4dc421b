/** Settings and options of runs by name, for table columns and labels. */
import { createHash } from "node:crypto";
import type { RunRows } from "../analysis.ts";
import { effectiveOptions } from "./effective-settings.ts";
import { type Option, systemOption } from "../option.ts";
import { textLabel } from "../settings/label.ts";
import { roleText, writtenSetting } from "../settings/role-settings.ts";
import { variantName } from "../settings/varied.ts";
import { isFields, settingNamed, valueSettings } from "../run-settings.ts";
import type { SettingValue } from "../run-settings-rows.ts";

/** Returns the options that the suite of a run and its strategy add to the common settings. */
export function optionsOfRun({ suite, spec }: Pick<RunRows, "spec" | "suite">): readonly Option[] {
  const strategy = suite.strategies.find(({ name }) => name === spec.strategy);
  return [...suite.options, ...(strategy?.options ?? [])];
}

/**
 * Returns the names of all settings and options of a run, except its suite, and of fields whose values have names in its cell.
 */
export function fieldNames(run: NamedRun): readonly string[] {
  const options = optionsOfRun(run).map(({ name }) => name);
  const settings = valueSettings.map(({ name }): string => name).filter((name) => name !== "suite");
  return [...new Set(["model", "strategy", ...options, "shots", ...settings, ...Object.keys(run.named ?? {})])];
}

/** Returns the value as shown; undefined if the run has no such field or the option does not affect it. */
export function fieldValue(run: NamedRun, name: string): string | number | undefined {
  const named = run.named?.[name];
  if (named !== undefined) return named;
  const setting = valueSettings.find((each) => each.name === name);
  if (setting === undefined) {
    const value = effectiveOptions(run.spec, run.suite).get(name);
    if (value === undefined || !isProse(name)) return value;
    // It distinguishes groups, so texts with the same beginning must differ.
    return value === "" ? proseText(name, value) : `${proseText(name, value)} ${shortHash(value)}`;
  }
  if (setting.kind === "prompts") return promptNames(run.spec);
  if (setting.kind === "vary") return run.spec.vary && variantName(run.spec.vary);
  const value = writtenSetting(run.spec, setting.name);
  return value === undefined ? undefined : plainValue(value);
}

type NamedRun = Pick<RunRows, "spec" | "suite" | "named">;

/** Returns true if a run has this value; the value is a name or the value itself. */
export const hasValue = ({ spec, suite, named }: NamedRun, field: string, value: string): boolean =>
  named?.[field] === value ||
  String(fieldValue({ spec, suite }, field) ?? "none") === value ||
  (isProse(field) && effectiveOptions(spec, suite).get(field) === value);

/** Returns true if the values of an option are texts of several words, which are too long for labels. */
export const isProse = (name: string): boolean => name === systemOption.name || name === "rubric";

/** Returns such a text for labels. */
export const proseText = (name: string, value: string | number): string =>
  value === "" ? `no ${name}` : textLabel(String(value));

const shortHash = (value: string | number): string =>
  createHash("sha256").update(String(value)).digest("hex").slice(0, 6);

/** Returns the names of a run's own prompts with the first characters of their hashes; undefined without own prompts. */
function promptNames({ prompts, judgePrompts }: RunRows["spec"]): string | undefined {
  const own = Object.entries({ ...prompts, ...judgePrompts });
  if (own.length === 0) return undefined;
  return own.map(([name, text]) => `${name} ${shortHash(text)}`).join(" ");
}

export const fieldTitle = (runs: readonly Pick<RunRows, "spec" | "suite">[], name: string): string =>
  (settingNamed(name) ?? runs.flatMap(optionsOfRun).find((each) => each.name === name))?.title ?? name;

/** Returns the model of a run as figures name it. */
export const modelTitle = (run: NamedRun): string => run.named?.["model"] ?? run.spec.model;

function plainValue(value: SettingValue): string | number {
  if (typeof value === "string" || typeof value === "number") return value;
  if (isFields(value)) return "model" in value ? roleText(value) : JSON.stringify(value);
  return value.map((text) => JSON.stringify(text)).join(" ");
}
