/** Aggregates whole submissions: six rates over fixed denominators, and every constraint by level and days. */
import type { Json } from "../../../source/engine/types.ts";
import { CONSTRAINTS, asks } from "./constraints.ts";
import { type Evaluation, hasRaised, isKept } from "./evaluate.ts";
import type { Query } from "./plan.ts";

export type Scored = { readonly query: Query; readonly evaluation: Evaluation };

/**
 * Denominators of each split (queries, commonsense results, hard results), whatever was delivered (the official
 * constants).
 */
export const DENOMINATORS = {
  train: { plans: 45, commonsense: 360, hard: 105 },
  validation: { plans: 180, commonsense: 1440, hard: 420 },
  test: { plans: 1000, commonsense: 8000, hard: 2290 },
} as const;
export type Denominators = { readonly plans: number; readonly commonsense: number; readonly hard: number };

/** Returns the constants of a published split; undefined for any other name. */
export const denominatorsOf = (split: string): Denominators | undefined =>
  Object.entries(DENOMINATORS).find(([name]) => name === split)?.[1];

export const RATES = [
  "Delivery Rate",
  "Commonsense Constraint Micro Pass Rate",
  "Commonsense Constraint Macro Pass Rate",
  "Hard Constraint Micro Pass Rate",
  "Hard Constraint Macro Pass Rate",
  "Final Pass Rate",
] as const;

/** Returns the six rates, from 0 to 1. Undelivered, gated and unevaluable plans satisfy no constraint. */
export function ratesOf(scored: readonly Scored[], by: Denominators): Record<(typeof RATES)[number], number> {
  const count = (counted: (evaluation: Evaluation) => number | boolean) => {
    let sum = 0;
    for (const { evaluation } of scored) sum += Number(counted(evaluation));
    return sum;
  };
  return {
    "Delivery Rate": count(({ delivered }) => delivered) / by.plans,
    "Commonsense Constraint Micro Pass Rate": count(commonsensePasses) / by.commonsense,
    "Commonsense Constraint Macro Pass Rate": count(({ passes }) => passes.commonsense) / by.plans,
    "Hard Constraint Micro Pass Rate": count(hardPasses) / by.hard,
    "Hard Constraint Macro Pass Rate": count(({ passes }) => passes.hard) / by.plans,
    "Final Pass Rate": count(({ passes }) => passes.final) / by.plans,
  };
}

export const commonsensePasses = ({ commonsense, raises }: Evaluation): number =>
  raises === undefined ? [...commonsense.values()].filter(isKept).length : 0;

export const hardPasses = ({ hard, counted }: Evaluation): number =>
  counted ? [...hard.values()].filter(isKept).length : 0;

/** Counts how often each constraint was satisfied and violated, by group, level and number of days, under the paper's names. */
export function detailedOf(scored: readonly Scored[]): Json {
  const group = (name: "commonsense" | "hard") => {
    const levels = ["easy", "medium", "hard"].map((level): [string, Json] => [level, levelOf(scored, name, level)]);
    return Object.fromEntries(levels);
  };
  return { "Commonsense Constraint": group("commonsense"), "Hard Constraint": group("hard") };
}

function levelOf(scored: readonly Scored[], group: "commonsense" | "hard", level: string): Json {
  const cells = [3, 5, 7].map((days): [number, Json] => {
    const there = scored.filter(({ query }) => query.level === level && query.days === days);
    return [days, cellOf(there, group, level)];
  });
  return Object.fromEntries(cells);
}

function cellOf(there: readonly Scored[], group: "commonsense" | "hard", level: string): Json {
  const counts = ({ raises, delivered, counted }: Evaluation) =>
    raises === undefined && (group === "hard" ? counted : delivered);
  const counting = there.filter(({ evaluation }) => counts(evaluation));
  if (counting.length === 0) return {};
  const entries = CONSTRAINTS.filter((constraint) => constraint.group === group).map((constraint): [string, Json] => {
    const results = counting.map(({ evaluation }) => evaluation[group].get(constraint.check));
    const applying = results.filter((result) => result !== undefined && !hasRaised(result));
    const kept = applying.filter((result) => isKept(result)).length;
    const total = there.filter(({ query }) => asks(query, constraint)).length;
    const counted = { true: kept, false: applying.length - kept };
    return [constraint.title, constraint.levels.includes(level) ? { ...counted, total } : counted];
  });
  return Object.fromEntries(entries);
}
