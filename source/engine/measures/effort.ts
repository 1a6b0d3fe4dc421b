/** Measures of effort: requests, tokens, seconds and cost per task, without the judge unless requested. */
import type { RunRows } from "../analysis.ts";
import type { Measure } from "../suite.ts";
import type { Row, TaskUsage } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { filtered } from "../work/growing-list.ts";
import { hasEnded } from "./row-contents.ts";

/** The usage of a task that figures count. */
type Effort = Pick<TaskUsage, "calls" | "tokens" | "cost"> & { readonly seconds: number | undefined };

/** Returns the seconds of a task; undefined if its replies came from the cache, because its time is then meaningless. */
export function secondsOf(row: Row): number | undefined {
  const isCached = row.notes.some((note) => note.type === "reply" && note.how === "cached");
  return isCached ? undefined : row.counted.seconds;
}

/** Returns the usage of a task; without `judge`, only the usage of its answer. */
export function usageOf(row: Row, judge: boolean): Effort {
  const { counted, judging } = row;
  const seconds = secondsOf(row);
  if (judge || judging === undefined) return { ...counted, seconds };
  const { tokens } = counted;
  return {
    calls: counted.calls - judging.calls,
    tokens: {
      ...tokens,
      input: tokens.input - judging.tokens.input,
      output: tokens.output - judging.tokens.output,
    },
    cost: counted.cost === undefined || judging.cost === undefined ? undefined : counted.cost - judging.cost,
    // Rounded to whole milliseconds, as the sums are.
    seconds:
      seconds === undefined ? undefined : (Math.round(seconds * 1000) - Math.round(judging.seconds * 1000)) / 1000,
  };
}

/** The effort of a row; `judge` includes the judge's. */
export type JudgedEffort = (row: Row, judge: boolean) => number | undefined;

/** Returns the same function for the same effort. */
export const effortOf = (each: JudgedEffort, judge: boolean) => bothEfforts(each)[judge ? 1 : 0]!;
const bothEfforts = factOf((each: JudgedEffort) => [false, true].map((judge) => (row: Row) => each(row, judge)));

/** Means per ended task; cost is included only if any task has a price. */
export function effortMeasures(runs: readonly RunRows[]): readonly Measure[] {
  const isPriced = runs.some(({ rows }) => filtered(isPricedRow, rows).length > 0);
  return isPriced ? [...efforts, price] : efforts;
}

const isPricedRow = (row: Row): boolean => hasEnded(row) && (usageOf(row, false).cost ?? 0) > 0;

const took = "these tasks have no score, but their usage counts";

/**
 * Passed to `shortfall` by figures of effort, because effort counts failed and unscored tasks, too, and sums also stopped tasks.
 */
export const effortCounts = { failed: took, unscored: took } as const;
export const sumCounts = { ...effortCounts, stopped: took } as const;

const mode = "per task";

export const isEffort = (measure: Pick<Measure, "mode">): boolean => measure.mode === mode;

function effort(
  name: string,
  title: string,
  unit: Measure["unit"],
  of: (usage: Effort) => number | undefined,
): Measure {
  const each = (row: Row) => of(usageOf(row, false));
  return { kind: "mean", name: `effort.${name}`, title, mode, unit, better: "lower", each };
}

const efforts: readonly Measure[] = [
  effort("calls", "Calls", "number", ({ calls }) => calls),
  effort("tokens", "Tokens", "tokens", ({ tokens }) => tokens.input + tokens.output),
  effort("seconds", "Seconds", "seconds", ({ seconds }) => seconds),
];
const price = effort("price", "Price", "price", ({ cost }) => cost);
