/** Data of PlanBench are brought in by building: as cloned or reduced, whole or in part. */
import type { DataFile } from "../../../source/engine/suite.ts";

export const dataFiles: readonly DataFile[] = [{ path: "LICENSE", optional: true, needed: "the licence of the data" }];
