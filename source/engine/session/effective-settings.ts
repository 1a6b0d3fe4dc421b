/** Which settings and options make a difference to a run: those that make none are no reason for another run. */
import { valueSettings, type Setting, type SettingValue } from "../run-settings.ts";
import type { Option, OptionValues } from "../option.ts";
import type { Strategy } from "../strategy.ts";
import type { Suite } from "../suite.ts";
import type { RunSpec } from "../types.ts";
import { applies, defaultOf, holds, optionsFor } from "./run-options.ts";

type Values = Readonly<Record<string, string | number>>;

/** The options that apply to a run, each with its value; `chosen` gives those that a cell names. */
export function appliedOptions(
  chosen: (name: string) => SettingValue | undefined,
  suite: Suite,
  strategy: Strategy,
): readonly { readonly option: Option; readonly value: string | number }[] {
  const given: Record<string, string | number> = { strategy: strategy.name };
  return optionsFor(suite, strategy).flatMap((option) => {
    if (!applies(option, given)) return [];
    const value = (chosen(option.name) as string | number | undefined) ?? defaultOf(option, given);
    given[option.name] = value;
    return [{ option, value }];
  });
}

/** Whether a setting or an option of this name makes a difference to such a run. Names of neither make one. */
export function effectOf({ options, strategy: name }: RunSpec, suite: Suite): (name: string) => boolean {
  const strategy = suite.strategies.find((each) => each.name === name);
  if (strategy === undefined) return () => true;
  const applied = appliedOptions((option) => options[option] ?? formerOf(option, suite, strategy), suite, strategy);
  const given: Values = {
    strategy: name,
    ...Object.fromEntries(applied.map(({ option, value }) => [option.name, value])),
  };
  const effective = new Set(applied.flatMap(({ option }) => (counts(option.effect, given) ? [option.name] : [])));
  const others = new Set(
    [undefined, ...suite.strategies].flatMap((each) => optionsFor(suite, each)).map((option) => option.name),
  );
  const settings = new Map<string, Setting>(valueSettings.map((setting) => [setting.name, setting]));
  return (each) => {
    const setting = settings.get(each);
    return setting === undefined ? effective.has(each) || !others.has(each) : matters(setting, strategy);
  };
}

/** What was left out of the run because it was no choice once. */
function formerOf(name: string, suite: Suite, strategy: Strategy): string | number | undefined {
  return optionsFor(suite, strategy).find((option) => option.name === name)?.former;
}

const counts = (effect: readonly OptionValues[] | undefined, given: Values): boolean =>
  effect === undefined || effect.some((when) => holds(when, given));

/** Models only where the strategy asks them, demonstrations where it shows them; nothing of a request where none is sent. */
function matters({ kind, most, name, sentAs }: Setting, { roles, usesShots }: Strategy): boolean {
  if (most === "maxShots") return usesShots === true;
  if (kind === "model" && name !== "judge") return roles.some((role) => role === name);
  return sentAs === undefined || name === "seed" || roles.length > 0;
}
