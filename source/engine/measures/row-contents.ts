/** Contents of a run's rows that analyses check before they offer options. */
import { wasStopped } from "../problem.ts";
import type { Row } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { eachInTurn, withPauses } from "../work/pieces.ts";

export type RowContents = {
  /** Facets of the rows, with the number of rows per value in order of first appearance. */
  readonly facets: ReadonlyMap<string, ReadonlyMap<string | number, number>>;
  /** Metric names of all scores. */
  readonly metrics: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly errorKinds: ReadonlySet<string>;
  /** Ids of runs with rows, and of runs with ended rows. */
  readonly runs: ReadonlySet<string>;
  readonly endedRuns: ReadonlySet<string>;
  /** Scored and failed rows: a task that was stopped without a score has not ended. */
  readonly ended: readonly Row[];
  /** Ended and stopped rows, which are all rows that used requests and are not running. */
  readonly spent: readonly Row[];
  /** Counts of rows that failed, were stopped, are open, have a score without a number, or ended with a full context. */
  readonly counts: Readonly<Record<"failed" | "stopped" | "open" | "unscored" | "full", number>>;
  /** Errors of ended rows, errors that a person changed, and all errors that a person changed or removed. */
  readonly mistakes: { readonly all: number; readonly changed: number; readonly overridden: number };
};

/** Cached per array, because changed rows are in a new array. */
export const rowContents = factOf((rows: readonly Row[]): RowContents => {
  const { contents, take } = noContents(rows);
  for (let at = 0; at < rows.length; at++) take(rows[at]!);
  return contents;
});

/** Computes the contents of many rows without blocking the screen. Rejects with the signal's reason once it is aborted. */
export async function knowContents(rows: readonly Row[], signal: AbortSignal): Promise<void> {
  const { contents, take } = noContents(rows);
  await withPauses(eachInTurn(rows, take), { signal });
  rowContents.know(rows, contents);
}

/** Returns the contents of none of these rows, to which `take` adds them in order. */
function noContents(rows: readonly Row[]): { readonly contents: RowContents; take(row: Row): void } {
  const facets = new Map<string, Map<string | number, number>>();
  const [metrics, labels, errorKinds] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [runs, endedRuns] = [new Set<string>(), new Set<string>()];
  // Undefined while all rows so far belong to them: there may be hundreds of thousands, and mostly all have ended.
  let [ended, spent]: (Row[] | undefined)[] = [];
  let at = 0;
  const counts = { failed: 0, stopped: 0, open: 0, unscored: 0, full: 0 };
  const mistakes = { all: 0, changed: 0, overridden: 0 };
  let [lastRun, lastEndedRun]: (string | undefined)[] = [];
  const take = (row: Row) => {
    const { run, facets: own, state, score, failure } = row;
    if (run !== lastRun) runs.add((lastRun = run));
    for (const name in own) {
      const value = own[name];
      if (value === undefined) continue;
      const values = facets.get(name);
      if (values === undefined) facets.set(name, new Map([[value, 1]]));
      else values.set(value, (values.get(value) ?? 0) + 1);
    }
    const isStopped = state === "failed" && wasStopped(failure);
    if (state === "failed") counts[isStopped ? "stopped" : "failed"] += 1;
    const isOpen = state === "running";
    if (isOpen) counts.open += 1;
    const hasEnded = !isOpen && !isStopped;
    if (hasEnded && run !== lastEndedRun) endedRuns.add((lastEndedRun = run));
    if (isOpen) spent ??= rows.slice(0, at);
    else spent?.push(row);
    if (hasEnded) ended?.push(row);
    else ended ??= rows.slice(0, at);
    at += 1;
    if (score === undefined) return;
    if (score.value === undefined) counts.unscored += 1;
    if (state === "scored" && failure?.kind === "context") counts.full += 1;
    for (const name in score.metrics) metrics.add(name);
    for (const name in score.labels) labels.add(name);
    if (!isOpen) mistakes.overridden += score.metrics["errors.overridden"] ?? 0;
    // Iterating over nothing would allocate memory for each of the rows.
    if (score.errors.length === 0) return;
    for (const { kind } of score.errors) errorKinds.add(kind);
    if (isOpen) return;
    mistakes.all += score.errors.length;
    for (const { override } of score.errors) if (override !== undefined) mistakes.changed += 1;
  };
  const found = { facets, metrics, labels, errorKinds, runs, endedRuns, counts, mistakes };
  const contents = {
    ...found,
    get ended() {
      return ended ?? rows;
    },
    get spent() {
      return spent ?? rows;
    },
  };
  return { contents, take };
}

/** Reads a metric of the whole run, which every task repeats, from the first task that has it. */
export function metricOfRun(rows: readonly Row[], metric: string): number | undefined {
  if (!rowContents(rows).metrics.has(metric)) return undefined;
  return rows.find(({ score }) => score?.metrics[metric] !== undefined)?.score?.metrics[metric];
}
