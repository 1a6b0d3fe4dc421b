/** Trials of one run as analyses see them: rows of all, under one label. */
import type { RunRows } from "../../analysis.ts";
import type { Row } from "../../types.ts";

/** A run with what it is taken together with: runs of the same `key` are one. */
export type PoolableRun = RunRows & { readonly pool?: { readonly key: string; readonly label: string } };

/** Runs of one pool become one, with the rows of all, where the first of them stands. Its id and spec are the first's. */
export function pooledRuns(runs: readonly PoolableRun[]): readonly RunRows[] {
  // The same run may be in several cells: what is in no pool stands alone.
  const pools = Map.groupBy(runs, ({ pool }, index) => pool?.key ?? index);
  return [...pools.values()].map((pooled) => {
    const { pool, ...first } = pooled[0]!;
    if (pool === undefined) return first;
    return {
      ...first,
      label: pool.label,
      // At once: there may be hundreds of thousands.
      rows: ([] as Row[]).concat(...pooled.map(({ rows }) => rows)),
      notes: [...new Set(pooled.flatMap(({ notes = [] }) => notes))],
      warnings: [...new Set(pooled.flatMap(({ warnings }) => warnings))],
      isAtRest: pooled.every(({ isAtRest }) => isAtRest === true),
      readsAnswerKey: pooled.some(({ readsAnswerKey }) => readsAnswerKey),
    };
  });
}

/** Analyses choose runs by their labels: where two cells give the same one, the later get a number. */
export function withDistinctLabels(runs: readonly RunRows[]): RunRows[] {
  const seen = new Map<string, number>();
  return runs.map((run) => {
    const times = (seen.get(run.label) ?? 0) + 1;
    seen.set(run.label, times);
    return times === 1 ? run : { ...run, label: `${run.label} (${times})` };
  });
}
