/** Executes a loaded suite without a model: the answers a built-in model would give, as rows. */
import { appbench } from "../../../suites/appbench/index.ts";
import { evaluate } from "../../../source/engine/measures/measure.ts";
import type { RunRows } from "../../../source/engine/analysis.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Json, Row, Score, Task } from "../../../source/engine/types.ts";
import type { AppTask } from "../../../suites/appbench/data/gold.ts";
import { openSuite } from "../../../suites/appbench/loaded-suite.ts";
import { shared } from "../../shared.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";

export const spec = bareSpec("appbench", { data: "published", options: { prompting: "hierarchical" }, seed: 1 });

export function openPublished(): Promise<LoadedSuite<AppTask, "stages">> {
  return openSuite(appbench, { folder: shared("data", "appbench"), data: "published" });
}

export function scoreAnswer<T extends Task>(loaded: LoadedSuite<T>, task: T, answer: Json): Promise<Score> {
  const signal = new AbortController().signal;
  return loaded.score(task, { answer, steps: [], failure: undefined }, { spec, signal });
}

/** The direct strategy's answer if both stages return these texts. */
export function staged(apps: string, plan: string): Json {
  return { output: plan, stages: { apps, plan } };
}

export function askedFor(stage: string) {
  return { role: "model", stage, messages: [], tools: [], spec } as const;
}

/** The answer of a run with the oracle. */
export function perfectAnswer<T extends Task>(loaded: LoadedSuite<T>, task: T): Json {
  return staged(loaded.oracle!(task, askedFor("apps")).text, loaded.oracle!(task, askedFor("plan")).text);
}

export function rowOf(task: Task, score: Score): Row {
  return bareRow("run", task.id, { question: task.question, facets: task.facets, score, calls: 2 });
}

/** A run of this suite without rows. */
export const emptyRun: RunRows = {
  run: "run",
  label: "run",
  spec,
  suite: appbench,
  rows: [],
  reported: { values: [], tables: [] },
  warnings: [],
  readsAnswerKey: false,
};

/** A measure of this suite over rows, in percent to two decimals. */
export function percent(name: string, rows: readonly Row[]): number | undefined {
  const measure = appbench.measures.find((candidate) => candidate.name === name);
  if (measure === undefined) throw new Error(`No measure ${name}`);
  const { value } = evaluate(measure, rows);
  return value === undefined ? undefined : Math.round(value * 10_000) / 100;
}
