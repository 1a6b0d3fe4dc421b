/** Scores that depend on a judge: plans and created tools. An unreadable judgement is unknown, never a number. */
import type { Score } from "../../../source/engine/types.ts";
import { planDimensions, toolDimensions } from "./dimensions.ts";
import { planMistakes } from "./steps.ts";

/**
 * Score of the reference by the judges' instructions, out of 1. An answer with the same score counts as right, although a higher
 * score is possible.
 */
export const REFERENCE_WORTH = 0.8;

/** Scores a plan from the judge's seven numbers (1 to 10); `undefined` means that they are unreadable. */
export function scorePlan(plan: string, scores: readonly number[] | undefined, judge: JudgeState): Score {
  const metrics: Record<string, number> = {};
  for (const [index, { name }] of planDimensions.dimensions.entries()) {
    if (scores !== undefined) metrics[name === "overall" ? "planning" : `planning.${name}`] = scores[index]! / 10;
  }
  const errors = planMistakes(plan);
  return {
    value: scores === undefined ? undefined : scores.at(-1)! / 10,
    rightFrom: REFERENCE_WORTH,
    metrics,
    checks: [
      { name: "numbered tree", kept: plan.trim() !== "" && errors.length === 0 },
      ...(judge === "none" ? [] : [judgedCheck(judge)]),
    ],
    errors,
    labels: { form: "text", judge },
  };
}

/** `read`: the judge's reply was read; `unreadable`: it was not; `none`: no judge was asked. */
export type JudgeState = "read" | "unreadable" | "none";

/** Returns the check that the replies of a judge could be read; a run without a judge has no such check. */
export function judgedCheck(state: "read" | "unreadable"): Score["checks"][number] {
  const words = {
    read: "The judge's reply was read",
    unreadable: "The judge's reply could not be read: the score is unknown",
  };
  return { name: "judged", kept: state === "read", message: words[state] };
}

/**
 * Returns the counters of one sample of created tools. As in the official program, only existing judgements count; without
 * judgements, each reference step counts as zero.
 */
export function creationMetrics(
  judgements: readonly (readonly number[])[],
  goldSteps: number,
): Readonly<Record<string, number>> {
  const count = judgements.length === 0 ? goldSteps : judgements.length;
  const metrics: Record<string, number> = { "tool_creation.count": count };
  for (const [index, { name }] of toolDimensions.dimensions.entries()) {
    let sum = 0;
    for (const scores of judgements) sum += scores[index]! / 10;
    metrics[name === "overall" ? "tool_creation.sum" : `tool_creation.${name}.sum`] = sum;
  }
  return metrics;
}
