/** The choices a suite and a strategy offer beyond the fixed fields of a run cell. */
import type { Suite } from "../suite.ts";
import type { Option } from "../option.ts";
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

/** Whether an option applies beside these other values. */
export function applies(option: Option, given: Readonly<Record<string, string | number>>): boolean {
  return Object.entries(option.when ?? {}).every(
    ([name, values]) => given[name] === undefined || values.includes(String(given[name])),
  );
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
