/** Options of a suite and a strategy beyond the fixed fields of a run cell. */
import type { Suite } from "../../suite.ts";
import { optionsFor } from "../../option.ts";
import type { Json, RunSpec } from "../../types.ts";

/** Returns a value as error messages show it. */
export const shown = (value: Json | undefined) => (value === undefined ? "nothing" : `\`${JSON.stringify(value)}\``);

/** Returns the endpoint models that a run's options name, each once. */
export function optionModels(suite: Suite, { options, strategy: name }: RunSpec): readonly string[] {
  const strategy = suite.strategies.find((each) => each.name === name);
  const named = optionsFor(suite, strategy).flatMap(({ name: option, values, words = [] }) => {
    const value = String(options[option] ?? "");
    return values !== "model" || value === "" || words.includes(value) || value.startsWith("onnx/") ? [] : [value];
  });
  return [...new Set(named)];
}
