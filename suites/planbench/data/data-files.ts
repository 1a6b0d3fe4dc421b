/** Data of PlanBench are brought in by building: as cloned or reduced, whole or in part. */
import type { DataFile } from "../../../source/engine/suite.ts";

export const dataFiles: readonly DataFile[] = [{ path: "LICENSE", optional: true, needed: "the licence of the data" }];

/** In the reduced folder and in both trees of a clone; of results, `build` reads the queries. */
export const dataFolders: readonly string[] = [
  "instances",
  "prompts",
  "plan-bench/instances",
  "plan-bench/prompts",
  "llm_planning_analysis/instances",
  "llm_planning_analysis/prompts",
  "llm_planning_analysis/results",
];
