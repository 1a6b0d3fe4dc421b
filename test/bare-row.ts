/** A row as a run leaves it that was scored at no cost: tests say only what matters to them. */
import type { Row, TaskUsage } from "../source/engine/types.ts";

export function bareRow(run: string, task: string, more: Partial<Row> = {}): Row {
  const usage: TaskUsage = {
    calls: more.calls ?? 1,
    toolCalls: more.toolCalls ?? 0,
    retries: more.retries ?? 0,
    tokens: more.tokens ?? { input: 0, output: 0, estimated: false },
    cost: more.cost,
    seconds: more.seconds ?? 0,
  };
  return {
    run,
    task,
    question: "",
    facets: {},
    state: "scored",
    score: undefined,
    failure: undefined,
    ...usage,
    counted: usage,
    spent: usage,
    counts: {},
    from: 0,
    to: 0,
    ...more,
  };
}
