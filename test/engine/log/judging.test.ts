import { expect, test } from "vitest";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import type { Event } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

const price = { input: 1_000_000, output: 2_000_000 };

test("what the judge takes of a task is known apart: requests, tokens, price and the time it was waited for", () => {
  const table = new RowTable(() => price);
  const spec = bareSpec("made", { model: "lab/model", judge: "lab/judge" });
  const prompt = { type: "prompt", messages: [] } as const;
  const usage = { type: "usage", estimated: false } as const;
  const events = [
    { type: "run-started", run: "r", spec, total: 1, warnings: [] },
    { task: "t", type: "started", facets: {}, question: "?" },
    { task: "t", ...prompt, request: 0, role: "model", model: "lab/model", stage: "plan" },
    { task: "t", ...usage, request: 0, input: 5, output: 3 },
    { task: "t", ...prompt, request: 1, role: "judge", model: "lab/judge", stage: "judge-answer" },
    { task: "t", type: "retry", request: 1, attempt: 1, status: 500, error: "no", wait: 0 },
    { task: "t", ...usage, request: 1, input: 7, output: 2 },
    { task: "t", type: "scored", score: { value: 1, metrics: {}, checks: [], errors: [] }, suiteRevision: 1 },
  ] as const;
  for (const [seq, event] of events.entries()) table.take({ ...event, seq, at: seq * 1000 } as Event);
  const row = table.row("t")!;
  expect(row.counted).toMatchObject({ calls: 2, retries: 1, cost: 22, seconds: 6 });
  expect(row.judging).toEqual({
    calls: 1,
    toolCalls: 0,
    retries: 1,
    tokens: { input: 7, output: 2, estimated: false },
    cost: 11,
    seconds: 2,
  });
});
