/** Contents of a run's rows that analyses check before they offer options. */
import { wasStopped } from "../problem.ts";
import type { Row } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { Branch, type Fold, foldOver, listOf } from "../work/growing-list.ts";
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
  if (listOf(rows) !== undefined) return foldOver(contentsFold, rows).contents();
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
  // Undefined while all rows so far belong to them: there may be hundreds of thousands, and mostly all have ended.
  let [ended, spent]: (Row[] | undefined)[] = [];
  let at = 0;
  const found = new FoundContents();
  const take = (row: Row) => {
    const isEnded = found.take(row);
    if (row.state === "running") spent ??= rows.slice(0, at);
    else spent?.push(row);
    if (isEnded) ended?.push(row);
    else ended ??= rows.slice(0, at);
    at += 1;
  };
  const contents = {
    ...found.parts,
    get ended() {
      return ended ?? rows;
    },
    get spent() {
      return spent ?? rows;
    },
  };
  return { contents, take };
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

  /** Adds a row; returns whether it has ended. */
  take(row: Row): boolean {
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
    if (score === undefined) return isEnded;
    if (score.value === undefined) counts.unscored += 1;
    if (state === "scored" && failure?.kind === "context") counts.full += 1;
    for (const name in score.metrics) metrics.add(name);
    for (const name in score.labels) labels.add(name);
    if (!isOpen) mistakes.overridden += score.metrics["errors.overridden"] ?? 0;
    // Iterating over nothing would allocate memory for each of the rows.
    if (score.errors.length === 0) return isEnded;
    for (const { kind } of score.errors) errorKinds.add(kind);
    if (isOpen) return isEnded;
    mistakes.all += score.errors.length;
    for (const { override } of score.errors) if (override !== undefined) mistakes.changed += 1;
    return isEnded;
  }

  copy(): FoundContents {
    const { facets, metrics, labels, errorKinds, runs, endedRuns, counts, mistakes } = this.parts;
    return new FoundContents({
      facets: new Map([...facets].map(([name, values]) => [name, new Map(values)])),
      metrics: new Set(metrics),
      labels: new Set(labels),
      errorKinds: new Set(errorKinds),
      runs: new Set(runs),
      endedRuns: new Set(endedRuns),
      counts: { ...counts },
      mistakes: { ...mistakes },
    });
  }
}

/** Contents of rows that become more. */
class GrowingContents {
  readonly #found: FoundContents;
  readonly #ended: Branch<Row>;
  readonly #spent: Branch<Row>;

  constructor(found = new FoundContents(), ended = new Branch<Row>(), spent = new Branch<Row>()) {
    this.#found = found;
    this.#ended = ended;
    this.#spent = spent;
  }

  take(row: Row): this {
    if (this.#found.take(row)) this.#ended.add(row);
    if (row.state !== "running") this.#spent.add(row);
    return this;
  }

  copy(): GrowingContents {
    return new GrowingContents(this.#found.copy(), this.#ended.copy(), this.#spent.copy());
  }

  contents(): RowContents {
    return { ...this.#found.parts, ended: this.#ended.items(), spent: this.#spent.items() };
  }
}

const contentsFold: Fold<Row, GrowingContents> = {
  start: () => new GrowingContents(),
  take: (contents, row) => contents.take(row),
  copy: (contents) => contents.copy(),
};

/** Returns the number of rows with a score, from their states alone, which are known even if the rows are on disk. */
export const scoredCount = (rows: readonly Row[]): number => foldOver(scoredFold, rows);

const scoredFold: Fold<Row, number> = {
  start: () => 0,
  take: (count, { state }) => (state === "scored" ? count + 1 : count),
};

/** True if the task of a row was scored or failed; a task that was stopped without a score has not ended. */
export const hasEnded = ({ state, failure }: Row): boolean =>
  state !== "running" && !(state === "failed" && wasStopped(failure));

/** Reads a metric of the whole run, which every task repeats, from the first task that has it. */
export function metricOfRun(rows: readonly Row[], metric: string): number | undefined {
  if (!rowContents(rows).metrics.has(metric)) return undefined;
  return rows.find(({ score }) => score?.metrics[metric] !== undefined)?.score?.metrics[metric];
}
