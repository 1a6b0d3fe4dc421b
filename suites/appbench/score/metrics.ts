/** Metrics of one answer, stored in its row. Corpus measures are computed from their sums and means. */
import type { MeasureValue } from "../../../source/engine/benchmark.ts";
import type { Row } from "../../../source/engine/types.ts";
import { addedCounts, type Fold, foldOver } from "../../../source/engine/work/growing-list.ts";
import { type Counters, zeros } from "./count.ts";
import type { Scores } from "./record.ts";
import { type AnalysisScore, analysisCounters } from "./score-analysis.ts";
import { officialCounters } from "./score-official.ts";
import { callCounters, paperCounters } from "./score-paper.ts";

/** Ratios of a single answer in analysis mode; the official program reports their means. */
const analysisMeans = ["app_em", "app_f1", "api_em", "api_f1", "succ"] as const satisfies readonly Exclude<
  keyof AnalysisScore,
  "counters"
>[];
const paperMeans = ["em_app", "em_api", "succ"] as const;

const named = <Name extends string>(mode: string, names: readonly Name[]) =>
  names.map((name) => [name, `${mode}.${name}`] as const);
const officialNames = named("official", officialCounters);
const analysisNames = { means: named("analysis", analysisMeans), counters: named("analysis", analysisCounters) };
const paperNames = named("paper", [...paperCounters, ...paperMeans]);
const callNames = named("paper", callCounters);
const allNames = [officialNames, analysisNames.means, analysisNames.counters, paperNames, callNames].flat();
/** Copied as a whole, because adding this many fields one by one makes objects slower to create, read and write. */
const none = zeros(allNames.map(([, full]) => full));

/** Returns the counters by mode and upstream's name, such as `official.app_hit_count`. */
export function metricsOf({ official, analysis, paper, calls }: Scores): Record<string, number> {
  const metrics: Record<string, number> = { ...none };
  for (const [name, full] of officialNames) metrics[full] = official[name];
  for (const [name, full] of analysisNames.means) metrics[full] = analysis[name];
  for (const [name, full] of analysisNames.counters) metrics[full] = analysis.counters[name];
  for (const [name, full] of paperNames) metrics[full] = paper[name];
  for (const [name, full] of callNames) metrics[full] = calls[name];
  return metrics;
}

/**
 * Returns whether a row was scored by these rules. The official program omits answers whose first stage names no app, so their
 * rows are not scored.
 */
export const isScored = ({ score }: Row): boolean => score?.metrics["official.total_match"] !== undefined;

/** Builds a measure from the sums of some counters of a mode, under their own names, over `n` scored rows. */
export function ofSums<Name extends string>(
  mode: string,
  names: readonly Name[],
  numberOf: (sums: Readonly<Counters<Name>>, n: number) => MeasureValue,
  counts: (row: Row) => boolean = isScored,
): (rows: readonly Row[]) => MeasureValue {
  const summed = named(mode, names);
  const fold: Fold<Row, { readonly sums: Counters<Name>; n: number }> = {
    start: () => ({ sums: zeros(names), n: 0 }),
    take(all, row) {
      if (!counts(row)) return all;
      const { metrics } = row.score!;
      for (const [name, full] of summed) all.sums[name] += metrics[full] ?? 0;
      all.n += 1;
      return all;
    },
    join: (all) => ({ sums: addedCounts(all.map(({ sums }) => sums)), n: all.reduce((sum, { n }) => sum + n, 0) }),
  };
  return (rows) => {
    const { sums, n } = foldOver(fold, rows);
    return numberOf(sums, n);
  };
}
