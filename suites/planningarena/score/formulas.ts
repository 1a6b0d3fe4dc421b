/** The paper's three formulas, extended to inputs for which they are undefined, and their means by relation. */
import { relations, type Relation } from "../data/records.ts";

export type WeightedSubtask = { readonly w: number; readonly c: number; readonly q: number };

/**
 * SER (equation 1): the completed share of the subtasks' weight, each counted by its share of right arguments. Null if the weight
 * is 0.
 */
export function subtaskExecution(subtasks: readonly WeightedSubtask[]): number | null {
  let weight = 0;
  let done = 0;
  for (const { w, c, q } of subtasks) {
    weight += w;
    done += w * c * q;
  }
  return weight === 0 ? null : done / weight;
}

export type Checkpoint = { readonly b: number; readonly w: number };
export type DependencyAccuracy = {
  readonly value: number;
  /** Null without reference edges. */
  readonly recall: number | null;
  /** The formula of the paper, (m/n) Σ Π(1-B)w; not bounded by 1, for comparison only. */
  readonly literal: number | null;
};

/**
 * DA (equation 2) over the found edges, given `n` reference edges. The value of an edge is the product of 1 - w·B over its
 * checkpoints; DA is their sum over max(n, m), so that invented edges lower it and perfect plans get exactly 1.
 */
export function dependencyAccuracy(n: number, edges: readonly (readonly Checkpoint[])[]): DependencyAccuracy {
  const m = edges.length;
  let sum = 0;
  let reported = 0;
  for (const edge of edges) {
    sum += edge.reduce((worth, { b, w }) => worth * (1 - w * b), 1);
    reported += edge.reduce((worth, { b, w }) => worth * (1 - b) * w, 1);
  }
  const value = n === 0 && m === 0 ? 1 : n === 0 ? 0 : sum / Math.max(n, m);
  return { value, recall: n === 0 ? null : sum / n, literal: n === 0 ? null : (m / n) * reported };
}

export type WeightedCheck = { readonly name: string; readonly b: number; readonly w: number };

/** SMAR (equation 3): weight of the applicable checks without a mistake over the total weight; 0 if garbled. */
export function mistakeAvoidance(garbled: boolean, checks: readonly WeightedCheck[]): number {
  if (garbled) return 0;
  let weight = 0;
  let kept = 0;
  for (const { b, w } of checks) {
    weight += w;
    kept += w * (1 - b);
  }
  return weight === 0 ? 0 : kept / weight;
}

export type ByRelation = Readonly<Partial<Record<Relation, number>>>;
const appRelations: readonly Relation[] = ["SAPP", "CAPP"];
const apiRelations: readonly Relation[] = ["PAPI", "CAPI", "DAPI"];

/** Returns task-weighted means of per-relation values for apps, APIs and all; null without tasks. Unrounded. */
export function aggregate(
  cells: ByRelation,
  weights: ByRelation,
): { readonly APP: number | null; readonly API: number | null; readonly Overall: number | null } {
  const mean = (group: readonly Relation[]) => {
    let sum = 0;
    let weight = 0;
    for (const relation of group) {
      const value = cells[relation];
      if (value === undefined) continue;
      sum += value * (weights[relation] ?? 0);
      weight += weights[relation] ?? 0;
    }
    return weight === 0 ? null : sum / weight;
  };
  return { APP: mean(appRelations), API: mean(apiRelations), Overall: mean(relations) };
}
