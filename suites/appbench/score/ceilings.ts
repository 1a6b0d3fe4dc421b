/** What perfect plans get where the published programs do not give them everything. */
import type { Ceiling } from "../../../source/engine/benchmark.ts";

const oneHit = "At most one hit per task is counted, and all its calls are divided by";
const sets = "Hits are counted as a set, lists with repeats are divided by";

export const ceilings: readonly Ceiling[] = [
  { measure: "official.f1-app", sample: 0.2925, why: oneHit },
  { measure: "official.f1-api", sample: 0.2925, why: oneHit },
  { measure: "official.argument-em", sample: 0.9906, why: "Calls of one API in a task overwrite each other" },
  { measure: "analysis.f1-app", sample: 0.6909, why: sets },
  { measure: "analysis.f1-api", sample: 0.9839, why: sets },
];
