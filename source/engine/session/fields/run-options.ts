/** The choices a suite and a strategy offer beyond the fixed fields of a run cell. */
import type { Suite } from "../../suite.ts";
import { optionsFor } from "../../option.ts";
import type { Json, RunSpec } from "../../types.ts";

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
