/** A row as a run leaves it, scored at no cost: tests state only what they need. */
import { namedNotes } from "../source/engine/log/rows/former-rows.ts";
import type { Row, TaskUsage } from "../source/engine/types.ts";

/** `counts` are notes by their printed names. */
export type BareRow = Partial<Row> & Partial<TaskUsage> & { readonly counts?: Readonly<Record<string, number>> };

export function bareRow(run: string, task: string, given: BareRow = {}): Row {
  const {
    calls = 1,
    toolCalls = 0,
    retries = 0,
    tokens = { input: 0, output: 0, estimated: false },
    cost,
    seconds = 0,
    counts = {},
    ...more
  } = given;
  const usage: TaskUsage = { calls, toolCalls, retries, tokens, cost, seconds };
  return {
    run,
    task,
    question: "",
    facets: {},
    state: "scored",
    score: undefined,
    failure: undefined,
    counted: usage,
    spent: usage,
    notes: namedNotes(Object.entries(counts)),
    from: 0,
    to: 0,
    ...more,
  };
}
