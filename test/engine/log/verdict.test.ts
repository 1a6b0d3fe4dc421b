import { expect, test, describe } from "vitest";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { RunSums } from "../../../source/engine/log/rows/run-sums.ts";
import type { Score, Event } from "../../../source/engine/types.ts";
import { countedScore, noMistake, standingErrors, verdictOf } from "../../../source/engine/log/rows/verdict.ts";
import { bareRow } from "../../bare-row.ts";
import { mistakeText } from "../../../source/engine/log/rows/mistake-text.ts";
import { bareSpec } from "../../bare-spec.ts";

const score = (value: number | undefined, rightFrom?: number): Score => ({
  value,
  ...(rightFrom === undefined ? {} : { rightFrom }),
  metrics: {},
  checks: [],
  errors: [],
});

test.each([
  [score(1), "right"],
  [score(0.99), "wrong"],
  [score(undefined), "unscored"],
  [score(undefined, 0.8), "unscored"],
  [score(0.8, 0.8), "right"],
  [score(0.9, 0.8), "right"],
  [score(0.7, 0.8), "wrong"],
  // Three scores of 0.8 added and divided by three, and values slightly below 1.
  [score((0.8 + 0.8 + 0.8) / 3, 0.8), "right"],
  [score(0.8 - Number.EPSILON, 0.8), "right"],
  // A billionth is the most that rounding may take.
  [score(1 - 1e-9), "right"],
  [score(1 - 1.1e-9), "wrong"],
  [score(0.5 - 1e-9, 0.5), "right"],
  [score(0.5 - 1.1e-9, 0.5), "wrong"],
  [undefined, "unscored"],
] as const)("the verdict of %j is %s", (scored, verdict) => {
  expect(verdictOf(scored)).toBe(verdict);
});

test("numbers of a score that are NaN are left out, and all others stay", () => {
  const whole = { ...score(0.5), metrics: { a: 1, b: 0 } };
  expect(countedScore(whole)).toBe(whole);
  expect(countedScore({ ...score(NaN), metrics: { a: 1 } })).toEqual({ ...score(undefined), metrics: { a: 1 } });
  expect(countedScore({ ...score(0.5), metrics: { a: 1, b: NaN } })).toEqual({ ...score(0.5), metrics: { a: 1 } });
  expect(countedScore({ ...score(undefined), metrics: { a: 1, b: NaN } }).metrics).toEqual({ a: 1 });
});

test("a mistake that a person rejected does not count, and the others do", () => {
  const [order, rejected] = [{ kind: "order" }, { kind: noMistake }];
  expect(standingErrors([order, rejected])).toEqual([order]);
  expect(standingErrors([rejected])).toEqual([]);
  expect(standingErrors([order])).toEqual([order]);
  expect(standingErrors([])).toEqual([]);
});

test("a run reports the reason of its first failed task, and ignores tasks that were stopped before", () => {
  const sums = new RunSums();
  const failed = (kind: "stopped" | "model", message: string) =>
    ({ state: "failed", failure: { kind, message } }) as const;
  for (const [index, row] of [failed("stopped", "x"), failed("model", "no"), failed("model", "nor")].entries())
    sums.change(undefined, bareRow("r", `t${index}`, row));
  expect(sums.read(0)).toMatchObject({ failed: 2, failure: { kind: "model", message: "no" } });
});

test("a run counts an answer as good as the reference as right", () => {
  const sums = new RunSums();
  for (const [index, scored] of [score(0.8, 0.8), score(0.7, 0.8), score(0.8)].entries())
    sums.change(undefined, bareRow("r", `t${index}`, { state: "scored", score: scored }));
  expect(sums.read(0)).toMatchObject({ right: 1, wrong: 2, unscored: 0 });
});

test("a dialogue that 0.1.0 scored although its model had failed is unscored and excluded from means", () => {
  const table = new RowTable();
  table.take({ seq: 0, at: 0, task: "t", type: "started", facets: {}, question: "" });
  const broken: Score = { ...score(0), metrics: { accuracy: 0 }, labels: { end: "model-error", profile: "on" } };
  table.take({ seq: 1, at: 1, task: "t", type: "scored", score: broken, suiteRevision: 1 });
  expect(table.row("t")).toMatchObject({
    state: "scored",
    score: { value: undefined, metrics: {}, errors: [], labels: { end: "model-error" } },
  });
  expect(table.sums()).toMatchObject({ unscored: 1, wrong: 0 });
});

test("the rate counts only the tasks of the last minute", () => {
  const sums = new RunSums();
  for (const [index, to] of [10_000, 50_000, 70_000].entries()) {
    const row = bareRow("r", `t${index}`, { state: "running", from: to - 10_000, to });
    sums.change(undefined, row);
    sums.change(row, { ...row, state: "scored" });
  }
  sums.change(undefined, bareRow("r", "t3", { state: "running", from: 70_000, to: 70_000 }));
  expect(sums.rate(70_000)).toBe((3 / 60) * 60);
  // Two tasks within 40 seconds, counted from the start of the first.
  expect(sums.rate(80_000)).toBe(3);
  expect(sums.rate(130_000)).toBe(1);
  expect(sums.rate(130_001)).toBeUndefined();
});

const errorKinds = [
  { name: "value-space", title: "Wrong place" },
  { name: "fictitious tool", title: "Fictitious tool" },
  { name: "missing-key", title: "Missing key" },
];

describe("the text of a mistake", () => {
  test("contains the title of the kind, and the key if it differs from the title", () => {
    const place = { kind: "value-space", key: "town", expected: "'Delft'", got: "'Utrecht'" };
    expect(mistakeText(place, { errorKinds })).toBe("Wrong place (value-space): town, expected 'Delft', got 'Utrecht'");
    expect(mistakeText({ kind: "fictitious tool", got: "Kit" }, { errorKinds })).toBe("Fictitious tool: got Kit");
    expect(mistakeText({ kind: "missing-key" }, { errorKinds })).toBe("Missing key");
    expect(mistakeText({ kind: "bygone" }, { errorKinds })).toBe("bygone");
  });
});

const price = { input: 1_000_000, output: 2_000_000 };

test("the judge's share of a task is listed separately: requests, tokens, price and waiting time", () => {
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
