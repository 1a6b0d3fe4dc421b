/** The numbers of one answer that stay in its row; corpus measures are made of their sums and means. */
import { total } from "../../../source/engine/measures/measure.ts";
import type { Row } from "../../../source/engine/types.ts";
import { zeros } from "./count.ts";
import type { Scores } from "./record.ts";
import type { AnalysisScore } from "./score-analysis.ts";
import { analysisCounters } from "./score-analysis.ts";
import type { OfficialCounters } from "./score-official.ts";
import { officialCounters } from "./score-official.ts";
import { callCounters, paperCounters } from "./score-paper.ts";

/** Ratios of a single answer in analysis mode: upstream reports their means. */
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
/** Copied at once: an object that gets so many fields one by one is slower to make, to read and to write. */
const none = zeros(allNames.map(([, full]) => full));

/** Counters by mode and upstream's own name, such as `official.app_hit_count`. */
export function metricsOf({ official, analysis, paper, calls }: Scores): Record<string, number> {
  const metrics: Record<string, number> = { ...none };
  for (const [name, full] of officialNames) metrics[full] = official[name];
  for (const [name, full] of analysisNames.means) metrics[full] = analysis[name];
  for (const [name, full] of analysisNames.counters) metrics[full] = analysis.counters[name];
  for (const [name, full] of paperNames) metrics[full] = paper[name];
  for (const [name, full] of callNames) metrics[full] = calls[name];
  return metrics;
}

/** Rows that were scored by these rules; a row whose first stage named no app was not, as upstream drops it. */
export function scoredRows(rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => row.score?.metrics["official.total_match"] !== undefined);
}

/** Sums of counters over rows, under their own names: each is made when it is read, as a measure needs a few of many. */
export function summed<Name extends string>(
  rows: readonly Row[],
  mode: string,
  names: readonly Name[],
): Readonly<Record<Name, number>> {
  const sums = {} as Record<Name, number>;
  for (const name of names)
    Object.defineProperty(sums, name, { enumerable: true, get: () => total(rows, `${mode}.${name}`) });
  return sums;
}

export function officialSums(rows: readonly Row[]): Readonly<OfficialCounters> {
  return summed(rows, "official", officialCounters);
}
