/** A row as a run leaves it that was scored at no cost: tests say only what matters to them. */
import type { Row } from "../source/engine/types.ts";

export function bareRow(run: string, task: string, more: Partial<Row> = {}): Row {
  return {
    run,
    task,
    question: "",
    facets: {},
    state: "scored",
    score: undefined,
    failure: undefined,
    calls: 1,
    toolCalls: 0,
    retries: 0,
    tokens: { input: 0, output: 0, estimated: false },
    cost: undefined,
    seconds: 0,
    counts: {},
    from: 0,
    to: 0,
    ...more,
  };
}
