/** Settings of single roles: a run cell may name a role's model alone, or a map of the model and settings of its own. */
import {
  requestSettings,
  type RequestSettings,
  type RoleSettings,
  settingNamed,
  type SettledRole,
  unsentSettings,
} from "../run-settings.ts";
import type { RequestFields, SettingValue } from "../run-settings-rows.ts";
import type { Role, RunSpec } from "../types.ts";

/**
 * Maximum tokens of a judge's reply if the cell sets no `maxTokens`, because a short limit of the run must not truncate verdicts.
 */
const judgeTokens = 4096;

/** Returns the sampling settings of a judge: only its own, never the run's. */
export function judgeSampling(own: RoleSettings | undefined, temperature = 0): RoleSettings {
  return { temperature, maxTokens: judgeTokens, ...own };
}

/** Settings that a role's requests are sent with. */
export type Sampling = RequestSettings & { readonly request?: RequestFields };

/**
 * Returns the settings of a role's requests: its own settings, and the run's settings for all others. If the run records its
 * judge's sampling settings, the judge gets only these; in older runs it had the run's settings.
 */
export function samplingOf(spec: RunSpec, role: Role): Sampling {
  if (role === "judge" && spec.judging !== undefined) return spec.judging;
  const own = role === "model" ? undefined : spec.roles?.[role];
  const unsent: readonly string[] = unsentSettings(spec);
  const named = new Set(Object.keys(own?.request ?? {}));
  const ofRun = requestSettings.flatMap(({ name, sentAs }) =>
    spec[name] === undefined || unsent.includes(name) || named.has(sentAs) ? [] : [[name, spec[name]] as const],
  );
  const request = spec.request === undefined ? {} : { request: spec.request };
  return { ...(Object.fromEntries(ofRun) as RequestSettings), ...request, ...own };
}

/** Returns the spec without a role's own settings. */
export function withoutRole<Spec extends Pick<RunSpec, "roles">>(spec: Spec, role: SettledRole): Spec {
  if (spec.roles?.[role] === undefined) return spec;
  const { roles, ...rest } = spec;
  const kept = Object.entries(roles).filter(([name]) => name !== role);
  return { ...rest, ...(kept.length > 0 && { roles: Object.fromEntries(kept) }) } as Spec;
}

/** Returns a setting as a cell writes it: a role with settings of its own as a map that begins with its model. */
export function writtenSetting(spec: RunSpec, name: string): SettingValue | undefined {
  const value = (spec as unknown as Readonly<Record<string, SettingValue | undefined>>)[name];
  const own = settingNamed(name)?.ofRole === true ? spec.roles?.[name as SettledRole] : undefined;
  if (name === "judge" && spec.judges !== undefined) return { majority: spec.judges, ...own };
  return own === undefined ? value : { model: value, ...own };
}

/** Returns a role's map as text for labels and tables, such as `lab/judge (temperature 0.2; maxTokens 512)`. */
export function roleText({ model, majority, ...own }: RequestFields): string {
  const name = Array.isArray(majority) ? `majority of ${majority.join(" ")}` : String(model);
  const texts = Object.entries(own).map(
    ([name, value]) => `${name} ${typeof value === "number" ? value : JSON.stringify(value).replaceAll(",", " ")}`,
  );
  return texts.length === 0 ? name : `${name} (${texts.join("; ")})`;
}
