/** Upper bounds for strategies whose length the model decides: what their budgets allow, never a guess. */
import type { Estimate, TaskContext } from "../strategy.ts";

type Asked = Pick<TaskContext, "task" | "loaded" | "spec">;

/** `requests` with the largest prompt each, or the task's own budget where that is smaller. */
export function atMost({ task, loaded, spec }: Asked, requests: number): Estimate | undefined {
  const limits = loaded.asks.environment?.limits(task, spec);
  if (limits === undefined) return undefined;
  const calls = Math.min(requests, spec.budget.task?.steps ?? Infinity);
  return { calls, input: calls * limits.prompt, output: calls * (spec.maxTokens ?? limits.reply), atMost: true };
}

/** The same for so many episodes, with a lesson after all but the last. */
export function episodesAtMost(context: Asked, trials: number): Estimate | undefined {
  const limits = context.loaded.asks.environment?.limits(context.task, context.spec);
  if (limits === undefined) return undefined;
  const inside = trials > 1 ? limits.lessons : undefined;
  return atMost(context, inside === undefined ? trials * limits.requests + trials - 1 : limits.requests + inside);
}
