/** Aggregates ToolEval's numbers like the official programs. */
import { DataProblem } from "../../../source/engine/text/json-lines.ts";

export type AnswerStatus = "Solved" | "Unsolved" | "Unsure";
export type TaskStatus = "Solvable" | "Unsolvable" | "Unsure";
export type AnswerPass = "Passed" | "Failed" | "Unsure";

/** ToolBench's pass table: solved or unsolvable passes, unsolved and solvable fails, anything else is unsure. */
export function isPassed(answer: AnswerStatus, task: TaskStatus): AnswerPass {
  if (answer === "Solved" || task === "Unsolvable") return "Passed";
  return answer === "Unsolved" && task === "Solvable" ? "Failed" : "Unsure";
}

/** Returns the share of queries with at least as many passed as failed judgements; ties pass in the reported rate. */
export function passRate(counts: readonly { readonly passed: number; readonly failed: number }[]): number {
  atLeastOne(counts.length);
  return counts.filter(({ passed, failed }) => failed <= passed).length / counts.length;
}

export type SolvablePassRate = {
  readonly per_run_scores: readonly number[];
  readonly solve_rate_percent: number;
  /** Standard deviation of the population: divided by the number of runs. */
  readonly std_percent: number;
};

/**
 * Returns StableToolBench's solvable pass rate (SoPR). In each of `times` runs, a solved query counts 1, an unsure query 0.5, a
 * query without a label 0, over all judged queries; mean and spread over the runs are in percent.
 */
export function solvablePassRate(
  labels: readonly ReadonlyMap<number, AnswerStatus>[],
  times: number,
): SolvablePassRate {
  atLeastOne(labels.length);
  const scores = Array.from({ length: times }, (_, run) => {
    let score = 0;
    for (const query of labels) score += statusScore(query.get(run));
    return score / labels.length;
  });
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length;
  return { per_run_scores: scores, solve_rate_percent: mean * 100, std_percent: Math.sqrt(variance) * 100 };
}

/** Returns the value of one judgement in SoPR. */
export const statusScore = (status: AnswerStatus | undefined): number =>
  status === "Solved" ? 1 : status === "Unsure" ? 0.5 : 0;

export type WinRate = { readonly win_rate: number; readonly tie_rate: number; readonly lose_rate: number };

/** Decides each query by the votes of all rounds; a tie is not a win. */
export function winRate(votes: readonly { readonly reference: number; readonly candidate: number }[]): WinRate {
  atLeastOne(votes.length);
  const share = (wanted: number) =>
    votes.filter(({ reference, candidate }) => Math.sign(candidate - reference) === wanted).length / votes.length;
  return { win_rate: share(1), tie_rate: share(0), lose_rate: share(-1) };
}

/**
 * Reads final-answer correctness from the reply of its trained judge: 0 if it contains "unsolved", otherwise 1 if it contains
 * "solved".
 */
export function finalAnswerCorrectness(reply: string): 0 | 1 {
  const lower = reply.toLowerCase();
  return !lower.includes("unsolved") && lower.includes("solved") ? 1 : 0;
}

function atLeastOne(count: number): void {
  if (count === 0) throw new DataProblem("Expected at least one judged query, got none");
}
