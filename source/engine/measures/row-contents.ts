/** Contents of a run's rows that analyses check before they offer options. */
import { wasStopped } from "../problem.ts";
import type { Row } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { addedCounts, filtered, type Fold, foldOver, listParts } from "../work/growing-list.ts";
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
export const rowContents = factOf((rows: readonly Row[]) => contentsOf(rows, foldOver(contentsFold, rows)));

/** Computes the contents of many rows without blocking the screen. Rejects with the signal's reason once it is aborted. */
export async function knowContents(rows: readonly Row[], signal: AbortSignal): Promise<void> {
  const found = new FoundContents();
  await withPauses(
    eachInTurn(rows, (row) => found.take(row)),
    { signal },
  );
  rowContents.know(rows, contentsOf(rows, found));
}

/** Lists of hundreds of thousands of rows are the array itself if all rows belong to them, as mostly all have ended. */
function contentsOf(rows: readonly Row[], { parts }: FoundContents): RowContents {
  const { open, stopped } = parts.counts;
  const isShared = listParts(rows)[0] === rows;
  const listOf = (keeps: (row: Row) => boolean, others: number) =>
    isShared && others === 0 ? rows : filtered(keeps, rows);
  let [ended, spent]: (readonly Row[] | undefined)[] = [];
  return {
    ...parts,
    get ended() {
      return (ended ??= listOf(hasEnded, open + stopped));
    },
    get spent() {
      return (spent ??= listOf(isSpent, open));
    },
  };
}

type Parts = {
  readonly facets: Map<string, Map<string | number, number>>;
  readonly metrics: Set<string>;
  readonly labels: Set<string>;
  readonly errorKinds: Set<string>;
  readonly runs: Set<string>;
  readonly endedRuns: Set<string>;
  readonly counts: { -readonly [Name in keyof RowContents["counts"]]: number };
  readonly mistakes: { -readonly [Name in keyof RowContents["mistakes"]]: number };
};

const noParts = (): Parts => ({
  facets: new Map(),
  metrics: new Set(),
  labels: new Set(),
  errorKinds: new Set(),
  runs: new Set(),
  endedRuns: new Set(),
  counts: { failed: 0, stopped: 0, open: 0, unscored: 0, full: 0 },
  mistakes: { all: 0, changed: 0, overridden: 0 },
});

/** Contents of rows without the rows themselves. */
class FoundContents {
  readonly parts: Parts;
  #lastRun: string | undefined;
  #lastEndedRun: string | undefined;

  constructor(parts = noParts()) {
    this.parts = parts;
  }

  take(row: Row): this {
    const { facets, metrics, labels, errorKinds, runs, endedRuns, counts, mistakes } = this.parts;
    const { run, facets: own, state, score, failure } = row;
    if (run !== this.#lastRun) runs.add((this.#lastRun = run));
    for (const name in own) {
      const value = own[name];
      if (value === undefined) continue;
      const values = facets.get(name);
      if (values === undefined) facets.set(name, new Map([[value, 1]]));
      else values.set(value, (values.get(value) ?? 0) + 1);
    }
    const isEnded = hasEnded(row);
    if (state === "failed") counts[isEnded ? "failed" : "stopped"] += 1;
    const isOpen = state === "running";
    if (isOpen) counts.open += 1;
    if (isEnded && run !== this.#lastEndedRun) endedRuns.add((this.#lastEndedRun = run));
    if (score === undefined) return this;
    if (score.value === undefined) counts.unscored += 1;
    if (state === "scored" && failure?.kind === "context") counts.full += 1;
    for (const name in score.metrics) metrics.add(name);
    for (const name in score.labels) labels.add(name);
    if (!isOpen) mistakes.overridden += score.metrics["errors.overridden"] ?? 0;
    // Iterating over nothing would allocate memory for each of the rows.
    if (score.errors.length === 0) return this;
    for (const { kind } of score.errors) errorKinds.add(kind);
    if (isOpen) return this;
    mistakes.all += score.errors.length;
    for (const { override } of score.errors) if (override !== undefined) mistakes.changed += 1;
    return this;
  }

  /** Returns the contents of all these rows. */
  static joined(all: readonly FoundContents[]): FoundContents {
    const unionOf = (name: "metrics" | "labels" | "errorKinds" | "runs" | "endedRuns") =>
      new Set(all.flatMap(({ parts }) => [...parts[name]]));
    const facets: Parts["facets"] = new Map();
    for (const [name, values] of all.flatMap(({ parts }) => [...parts.facets])) {
      const known = facets.get(name) ?? new Map<string | number, number>();
      for (const [value, count] of values) known.set(value, (known.get(value) ?? 0) + count);
      facets.set(name, known);
    }
    return new FoundContents({
      facets,
      metrics: unionOf("metrics"),
      labels: unionOf("labels"),
      errorKinds: unionOf("errorKinds"),
      runs: unionOf("runs"),
      endedRuns: unionOf("endedRuns"),
      counts: addedCounts(all.map(({ parts }) => parts.counts)),
      mistakes: addedCounts(all.map(({ parts }) => parts.mistakes)),
    });
  }
}

const contentsFold: Fold<Row, FoundContents> = {
  start: () => new FoundContents(),
  take: (contents, row) => contents.take(row),
  join: (all) => FoundContents.joined(all),
};

/** Returns the number of rows with a score, from their states alone, which are known even if the rows are on disk. */
export const scoredCount = (rows: readonly Row[]): number => foldOver(scoredFold, rows);

const scoredFold: Fold<Row, number> = {
  start: () => 0,
  take: (count, { state }) => (state === "scored" ? count + 1 : count),
  join: (counts) => counts.reduce((sum, count) => sum + count),
};

const isSpent = ({ state }: Row): boolean => state !== "running";

/** True if the task of a row was scored or failed; a task that was stopped without a score has not ended. */
export const hasEnded = ({ state, failure }: Row): boolean =>
  state !== "running" && !(state === "failed" && wasStopped(failure));

/** Reads a metric of the whole run, which every task repeats, from the first task that has it. */
export function metricOfRun(rows: readonly Row[], metric: string): number | undefined {
  if (!rowContents(rows).metrics.has(metric)) return undefined;
  return rows.find(({ score }) => score?.metrics[metric] !== undefined)?.score?.metrics[metric];
}
