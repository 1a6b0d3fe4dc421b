/** Options of a run cell: which APIs of the hub can be found for a question, and how they are grouped. */
import type { Option } from "../../../source/engine/option.ts";
import { actingOverToolkits } from "../../../source/engine/strategies/acting.ts";
import { clusterModelOptions, clusterOptions } from "../../../source/engine/toolkits/cluster-options.ts";
import { toolkitsOption, withoutToolkits } from "../../../source/engine/toolkits/toolkits-option.ts";

/** Default number of APIs that strategies with tool calls choose from, for `catalogue: same` and `catalogue: usual`. */
export const retrievedBySame = 50;
export const retrievedByUsual = 10;

export const options: readonly Option[] = [
  {
    name: "catalogue",
    title: "Catalogue",
    values: ["same", "usual"],
    default: "same",
    former: "usual",
    when: { strategy: actingOverToolkits.map(({ name }) => name) },
    note: `same: every strategy that acts chooses among the same APIs, toolkits are made of them too; usual: as in version 0.1.0, ${retrievedByUsual} for strategies without toolkits and the whole hub in toolkits`,
  },
  {
    name: "retrieve",
    title: "APIs retrieved",
    values: "number",
    words: ["all", "gold"],
    default: retrievedBySame,
    defaults: [
      { when: { strategy: ["direct"] }, value: 0 },
      { when: { catalogue: ["usual"] }, value: 0 },
    ],
    effect: [{ catalogue: ["same"] }, ...withoutToolkits],
    note: `Documents shown, or functions offered, the closest by shared words, at most 128; 0 means no documents for plain answers (zero-shot), and ${retrievedBySame} (usual: ${retrievedByUsual}) for strategies that act; all: the whole hub with every request, 94 to 936 functions; gold: the one asked for, as an oracle retriever finds it`,
  },
  toolkitsOption,
  ...clusterOptions,
  ...clusterModelOptions(),
];
