/** Sums of what attempts take. */
import type { TaskUsage } from "../types.ts";

export const noUsage: TaskUsage = {
  calls: 0,
  toolCalls: 0,
  retries: 0,
  tokens: { input: 0, output: 0, estimated: false },
  cost: 0,
  seconds: 0,
};

export function sumUsage(one: TaskUsage, more: Partial<TaskUsage>): TaskUsage {
  const { tokens = noUsage.tokens, seconds = 0 } = more;
  const cost = "cost" in more ? more.cost : 0;
  return {
    calls: one.calls + (more.calls ?? 0),
    toolCalls: one.toolCalls + (more.toolCalls ?? 0),
    retries: one.retries + (more.retries ?? 0),
    tokens: {
      input: one.tokens.input + tokens.input,
      output: one.tokens.output + tokens.output,
      estimated: one.tokens.estimated || tokens.estimated,
    },
    cost: one.cost === undefined || cost === undefined ? undefined : one.cost + cost,
    // Whole milliseconds: sums of many parts stay equal to the whole.
    seconds: (Math.round(one.seconds * 1000) + Math.round(seconds * 1000)) / 1000,
  };
}
