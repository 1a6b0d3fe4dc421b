/** Options of benchmarks whose tools can be planned over in toolkits, and what a run's settings mean. */
import type { Option } from "../option.ts";
import type { RunSpec } from "../types.ts";

export const toolkitsOption: Option = {
  name: "toolkits",
  title: "Toolkits",
  values: ["off", "on"],
  default: "off",
  when: { strategy: ["react", "reflexion", "adaplanner", "dfsdt", "single-chain"] },
  note: "Plan over toolkits first, then see only their APIs (Table 4 of the paper); Tool-Planner always does",
};

/** Whether a run plans over toolkits. */
export const usesToolkits = ({ strategy, options }: Pick<RunSpec, "options" | "strategy">): boolean =>
  strategy === "tool-planner" || options["toolkits"] === "on";

/** More functions than this no server takes. */
const mostRetrieved = 128;

/** How many tools of many a model is given (`retrieve`), or `usual` where the run does not say. */
export function retrieved({ options }: Pick<RunSpec, "options">, usual: number): number {
  const count = Number(options["retrieve"] ?? 0);
  return Number.isInteger(count) && count > 0 ? Math.min(count, mostRetrieved) : usual;
}
