/** What the rows of a run have at all, which analyses ask before they offer anything: looked through once, in pieces where there are many. */
import type { Row } from "../types.ts";
import { atOnce, eachInTurn, type Pieces } from "../work/pieces.ts";

export type RowContents = {
  /** Facets that any row has: how many rows each of their values has, in the order they come. */
  readonly facets: ReadonlyMap<string, ReadonlyMap<string | number, number>>;
  /** Names that any score has. */
  readonly metrics: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly errorKinds: ReadonlySet<string>;
  /** Runs of which any row came to an end. */
  readonly endedRuns: ReadonlySet<string>;
};

/** By the rows themselves, which are made anew when they change. */
const known = new WeakMap<readonly Row[], RowContents>();

export function rowContents(rows: readonly Row[]): RowContents {
  return known.get(rows) ?? atOnce(rowContentsInPieces(rows));
}

/** The same for any number of rows; `rowContents` of these then knows it. */
export function* rowContentsInPieces(rows: readonly Row[]): Pieces<RowContents> {
  const before = known.get(rows);
  if (before !== undefined) return before;
  const facets = new Map<string, Map<string | number, number>>();
  const [metrics, labels, errorKinds] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const endedRuns = new Set<string>();
  yield* eachInTurn(rows, ({ run, facets: own, state, score }) => {
    for (const name in own) {
      const value = own[name];
      if (value === undefined) continue;
      const values = facets.get(name);
      if (values === undefined) facets.set(name, new Map([[value, 1]]));
      else values.set(value, (values.get(value) ?? 0) + 1);
    }
    if (state !== "running") endedRuns.add(run);
    if (score === undefined) return;
    for (const name in score.metrics) metrics.add(name);
    for (const name in score.labels) labels.add(name);
    for (const { kind } of score.errors) errorKinds.add(kind);
  });
  const found = { facets, metrics, labels, errorKinds, endedRuns };
  known.set(rows, found);
  return found;
}

/** A metric of the whole run stands in the metrics of its tasks; the first task that has it is enough. */
export function metricOfRun(rows: readonly Row[], metric: string): number | undefined {
  if (!rowContents(rows).metrics.has(metric)) return undefined;
  return rows.find(({ score }) => score?.metrics[metric] !== undefined)?.score?.metrics[metric];
}
