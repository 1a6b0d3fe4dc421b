/** Sums of what attempts take. */
import type { RowTokens, TaskUsage } from "../../types.ts";

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
    tokens: sumTokens(one.tokens, tokens),
    cost: one.cost === undefined || cost === undefined ? undefined : one.cost + cost,
    // Whole milliseconds: sums of many parts stay equal to the whole.
    seconds: (Math.round(one.seconds * 1000) + Math.round(seconds * 1000)) / 1000,
  };
}

/** Counts that nobody gave stay absent. */
function sumTokens(one: RowTokens, more: RowTokens): RowTokens {
  const cached = (one.cached ?? 0) + (more.cached ?? 0);
  const reasoning = (one.reasoning ?? 0) + (more.reasoning ?? 0);
  const failed = {
    input: (one.failed?.input ?? 0) + (more.failed?.input ?? 0),
    output: (one.failed?.output ?? 0) + (more.failed?.output ?? 0),
  };
  return {
    input: one.input + more.input,
    output: one.output + more.output,
    estimated: one.estimated || more.estimated,
    ...(cached === 0 ? {} : { cached }),
    ...(reasoning === 0 ? {} : { reasoning }),
    ...(one.failed === undefined && more.failed === undefined ? {} : { failed }),
  };
}

/** Tokens with those of failed attempts in one sum, as the line of a run shows them. */
export function tokensOfRun({
  failed,
  ...tokens
}: RowTokens): Omit<RowTokens, "failed"> & { readonly failed?: number } {
  return { ...tokens, ...(failed === undefined ? {} : { failed: failed.input + failed.output }) };
}
