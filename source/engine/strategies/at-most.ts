/** The most a strategy can take whose length the model decides: what its budgets let through, never a guess. */
import type { Estimate, Play } from "../strategy.ts";

type Asked = Pick<Play, "task" | "bench" | "spec">;

/** `requests` at the largest prompt each; the task's own budget where that is smaller. */
export function atMost({ task, bench, spec }: Asked, requests: number): Estimate | undefined {
  const limits = bench.episode?.(task, spec);
  if (limits === undefined) return undefined;
  const calls = Math.min(requests, spec.budget.task?.steps ?? Infinity);
  return { calls, input: calls * limits.prompt, output: calls * (spec.maxTokens ?? limits.reply), atMost: true };
}

/** The same, of so many episodes and the lessons drawn after all but the last. */
export function episodesAtMost(play: Asked, trials: number): Estimate | undefined {
  const limits = play.bench.episode?.(play.task, play.spec);
  if (limits === undefined) return undefined;
  const inside = trials > 1 ? limits.lessons : undefined;
  return atMost(play, inside === undefined ? trials * limits.requests + trials - 1 : limits.requests + inside);
}
