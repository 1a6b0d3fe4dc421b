/**
 * What a perfect plan gets in each task, kept in the task's own row: the published programs do not give it everything, and
 * how much depends on the task.
 */
import { perfectAnswer } from "../ask/perfect-answer.ts";
import type { Gold } from "../data/gold.ts";
import type { Measure } from "../../../source/engine/suite.ts";
import type { Row } from "../../../source/engine/types.ts";
import { metricsOf } from "./metrics.ts";
import { scoreAnswer } from "./record.ts";

const prefix = "perfect.";
type Metrics = Readonly<Record<string, number>>;
/** By name, and by the name with the prefix. */
type Best = readonly { readonly name: string; readonly key: string; readonly value: number }[];
const known = new WeakMap<Gold, Best>();

/** A perfect plan's numbers as metrics `perfect.NAME`, where they are not the answer's own. */
export function perfectMetrics(own: Metrics, gold: Gold, catalogue: readonly string[]): Record<string, number> {
  const best = known.get(gold) ?? bestOf(gold, catalogue);
  known.set(gold, best);
  const other: Record<string, number> = {};
  for (const { name, key, value } of best) if (own[name] !== value) other[key] = value;
  return other;
}

function bestOf(gold: Gold, catalogue: readonly string[]): Best {
  const metrics = metricsOf(scoreAnswer(perfectAnswer(gold), gold, catalogue));
  return Object.entries(metrics).map(([name, value]) => ({ name, key: prefix + name, value }));
}

/** The measure with its ceiling: its value over the same tasks, had each got a perfect plan. */
export function withCeiling(measure: Measure): Measure {
  if (measure.unit !== "percent" || measure.better !== "higher") return measure;
  return { ...measure, ceiling: (rows) => measure.of(rows.flatMap(perfectRow)).value };
}

function perfectRow(row: Row): readonly Row[] {
  const { score } = row;
  // Rows of version 0.1.0 know nothing of perfect plans until they are scored again.
  if (score?.metrics["paper.call_pred"] === undefined) return [];
  return [{ ...row, score: { ...score, metrics: new Proxy(score.metrics, perfectFirst) } }];
}

/** Looked up one by one: a measure reads a few of a hundred, of many thousands of rows. */
const perfectFirst: ProxyHandler<Metrics> = {
  get: (own, name: string) => own[prefix + name] ?? own[name],
};
