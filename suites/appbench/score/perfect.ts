/**
 * Adds the score of a perfect plan to each row, because the published programs do not give it full marks, and its score depends
 * on the task.
 */
import { perfectAnswer } from "../ask/reference-call.ts";
import type { Gold } from "../data/gold.ts";
import { evaluate } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";
import type { Row } from "../../../source/engine/types.ts";
import { wholeOf } from "../../../source/engine/work/whole-of.ts";
import { flatMapped } from "../../../source/engine/work/growing-list.ts";
import { lacksPerfectPlan } from "../migration.ts";
import { metricsOf } from "./metrics.ts";
import { scorePlan } from "./record.ts";
import { planOf, referenceOf, type ScoredPlan } from "./scored-plan.ts";

const prefix = "perfect.";
type Metrics = Readonly<Record<string, number>>;
/** Metrics with their name, and the name with the prefix. */
type Best = readonly { readonly name: string; readonly key: string; readonly value: number }[];
/** By the reference of the task. */
const known = new WeakMap<ScoredPlan, Best>();

/** Adds a perfect plan's numbers to an answer's metrics as `perfect.NAME`, if they differ from the answer's own. */
export function addPerfect(own: Record<string, number>, gold: Gold, catalogue: readonly string[]): void {
  const reference = referenceOf(gold);
  const best = known.get(reference) ?? bestOf(gold, catalogue);
  known.set(reference, best);
  for (const { name, key, value } of best) if (own[name] !== value) own[key] = value;
}

function bestOf(gold: Gold, catalogue: readonly string[]): Best {
  const metrics = metricsOf(scorePlan(perfectPlan(gold, catalogue), gold));
  return Object.entries(metrics).map(([name, value]) => ({ name, key: prefix + name, value }));
}

/** Reads the perfect answer as scorers do. It is nearly always the reference itself, whose readings are cached. */
function perfectPlan(gold: Gold, catalogue: readonly string[]): ScoredPlan {
  const plan = planOf(perfectAnswer(gold), catalogue);
  const reference = referenceOf(gold);
  return isSame(plan.apps, reference.apps) && isSame(plan.calls, reference.calls) ? reference : plan;
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);

/** Adds a ceiling to the measure: its value over the same tasks with perfect plans. */
export function withCeiling(measure: Measure): Measure {
  if (measure.unit !== "percent" || measure.better !== "higher") return measure;
  const ceiling = (rows: readonly Row[]) => evaluate(measure, flatMapped(perfectRow, rows)).value;
  return { ...measure, ceiling };
}

function perfectRow(row: Row): readonly Row[] {
  const { score } = row;
  if (score === undefined || lacksPerfectPlan(score)) return [];
  return [{ ...wholeOf(row), score: { ...score, metrics: new Proxy(score.metrics, perfectFirst) } }];
}

/** A proxy, because a measure reads few of a hundred metrics in many thousands of rows. */
const perfectFirst: ProxyHandler<Metrics> = {
  get: (own, name: string) => own[prefix + name] ?? own[name],
};
