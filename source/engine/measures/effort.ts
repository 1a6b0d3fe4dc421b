/** What tasks take, as measures: requests, tokens, seconds and price, without what the judge takes unless asked. */
import type { RunRows } from "../analysis.ts";
import type { Measure } from "../suite.ts";
import type { Row, TaskUsage } from "../types.ts";
import { endedRows } from "./measure-cell.ts";

/** What figures count of a task. */
type Effort = Pick<TaskUsage, "calls" | "tokens" | "cost"> & { readonly seconds: number | undefined };

/** Seconds a task took; undefined where replies came from the cache, as those were not waited for. */
export function secondsOf(row: Row): number | undefined {
  const isCached = row.notes.some((note) => note.type === "reply" && note.how === "cached");
  return isCached ? undefined : row.counted.seconds;
}

/** What counts of a task; without the judge, what its answer took. */
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
    // Whole milliseconds, as they are summed.
    seconds:
      seconds === undefined ? undefined : (Math.round(seconds * 1000) - Math.round(judging.seconds * 1000)) / 1000,
  };
}

/** Means per task that ended; a price only where any task has one. */
export function effortMeasures(runs: readonly RunRows[]): readonly Measure[] {
  let isPriced = false;
  for (const { rows } of runs) isPriced ||= endedRows(rows).some((row) => (usageOf(row, false).cost ?? 0) > 0);
  return [
    effort("calls", "Calls", "number", ({ calls }) => calls),
    effort("tokens", "Tokens", "tokens", ({ tokens }) => tokens.input + tokens.output),
    effort("seconds", "Seconds", "seconds", ({ seconds }) => seconds),
    ...(isPriced ? [effort("price", "Price", "price", ({ cost }) => cost)] : []),
  ];
}

const took = "they have no score, but what they took counts";

/** For the notes of figures of effort: see `shortfall`. */
export const effortCounts = { failed: took, unscored: took } as const;

const mode = "per task";

export function isEffort(measure: Pick<Measure, "mode">): boolean {
  return measure.mode === mode;
}

function effort(
  name: string,
  title: string,
  unit: Measure["unit"],
  of: (usage: Effort) => number | undefined,
): Measure {
  const each = (row: Row) => of(usageOf(row, false));
  return { kind: "mean", name: `effort.${name}`, title, mode, unit, better: "lower", each };
}
