/** Rows of a benchmark made for tests, few enough to compute every number of a figure by hand. */
import type { RunRows } from "../../source/engine/analysis.ts";
import { meanMeasure, ratioMeasure } from "../../source/engine/measures/measure.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { Facets, FailureKind, Row } from "../../source/engine/types.ts";
import { bareRow } from "../bare-row.ts";
import { bareSpec } from "../bare-spec.ts";

/** The sums behind `right` and `sum.hits / sum.tries`; for `waste` lower is better. */
export const madeSuite = {
  name: "made",
  strategies: [],
  options: [],
  facets: [
    { name: "level", title: "Level", order: ["easy", "hard"] },
    { name: "parallel", title: "Parallel" },
    { name: "sequential", title: "Sequential" },
  ],
  measures: [
    meanMeasure("right", { name: "strict.right", title: "Right", mode: "strict", note: "All or nothing." }),
    ratioMeasure("hits", "tries", { name: "strict.argument-em", title: "Hits", mode: "strict" }),
    meanMeasure("waste", { name: "loose.waste", title: "Waste", mode: "loose", unit: "number", better: "lower" }),
  ],
  errorKinds: [
    { name: "app", title: "Wrong app", group: "form", note: "Names another app." },
    { name: "key", title: "Missing key", group: "arguments" },
    { name: "never", title: "Never made" },
  ],
} as unknown as Suite;

export const madeSpec = bareSpec("made", { model: "lab/small" });

export type MadeRow = {
  readonly task: string;
  readonly facets?: Facets;
  /** Absent: no score; null: scored, but without a value. */
  readonly right?: number | null;
  readonly metrics?: Readonly<Record<string, number>>;
  readonly errors?: readonly string[];
  readonly failed?: FailureKind;
  readonly running?: boolean;
};

export function madeRow(run: string, made: MadeRow): Row {
  const { right, metrics = {}, errors = [] } = made;
  const score =
    right === undefined
      ? undefined
      : {
          value: right ?? undefined,
          metrics: { ...metrics, ...(right === null ? {} : { right }) },
          checks: [],
          errors: errors.map((kind) => ({ kind })),
        };
  return bareRow(run, made.task, {
    question: `What about ${made.task}?`,
    facets: made.facets ?? {},
    state: made.running === true ? "running" : score === undefined ? "failed" : "scored",
    score,
    failure: made.failed === undefined ? undefined : { kind: made.failed, message: "no" },
    cost: 0,
    seconds: 1,
  });
}

export function madeRun(run: string, rows: readonly MadeRow[], more: Partial<RunRows> = {}): RunRows {
  return {
    run,
    label: run,
    spec: madeSpec,
    suite: madeSuite,
    rows: rows.map((row) => madeRow(run, row)),
    reported: { values: [], tables: [] },
    warnings: [],
    readsAnswerKey: false,
    ...more,
  };
}

/** References to tasks of a run. */
export const at = (run: string, ...tasks: readonly string[]) => tasks.map((task) => ({ run, task }));

/** The texts of a table, line by line. */
export const texts = (rows: readonly (readonly { readonly text: string }[])[]) =>
  rows.map((row) => row.map(({ text }) => text));
