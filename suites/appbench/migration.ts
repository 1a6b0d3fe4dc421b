import type { Score } from "../../source/engine/types.ts";

/** Hashes of the sample and the published files in version 0.1.0. Runs on these data have no data set in their ids. */
export const knownData = {
  sample: "59e63baa3ac745fc",
  files: {
    "test_ss.json": "5814ab23ab895250",
    "test_sm.json": "93c6304a9e9fff46",
    "test_ms.json": "62ddc243bbc2f35a",
    "test_mm.json": "09db0654a5376bb2",
    "catalogue.json": "6d2d4ad54ba311bb",
  },
} as const;

/**
 * Returns whether version 0.1.0 computed a score, because it wrote no metrics of perfect plans; such rows have no ceiling until
 * they are scored again.
 */
export const lacksPerfectPlan = ({ metrics }: Score): boolean => metrics["paper.call_pred"] === undefined;
