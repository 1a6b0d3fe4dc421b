import type { RunRows } from "../../source/engine/analysis.ts";
import type { Clusters } from "../../source/engine/clusters.ts";
import { meanMeasure } from "../../source/engine/measures/measure.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { RunSpec } from "../../source/engine/types.ts";
import { bareSpec } from "../bare-spec.ts";
import { bareRow } from "../bare-row.ts";

const suite = {
  name: "toy",
  facets: [],
  measures: [meanMeasure("pass", { name: "pass", title: "Pass rate", mode: "official" })],
  errorKinds: [],
  strategies: [],
  options: [],
} as unknown as Suite;

/** A run whose tasks pass (1), fail (0) or have no score (undefined); task i took i calls, from 1. */
export function toyRun(from: {
  readonly label: string;
  readonly options?: RunSpec["options"];
  readonly strategy?: string;
  readonly passes?: readonly (number | undefined)[];
  readonly metrics?: Readonly<Record<string, number>>;
  readonly clusters?: Clusters;
}): RunRows {
  const { label, options = {}, strategy = "tool-planner", passes = [1, 0], metrics = {}, clusters } = from;
  const rows = passes.map((pass, index) =>
    bareRow(label, `task ${index + 1}`, {
      state: pass === undefined ? "failed" : "scored",
      score: pass === undefined ? undefined : { value: pass, metrics: { pass, ...metrics }, checks: [], errors: [] },
      failure: pass === undefined ? { kind: "model", message: "gone" } : undefined,
      calls: index + 1,
      toolCalls: 2,
      seconds: 0.5,
      to: 500,
    }),
  );
  const spec = bareSpec("toy", { strategy, model: "m", options });
  const base = { run: label, label, spec, suite, rows, warnings: [], readsAnswerKey: false };
  return { ...base, reported: { values: [], tables: [] }, ...(clusters === undefined ? {} : { clusters }) };
}
