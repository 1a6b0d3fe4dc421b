/** Determines which settings and options affect a run. A change of any other does not require another run. */
import { formerValue } from "../migration/run-options.ts";
import { valueSettings } from "../run-settings.ts";
import type { Setting, SettingValue } from "../run-settings-rows.ts";
import { applies, defaultOf, makesDifference, optionsFor } from "../option.ts";
import type { Strategy } from "../strategy.ts";
import type { Suite } from "../suite.ts";
import type { RunSpec } from "../types.ts";

type Named = Pick<Strategy, "name" | "options"> & Partial<Pick<Strategy, "roles">>;
type Values = Readonly<Record<string, string | number>>;

/** Returns the options that apply to a run with their values; `chosen` returns the values set in a cell. */
export function appliedOptions(
  chosen: (name: string) => SettingValue | undefined,
  suite: Pick<Suite, "options">,
  strategy: Named,
) {
  const given: Record<string, string | number> = { strategy: strategy.name };
  return optionsFor(suite, strategy).flatMap((option) => {
    if (!applies(option, given)) return [];
    const value = (chosen(option.name) as string | number | undefined) ?? defaultOf(option, given);
    given[option.name] = value;
    return [{ option, value }];
  });
}

type Effective = ReadonlyMap<string, string | number>;

/** Effects by run, cached because tables request each field of each run; suites and specs do not change. */
const known = new WeakMap<RunSpec, { readonly suite: Suite; readonly effective: Effective }>();

/** Returns the options that affect such a run, with their values; an option that no longer exists is assumed to affect it. */
export function effectiveOptions(spec: RunSpec, suite: Suite): Effective {
  const before = known.get(spec);
  if (before?.suite === suite) return before.effective;
  const effective = optionsWithEffect(spec, suite);
  known.set(spec, { suite, effective });
  return effective;
}

function optionsWithEffect(spec: RunSpec, suite: Suite): Effective {
  const { options, strategy: name } = spec;
  const strategy: Named = suite.strategies.find((each) => each.name === name) ?? { name };
  const own = optionsFor(suite, strategy);
  // An option missing from the spec has the value that applied before the option existed.
  const applied = appliedOptions((option) => options[option] ?? formerValue(own, option), suite, strategy);
  const given: Values = {
    strategy: name,
    judge: spec.judge ?? "none",
    ...Object.fromEntries(applied.map(({ option, value }) => [option.name, value])),
  };
  const offered = offeredBy(suite);
  return new Map([
    ...Object.entries(options).filter(([option]) => !offered.has(option)),
    ...applied.flatMap(({ option, value }) => (makesDifference(option, given) ? [[option.name, value] as const] : [])),
  ]);
}

/** Returns the option names of a suite and all its strategies. */
function offeredBy(suite: Suite): ReadonlySet<string> {
  const all = [undefined, ...suite.strategies].flatMap((strategy) => optionsFor(suite, strategy));
  return new Set(all.map(({ name }) => name));
}

/** True if a setting or option of this name affects such a run; unknown names always do. */
export function effectOf(spec: RunSpec, suite: Suite): (name: string) => boolean {
  const strategy = suite.strategies.find((each) => each.name === spec.strategy);
  const effective = effectiveOptions(spec, suite);
  const offered = offeredBy(suite);
  const settings = new Map<string, Setting>(valueSettings.map((setting) => [setting.name, setting]));
  return (name) => {
    const setting = settings.get(name);
    if (setting === undefined) return effective.has(name) || !offered.has(name);
    return strategy === undefined || matters(setting, strategy);
  };
}

/**
 * True if a setting affects the run: a model if the strategy calls its role, demonstrations if the strategy shows them, and
 * request settings if it sends requests.
 */
function matters({ kind, most, name, sentAs }: Setting, { roles, usesShots }: Strategy): boolean {
  if (most === "maxShots") return usesShots === true;
  if (kind === "prompts" || kind === "vary") return roles.length > 0;
  if (kind === "model" && name !== "judge") return roles.some((role) => role === name);
  return sentAs === undefined || name === "seed" || roles.length > 0;
}
