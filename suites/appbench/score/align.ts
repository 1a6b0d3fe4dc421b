/** Aligns the calls of a plan with the calls of the reference. */
import type { CanonicalValue } from "./canonical-call.ts";
import type { PlanCall } from "./plan-call.ts";

export type Alignment = {
  /** Pairs [reference, plan] of call indexes, by reference. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly missing: readonly number[];
  readonly extra: readonly number[];
};

/**
 * Pairs calls that share at least the API or the app, most similar first: an equal API weighs more than an equal app, which
 * weighs more than equal arguments. Ties go to the nearest position. Order has no other effect, as in all scorers.
 */
export function align(reference: readonly PlanCall[], plan: readonly PlanCall[]): Alignment {
  const candidates: { left: number; right: number; weight: number }[] = [];
  for (const [left, expected] of reference.entries()) {
    for (const [right, given] of plan.entries()) {
      const weight = likeness(expected, given);
      if (weight > 0) candidates.push({ left, right, weight });
    }
  }
  const distance = (pair: { left: number; right: number }) => Math.abs(pair.left - pair.right);
  candidates.sort((a, b) => b.weight - a.weight || distance(a) - distance(b));
  const partner = new Map<number, number>();
  const taken = new Set<number>();
  for (const { left, right } of candidates) {
    if (partner.has(left) || taken.has(right)) continue;
    partner.set(left, right);
    taken.add(right);
  }
  return {
    pairs: [...partner].toSorted((a, b) => a[0] - b[0]),
    missing: [...reference.keys()].filter((index) => !partner.has(index)),
    extra: [...plan.keys()].filter((index) => !taken.has(index)),
  };
}

export const sameApp = (left: PlanCall, right: PlanCall): boolean => left.app.toLowerCase() === right.app.toLowerCase();

/** Returns 0 for calls that share neither API nor app. */
function likeness(expected: PlanCall, given: PlanCall): number {
  const api = given.api !== "" && expected.api === given.api ? 4 : 0;
  const app = sameApp(expected, given) ? 2 : 0;
  return api === 0 && app === 0 ? 0 : api + app + agreement(expected.arguments, given.arguments);
}

/** Returns the share of equal arguments, from 0 to 1. */
function agreement(expected: ReadonlyMap<string, CanonicalValue>, given: ReadonlyMap<string, CanonicalValue>): number {
  let equal = 0;
  for (const [key, value] of expected) {
    const other = given.get(key);
    if (other !== undefined && other.kind === value.kind && other.text === value.text) equal += 1;
  }
  return equal / Math.max(expected.size, given.size, 1);
}
