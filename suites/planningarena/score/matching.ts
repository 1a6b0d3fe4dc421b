/** Matches steps with the subtasks of the answer key. */
import { field } from "../../../source/engine/text/json-record.ts";
import { canon, collapsed } from "../data/canonical.ts";
import type { GoldArgument, PlanStepRecord, Subtask } from "../data/records.ts";
import { actionTexts } from "./transcript.ts";

/** Minimum similarity (Dice) of an app step and a subtask. */
const leastSimilarity = 0.5;

/** Returns the step index by subtask index; undefined if no remaining step fits. */
export function matchSubtasks(
  subtasks: readonly Subtask[],
  steps: readonly PlanStepRecord[],
): readonly (number | undefined)[] {
  const used = new Set<number>();
  const words = steps.map((step) => (step.call === undefined ? wordsOf(stepText(step)) : undefined));
  return subtasks.map((subtask) => {
    const wanted = subtask.tool === undefined ? wordsOf(subtask.text ?? "") : undefined;
    let best: number | undefined;
    let bestScore = -Infinity;
    for (const [index, step] of steps.entries()) {
      if (used.has(index)) continue;
      const score = wanted === undefined ? callScore(subtask, step) : textScore(wanted, words[index], step);
      if (score === undefined || score <= bestScore) continue;
      best = index;
      bestScore = score;
    }
    if (best !== undefined) used.add(best);
    return best;
  });
}

/** Returns the number of right arguments if the tool is right. */
const callScore = (subtask: Subtask, step: PlanStepRecord): number | undefined =>
  step.call?.tool === subtask.tool ? rightArguments(subtask, step) : undefined;

function textScore(wanted: ReadonlySet<string>, words: ReadonlySet<string> | undefined, step: PlanStepRecord) {
  if (words === undefined || typeof step.action !== "object") return undefined;
  const score = dice(wanted, words);
  return score < leastSimilarity ? undefined : score;
}

/** Counts the subtask's bound arguments that the step's call has right. */
export function rightArguments(subtask: Subtask, step: PlanStepRecord): number {
  let right = 0;
  for (const argument of subtask.args ?? []) if (isRight(argument, step)) right += 1;
  return right;
}

/** Returns true if the step's call has the expected value for this argument, canonically. */
export function isRight(argument: GoldArgument, step: PlanStepRecord): boolean {
  const value = field(step.call?.args, argument.name.trim());
  return value !== undefined && canon(value) === canon(argument.value);
}

/** Joins description and action texts of an app step. */
export const stepText = (step: PlanStepRecord): string => [step.description, ...actionTexts(step.action)].join(" ");

/** Joins the texts of all steps with single spaces, to search for literals and dates. */
export const joinedText = (steps: readonly PlanStepRecord[]): string => collapsed(steps.map(stepText).join(" "));

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[a-z0-9]+/g));

function dice(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const size = left.size + right.size;
  return size === 0 ? 0 : (2 * left.intersection(right).size) / size;
}
