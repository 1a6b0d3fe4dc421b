/** The files of the published data set, with what each is needed for. */
import type { DataFile } from "../../../source/engine/suite.ts";
import { languages } from "./aspects.ts";

const sets = ["test", "planning", "tool_creation", "tool_usage", "tool_usage_awareness"] as const;
const missing = ["tool_selection", "tool_creation_awareness"] as const;
const predictions = ["planning", "planning_judge", "tool_usage", "tool_usage_awareness"] as const;

/** Gzipped JSON Lines, one object a row; row `i` is the same sample in every file and both languages. */
export const dataFiles: readonly DataFile[] = [
  ...languages.flatMap((language): DataFile[] => [
    { path: `${language}/examples.json`, needed: `The worked examples in every prompt (${language})` },
    ...sets.map((set): DataFile => ({ path: `${language}/${set}.jsonl.gz`, count: 1000, of: "rows" })),
    ...missing.map((set): DataFile => ({
      path: `${language}/${set}.jsonl.gz`,
      count: 1000,
      of: "rows",
      optional: true,
      needed: `The published ${set} tasks; without it they are home-made from the base file and labelled so`,
    })),
  ]),
  ...["gpt-4", "gpt-3.5"].flatMap((model) =>
    predictions.map((task): DataFile => ({
      path: `predictions/en/${model}/${task}.jsonl.gz`,
      count: 1000,
      of: "predictions",
      optional: true,
      needed: `Rebuilding the published numbers of ${model}`,
    })),
  ),
];
