/** Evaluates one plan for one query: thirteen checks, the gate between them, and the contribution to the rates. */
import type { Json } from "../../../source/engine/types.ts";
import { type Verdict, COMMONSENSE } from "./commonsense.ts";
import { HARD, totalCost } from "./hard.ts";
import { type Query, type Raised, NotEvaluable, isTruthy, readDays } from "./plan.ts";
import type { Sandbox } from "../data/sandbox.ts";

/** A check on which the official code fails; `raised` is the class of its Python error. */
export type Raise = { readonly raised: Raised; readonly message: string };
export type Result<Found> = Found | Raise;

export type Evaluation = {
  /** True if the plan is not empty. */
  readonly delivered: boolean;
  /** Verdicts by official name; empty if no plan was delivered. */
  readonly commonsense: ReadonlyMap<string, Result<Verdict>>;
  /** Verdicts by official name, whether or not the gate admits them; undefined verdicts do not apply to the query. */
  readonly hard: ReadonlyMap<string, Result<Verdict | undefined>>;
  readonly cost: Result<number> | undefined;
  /** True if the hard checks count: the plan is complete and within the sandbox. */
  readonly counted: boolean;
  /** The first error that would end an official run; the plan is then unevaluable. */
  readonly raises: (Raise & { readonly stage: "commonsense" | "hard" }) | undefined;
  readonly passes: { readonly commonsense: boolean; readonly hard: boolean; readonly final: boolean };
};

const NOTHING: Evaluation = {
  delivered: false,
  commonsense: new Map(),
  hard: new Map(),
  cost: undefined,
  counted: false,
  raises: undefined,
  passes: { commonsense: false, hard: false, final: false },
};

export const hasRaised = (result: unknown): result is Raise =>
  typeof result === "object" && result !== null && "raised" in result;

/** Evaluates any plan; never throws because of its content. */
export function evaluate(query: Query, plan: Json, sandbox: Sandbox): Evaluation {
  if (!isTruthy(plan)) return NOTHING;
  const days = attempt(() => readDays(plan, query.days));
  const run = <Found>(check: (query: Query, read: Exclude<typeof days, Raise>, sandbox: Sandbox) => Found) =>
    hasRaised(days) ? days : attempt(() => check(query, days, sandbox));
  const commonsense = new Map(Object.entries(COMMONSENSE).map(([name, check]) => [name, run(check)]));
  const hard = new Map(Object.entries(HARD).map(([name, check]) => [name, run(check)]));
  const cost = run(totalCost);
  const keeps = (name: string) => isKept(commonsense.get(name));
  const gate = keeps("is_not_absent") && keeps("is_valid_information_in_sandbox");
  const raised = [...commonsense.values()].find(hasRaised);
  const hardRaised = gate ? [...hard.values()].find(hasRaised) : undefined;
  const raises =
    raised !== undefined
      ? { ...raised, stage: "commonsense" as const }
      : hardRaised && { ...hardRaised, stage: "hard" as const };
  const counted = gate && raises === undefined;
  const passes = {
    commonsense: raises === undefined && [...commonsense.values()].every(isKept),
    hard: counted && [...hard.values()].every((verdict) => verdict === undefined || isKept(verdict)),
  };
  return {
    delivered: true,
    commonsense,
    hard,
    cost,
    counted,
    raises,
    passes: { ...passes, final: passes.commonsense && passes.hard },
  };
}

export const isKept = (result: Result<Verdict | undefined>): boolean =>
  result !== undefined && !hasRaised(result) && result.kept;

function attempt<Found>(run: () => Found): Result<Found> {
  try {
    return run();
  } catch (error) {
    if (error instanceof NotEvaluable) return { raised: error.raised, message: error.message };
    throw error;
  }
}

/** Formats the evaluation like the official results: pairs of result and message by check. */
export function officialResults(evaluation: Evaluation): { readonly [key: string]: Json } {
  const { delivered, raises, counted, passes, cost } = evaluation;
  if (!delivered) return { delivered, commonsense: null, hard: null };
  const commonsense = pairs(evaluation.commonsense);
  const hard = pairs(evaluation.hard);
  const { valid_cost: _gated, ...ungated } = hard;
  const hard_ungated = { ...ungated, total_cost: hasRaised(cost) ? { raises: cost.raised } : (cost ?? null) };
  if (raises !== undefined) {
    return {
      delivered,
      commonsense: null,
      commonsense_each: commonsense,
      hard_ungated,
      raises: { stage: raises.stage, type: raises.raised },
      not_evaluable: raises.message,
    };
  }
  return {
    delivered,
    commonsense,
    hard_counted: counted,
    hard: counted ? hard : null,
    hard_ungated,
    final_pass: passes.final,
    commonsense_pass: passes.commonsense,
    hard_pass: passes.hard,
  };
}

function pairs(results: ReadonlyMap<string, Result<Verdict | undefined>>): { [name: string]: Json } {
  const written = [...results].map(([name, result]): [string, Json] => {
    if (hasRaised(result)) return [name, { raises: result.raised }];
    return [name, [result?.kept ?? null, result?.message ?? null]];
  });
  return Object.fromEntries(written);
}
