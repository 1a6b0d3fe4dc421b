/** Options of benchmarks with plans over toolkits, and functions that read them from a run. */
import type { Option, OptionValues } from "../option.ts";
import type { RunSpec } from "../types.ts";

/** Strategies that plan over toolkits if configured; Tool-Planner always does. */
const wrapped = ["react", "reflexion", "adaplanner", "dfsdt", "single-chain"];

/** Runs that plan over toolkits, and runs that act without them. */
export const inToolkits: readonly OptionValues[] = [
  { strategy: ["tool-planner"] },
  { strategy: wrapped, toolkits: ["on"] },
];
export const withoutToolkits: readonly OptionValues[] = [
  { strategy: ["toolchain-star"] },
  { strategy: wrapped, toolkits: ["off"] },
];

export const toolkitsOption: Option = {
  name: "toolkits",
  title: "Toolkits",
  values: ["off", "on"],
  default: "off",
  when: { strategy: wrapped },
  note: "The model first plans over toolkits, and then sees only their APIs (Table 4 of the paper); Tool-Planner always uses toolkits",
};

/** Returns whether a run plans over toolkits. */
export const usesToolkits = ({ strategy, options }: Pick<RunSpec, "options" | "strategy">): boolean =>
  strategy === "tool-planner" || options["toolkits"] === "on";

/** Servers accept at most this many functions. */
const mostRetrieved = 128;

/** Returns how many retrieved tools a model gets (`retrieve`), by default `fallback`. */
export function retrieved({ options }: Pick<RunSpec, "options">, fallback: number): number {
  const count = Number(options["retrieve"] ?? 0);
  return Number.isInteger(count) && count > 0 ? Math.min(count, mostRetrieved) : fallback;
}
