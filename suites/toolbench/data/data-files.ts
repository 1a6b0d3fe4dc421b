/** The published files this suite reads, as `planwright data add toolbench` looks for them. */
import type { DataFile } from "../../../source/engine/suite.ts";

const sets: readonly (readonly [string, number])[] = [
  ["G1_instruction", 163],
  ["G1_category", 153],
  ["G1_tool", 158],
  ["G2_instruction", 106],
  ["G2_category", 124],
  ["G3_instruction", 61],
];

export const dataFiles: readonly DataFile[] = [
  ...sets.map(([set, count]): DataFile => ({ path: `solvable_queries/${set}.jsonl.gz`, count, of: "queries" })),
  {
    path: "catalogue/apis.jsonl.gz",
    count: 47_187,
    of: "APIs",
    optional: true,
    needed: "catalogue scopes solvable, pool and all",
  },
  { path: "catalogue/tools.jsonl.gz", count: 10_599, of: "tools", needed: "prompts describe the tools" },
  {
    path: "response_cache/solvable_cache.jsonl.gz",
    count: 28_958,
    of: "responses",
    optional: true,
    needed: "answers of the virtual server; without it every call needs a simulator model",
  },
  ...sets.map(([set]): DataFile => ({
    path: `examples/reference_gpt35_cot/${set}.json.gz`,
    optional: true,
    needed: "win rate against the reference",
  })),
];
