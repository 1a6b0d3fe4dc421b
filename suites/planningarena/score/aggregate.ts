/** Means over groups of relations, weighted by their tasks. */
import { relations } from "../data/records.ts";
import type { Relation } from "../data/records.ts";

export type ByRelation = Readonly<Partial<Record<Relation, number>>>;
const appRelations: readonly Relation[] = ["SAPP", "CAPP"];
const apiRelations: readonly Relation[] = ["PAPI", "CAPI", "DAPI"];

/** Task-weighted means of per-relation values: apps, APIs and all; null where no task is. Unrounded. */
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
