/** Two runs compared task by task, as the cell of a notebook does it, beside version 0.1.0. */
import { join } from "node:path";
import { compare } from "../analyses/compare.ts";
import { appbench } from "../suites/appbench/index.ts";
import { randomFrom } from "../source/engine/statistics/random.ts";
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Suite } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { bareRow } from "../test/bare-row.ts";
import { bareSpec } from "../test/bare-spec.ts";
import { builtFirstVersion } from "./first-version.ts";
import type { Bench, LeftOut, Measurement, Reference } from "./measurement.ts";

/** Seconds of version 0.1.0, and what is wanted. */
const sizes = [
  { tasks: 14_000, goal: 0.05 / 1.3 },
  { tasks: 143_000, goal: 0.3 / 21.5 },
];

export const bench: Bench = async () => {
  const first = builtFirstVersion();
  const before = "leftOut" in first ? undefined : await versionIn(first.folder);
  return sizes.flatMap(({ tasks, goal }): Measurement[] => {
    const ours = timeOf({ compare, appbench }, tasks);
    const beside = before === undefined ? (first as LeftOut) : { of: first.of, value: timeOf(before, tasks) };
    return [{ what: `two runs compared, ${tasks} tasks`, ours, unit: "ms", beside, goal, bound: leastFor(tasks) }];
  });
};

/** An analysis, and the suite whose measures it reads: measures have another form in each version. */
type Version = { readonly compare: Analysis; readonly appbench: Suite };

async function versionIn(folder: string): Promise<Version> {
  const { compare } = (await import(join(folder, "analyses", "compare.ts"))) as Pick<Version, "compare">;
  const { appbench } = (await import(join(folder, "suites", "appbench", "index.ts"))) as Pick<Version, "appbench">;
  return { compare, appbench };
}

/** Both values of each task looked at once. */
function leastFor(tasks: number): Reference {
  const [before, after] = [rows("one", tasks), rows("other", tasks)];
  const value = ({ score }: Row) => score!.metrics["official.total_match"]!;
  const from = performance.now();
  let flips = 0;
  for (let at = 0; at < tasks; at++) flips += value(before[at]!) === value(after[at]!) ? 0 : 1;
  if (flips === 0) throw new Error("Expected runs that differ, got none");
  return { of: "each value looked at once", value: performance.now() - from };
}

/** In milliseconds. */
function timeOf({ compare, appbench: suite }: Version, tasks: number): number {
  const runs = ["one", "other"].map((label): RunRows => ({
    run: label,
    label,
    spec: bareSpec("appbench"),
    suite,
    rows: rows(label, tasks),
    reported: { values: [], tables: [] },
    warnings: [],
    readsAnswerKey: false,
  }));
  const given = [
    runs,
    { metric: "official.success", measures: "official.success", before: "one", after: "other", by: "category" },
    { after: ["other"] },
  ] as const;
  const from = performance.now();
  const figures = compare.compute(...given);
  if (figures.length === 0) throw new Error("Expected tables of two runs, got none");
  return performance.now() - from;
}

function rows(run: string, tasks: number): readonly Row[] {
  const random = randomFrom(run);
  return Array.from({ length: tasks }, (_, index) => {
    const value = random() < 0.6 ? 1 : 0;
    const score = { value, metrics: { "official.total_match": value }, checks: [], errors: [] };
    return bareRow(run, `t${index}`, {
      question: `Question ${index}`,
      facets: { category: ["SS", "SM", "MS", "MM"][index % 4]! },
      score,
    });
  });
}
