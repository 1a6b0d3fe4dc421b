/** The choices a suite and a strategy offer beyond the fixed fields of a run cell. */
import type { Suite } from "../suite.ts";
import type { Option, OptionValues } from "../option.ts";
import type { Strategy } from "../strategy.ts";
import type { Json, RunSpec } from "../types.ts";

/** The options of a suite and of one of its strategies, each once. */
export function optionsFor(suite: Suite, strategy: Strategy | undefined): readonly Option[] {
  const byName = new Map<string, Option>();
  for (const option of [...suite.options, ...(strategy?.options ?? [])]) {
    if (!byName.has(option.name)) byName.set(option.name, option);
  }
  return [...byName.values()];
}

type Given = Readonly<Record<string, string | number>>;

/** Whether an option applies beside these other values. */
export const applies = ({ when = {} }: Option, given: Given): boolean => holds(when, given);

/** Whether these are among the values; what has no value is no objection. */
export function holds(when: OptionValues, given: Given): boolean {
  return Object.entries(when).every(
    ([name, values]) => given[name] === undefined || values.includes(String(given[name])),
  );
}

/** What holds beside these other values where a cell says nothing. */
export function defaultOf({ default: standard, defaults = [] }: Option, given: Given): string | number {
  const own = defaults.find(({ when }) =>
    Object.entries(when).every(([name, values]) => values.includes(String(given[name]))),
  );
  return own?.value ?? standard;
}

/** A run's options as a cell has to write them: what is left out of a run because it was not a choice once, too. */
export function writtenOptions(suite: Suite, { options, strategy }: RunSpec): RunSpec["options"] {
  const former = optionsFor(
    suite,
    suite.strategies.find(({ name }) => name === strategy),
  ).flatMap((option) =>
    option.former !== undefined && applies(option, { ...options, strategy }) ? [[option.name, option.former]] : [],
  );
  return { ...(Object.fromEntries(former) as RunSpec["options"]), ...options };
}

/** A value as it stands in an error message. */
export function shown(value: Json | undefined): string {
  return value === undefined ? "nothing" : `\`${JSON.stringify(value)}\``;
}

/** Models of endpoints that a run's options name, each once. */
export function optionModels(suite: Suite, { options, strategy: name }: RunSpec): readonly string[] {
  const strategy = suite.strategies.find((each) => each.name === name);
  const named = optionsFor(suite, strategy).flatMap(({ name: option, values, words = [] }) => {
    const value = String(options[option] ?? "");
    return values !== "model" || value === "" || words.includes(value) || value.startsWith("onnx/") ? [] : [value];
  });
  return [...new Set(named)];
}
