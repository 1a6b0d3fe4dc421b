/**
 * Aliases of a notebook's front matter, `alias: {small: lab/llama-3.1-8b, ReAct: react}`: names of models, agents and
 * strategies in figures and reports. Ids do not contain them, and rows and logs keep the real names.
 */
import { isRecord } from "../../text/json-record.ts";
import { agentOption } from "../../run/agents/agent-option.ts";
import { isFields, settingNamed } from "../../run-settings.ts";
import type { RequestFields, SettingValue } from "../../run-settings-rows.ts";
import { roleText } from "../../settings/role-settings.ts";
import type { Json } from "../../types.ts";
import { labelProblem } from "./named-values.ts";
import { shown } from "./run-options.ts";

/** Aliases by the real names. */
export type Aliases = ReadonlyMap<string, string>;

/** Reads the map of the front matter; `report` receives each mistake with its alias. */
export function readAliases(given: Json, report: (message: string, alias?: string) => void): Aliases {
  const aliases = new Map<string, string>();
  if (given === null) return aliases;
  if (!isRecord(given)) {
    report(`Expected \`alias\` to name models, agents and strategies, such as {small: lab/llama}, got ${shown(given)}`);
    return aliases;
  }
  for (const [alias, name] of Object.entries(given)) {
    const problem = labelProblem("alias", alias);
    if (problem !== undefined) report(problem, alias);
    else if (typeof name !== "string" || name.trim() === "")
      report(`Expected \`alias.${alias}\` to be a model, an agent or a strategy, got ${shown(name as Json)}`, alias);
    else if (aliases.has(name))
      report(`Expected one alias for \`${name}\`, got \`${aliases.get(name)!}\` and \`${alias}\``, alias);
    else aliases.set(name, alias);
  }
  return aliases;
}

/** Returns the alias of a field's value; undefined if the value has no alias. */
export function aliasOf(aliases: Aliases, field: string, value: SettingValue | undefined): string | undefined {
  if (aliases.size === 0 || value === undefined || !isNamed(field)) return undefined;
  if (typeof value === "string") return aliases.get(value);
  return isFields(value) ? aliasOfRole(aliases, value) : undefined;
}

const isNamed = (field: string): boolean =>
  field === "strategy" || field === agentOption.name || settingNamed(field)?.kind === "model";

/** Returns the alias of a role that has its own settings, or of several judges. */
function aliasOfRole(aliases: Aliases, { model, majority, ...own }: RequestFields): string | undefined {
  const models = (Array.isArray(majority) ? majority : [model]) as readonly string[];
  if (!models.some((name) => aliases.has(name))) return undefined;
  const named = models.map((name) => aliases.get(name) ?? name);
  return roleText({ ...(Array.isArray(majority) ? { majority: named } : { model: named[0] }), ...own });
}
