/** Options of a run cell: which APIs can be found, how they are grouped, and how calls are answered. */
import { type Option, withoutJudge } from "../../../source/engine/option.ts";
import { clusterModelOptions, clusterOptions } from "../../../source/engine/toolkits/cluster-options.ts";
import { toolkitsOption, withoutToolkits } from "../../../source/engine/toolkits/toolkits-option.ts";
import { usualReference } from "../data/reference-file.ts";

export const options: readonly Option[] = [
  {
    name: "catalogue",
    title: "Catalogue",
    values: ["usual", "query", "solvable", "pool", "all"],
    default: "usual",
    note: "Which APIs can be found: the query's own list, those of all solvable queries, a stand-in for the paper's pool, everything; usual is the pool for Tool-Planner and the query's list for the others",
  },
  {
    name: "retrieve",
    title: "APIs retrieved",
    values: "number",
    default: 10,
    when: { catalogue: ["solvable", "pool", "all"] },
    effect: withoutToolkits,
    note: "How many APIs of a wider catalogue a model without toolkits is given, the closest by shared words",
  },
  toolkitsOption,
  ...clusterOptions,
  ...clusterModelOptions({
    note: "; library: toolkits/<catalogue>.jsonl in the data folder, as `planwright cluster` writes it",
  }),
  {
    name: "server",
    title: "Calls not in the cache",
    values: ["cache", "simulate"],
    default: "cache",
    note: "cache: they fail with status 12; simulate: the responder model simulates the server",
  },
  {
    name: "cache.match",
    title: "Cached arguments",
    values: ["values", "text"],
    default: "values",
    note: "text: by Python's text alone, as the official server does",
  },
  {
    name: "errors",
    title: "Kinds of errors",
    values: ["rules", "judge"],
    default: "rules",
    noEffect: withoutJudge,
    scoring: true,
    note: "judge: the judge names the kind of each error, and its agreement with the rules is counted",
  },
  {
    name: "reference",
    title: "Win rate against",
    values: "text",
    default: usualReference,
    quiet: true,
    noEffect: withoutJudge,
    note: "usual: the published answers of GPT-3.5 with ReAct, there for 6 of the 765 queries (the sample has its own); NAME: a run of your own, references/NAME.jsonl in the data folder, as `planwright export --format toolbench` writes it",
  },
  { name: "cache.fuzzy", title: "Nearest cached response", values: ["off", "on"], default: "off" },
];
