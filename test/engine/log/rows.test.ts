/** The sum of a task's events: counted and spent. */
import { expect, test } from "vitest";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import type { Event, RunSpec } from "../../../source/engine/types.ts";

const price = { input: 1_000_000, output: 2_000_000 };

/** A table that is told of these events, a second apart. */
function told(...events: readonly object[]): RowTable {
  const table = new RowTable(() => price);
  for (const [seq, event] of events.entries()) table.take({ task: "a", ...event, seq, at: seq * 1000 } as Event);
  return table;
}
const begun = [
  { type: "run-started", run: "r", spec: {} as RunSpec, total: 7, warnings: [] },
  { type: "started", facets: {}, question: "" },
];
const prompt = (request: number, more = {}) => ({
  type: "prompt",
  request,
  role: "model",
  model: "lab/m",
  stage: "plan",
  messages: [],
  ...more,
});
const retry = { type: "retry", request: 0, attempt: 1, status: 500, error: "", wait: 0 };
const usage = (request: number) => ({ type: "usage", request, input: 5, output: 3, estimated: false });
const failed = { type: "failed", failure: { kind: "stopped", message: "Stopped" } };

test("failed attempts at a request are counted, with their tokens apart", () => {
  const again = { ...retry, usage: { input: 4, output: 1, estimated: true } };
  const row = told(...begun, prompt(0), retry, again, { ...again, attempt: 2 }, usage(0)).row("a")!;
  expect([row.counted.retries, row.spent.retries]).toEqual([3, 3]);
  expect(row.counted.tokens).toEqual({ input: 5, output: 3, estimated: false, failed: { input: 8, output: 2 } });
  expect([row.counted.calls, row.counted.cost]).toEqual([1, 11]);
});

test("a reused answer counts with its original time, and is not spent", () => {
  const taken = [
    prompt(0, { saved: 2500 }),
    usage(0),
    { type: "result", callId: "c", name: "t", result: { ok: true, observation: "", status: 0 }, saved: 500 },
  ];
  const table = told(...begun, ...taken, prompt(1), usage(1));
  const { counted, spent } = table.row("a")!;
  expect(counted).toMatchObject({ calls: 2, toolCalls: 1, tokens: { input: 10, output: 6 }, cost: 22 });
  expect(spent).toMatchObject({ calls: 1, toolCalls: 0, tokens: { input: 5, output: 3 }, cost: 11 });
  expect(counted.seconds - spent.seconds).toBe(3);
  expect(table.used).toMatchObject({ steps: 1, tokens: 8, cost: 11 });
});

test("the sum of a run has a price if every task has one, and none if one lacks it", () => {
  const other = [
    { ...begun[1]!, task: "b" },
    { ...prompt(0), task: "b" },
    { ...usage(0), task: "b" },
  ];
  expect(told(...begun, prompt(0), usage(0), ...other).sums().spent.cost).toBe(22);
  const table = new RowTable((model) => (model === "lab/m" ? price : undefined));
  const free = [other[0]!, { ...other[1]!, model: "lab/free" }, other[2]!];
  for (const [seq, event] of [...begun, prompt(0), usage(0)].entries())
    table.take({ task: "a", ...event, seq, at: seq * 1000 } as Event);
  expect(table.sums().spent.cost).toBe(11);
  for (const [at, event] of free.entries()) table.take({ ...event, seq: 4 + at, at: 4000 } as Event);
  expect(table.sums().spent.cost).toBeUndefined();
});

test("a restarted attempt resets what counted, never what was spent; the run has used both", () => {
  const table = told(...begun, prompt(0), usage(0), failed, begun[1]!, prompt(0), usage(0));
  const { counted, spent } = table.row("a")!;
  expect([counted.calls, spent.calls]).toEqual([1, 2]);
  expect(table.used).toEqual({ steps: 2, tokens: 16, cost: 22, seconds: 5 });
  expect(table.total).toBe(7);
});

test("events of one moment, and a clock that was set back, take no time of a run", () => {
  const table = new RowTable(() => price);
  const moments = [0, 0, 1000, 1000, 400, 400];
  for (const [seq, event] of [...begun, prompt(0), usage(0), prompt(1), usage(1)].entries())
    table.take({ task: "a", ...event, seq, at: moments[seq]! } as Event);
  expect(table.used.seconds).toBe(1);
});

test("a cell that joins a run leaves its tasks in execution; a run that begins again has ended those before", () => {
  const again = { ...begun[0]!, choice: { id: "c" } };
  const secondsOf = (start: object) => told(...begun, prompt(0), start, usage(0)).used.seconds;
  expect(secondsOf({ ...again, joins: true })).toBe(3);
  expect(secondsOf(again)).toBe(1);
});
