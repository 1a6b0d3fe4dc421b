/** A run's settings without any choice: tests state only what they need. */
import type { RunSpec } from "../source/engine/types.ts";

export function bareSpec(suite: string, more: Partial<RunSpec> = {}): RunSpec {
  return {
    suite,
    split: "all",
    data: "sample",
    filter: {},
    limit: 0,
    strategy: "direct",
    shots: 0,
    options: {},
    model: "builtin/oracle",
    temperature: 0,
    seed: 0,
    trial: 1,
    budget: {},
    suiteRevision: 1,
    strategyRevision: 1,
    ...more,
  };
}
