/** The counts and the usage of a run's rows, as single rows change. */
import { describe, expect, it } from "vitest";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import { noUsage, RunSums, sumUsage, tokensOfRun } from "../../../source/engine/log/rows/run-sums.ts";
import type { Cause, Row, Score, TaskUsage } from "../../../source/engine/types.ts";
import { type BareRow, bareRow } from "../../bare-row.ts";

const usage = (more: Partial<TaskUsage>): TaskUsage => ({ ...noUsage, ...more });
const scoreOf = (value?: number): Score => ({ value, metrics: {}, checks: [], errors: [] });
const row = (task: string, more: BareRow = {}): Row => bareRow("r", task, { cost: 0, ...more });
const right = { score: scoreOf(1) };
const failed = (message = "no") => ({ state: "failed", failure: { kind: "model", message } }) as const;
const cut: Cause = { cause: "cut", detail: "maxTokens 20" } as Cause;

describe("the sum of the usage of two parts", () => {
  it("is computed field by field, with seconds in whole milliseconds", () => {
    const one = usage({ calls: 2, toolCalls: 3, retries: 1, cost: 0.5, seconds: 0.1 });
    const other = { calls: 5, toolCalls: 7, retries: 11, cost: 0.25, seconds: 0.2 };
    expect(sumUsage(one, other)).toEqual(usage({ calls: 7, toolCalls: 10, retries: 12, cost: 0.75, seconds: 0.3 }));
    expect(sumUsage(usage({ seconds: 1.0004 }), { seconds: 0.0006 }).seconds).toBe(1.001);
    expect(sumUsage(one, {})).toEqual(one);
  });

  it("has no price if one part has an undefined price, but counts a part without that field", () => {
    const [priced, free] = [usage({ cost: 2 }), usage({ cost: undefined })];
    expect(sumUsage(priced, { calls: 1 }).cost).toBe(2);
    expect(sumUsage(priced, { cost: undefined }).cost).toBeUndefined();
    expect(sumUsage(free, { cost: 2 }).cost).toBeUndefined();
    expect(sumUsage(priced, { cost: 3 }).cost).toBe(5);
  });

  it("omits token counts that neither part has", () => {
    const tokens = (more: object) => usage({ tokens: { input: 1, output: 2, estimated: false, ...more } });
    const sum = (one: object, other: object) => sumUsage(tokens(one), tokens(other)).tokens;
    expect(sum({}, {})).toEqual({ input: 2, output: 4, estimated: false });
    expect(sum({ estimated: true }, {}).estimated).toBe(true);
    expect(sum({}, { estimated: true }).estimated).toBe(true);
    expect(sum({ cached: 3, reasoning: 4 }, {})).toMatchObject({ cached: 3, reasoning: 4 });
    expect(sum({ cached: 3, reasoning: 4 }, { cached: 2, reasoning: 1 })).toMatchObject({ cached: 5, reasoning: 5 });
    const spoilt = { failed: { input: 5, output: 7 } };
    expect(sum(spoilt, {})).toMatchObject(spoilt);
    expect(sum({}, spoilt)).toMatchObject(spoilt);
    expect(sum(spoilt, { failed: { input: 1, output: 1 } })).toMatchObject({ failed: { input: 6, output: 8 } });
    expect(tokensOfRun(sum(spoilt, {}))).toEqual({ input: 2, output: 4, estimated: false, failed: 12 });
    expect(tokensOfRun(sum({}, {}))).toEqual({ input: 2, output: 4, estimated: false });
  });
});

describe("the sums of a run", () => {
  it("count each row by its state, and subtract the row's earlier state", () => {
    const sums = new RunSums();
    const running = row("a", { state: "running" });
    sums.change(undefined, running);
    expect(sums.read(0)).toMatchObject({ rows: 1, right: 0, wrong: 0, unscored: 0, failed: 0 });
    sums.change(running, row("a", right));
    sums.change(undefined, row("b", { score: scoreOf(0) }));
    sums.change(undefined, row("c", { score: scoreOf() }));
    sums.change(undefined, row("d", failed("first")));
    sums.change(undefined, row("e", failed("second")));
    sums.change(undefined, row("f", { state: "failed", failure: { kind: "stopped", message: "x" } }));
    sums.change(undefined, row("g", { score: scoreOf(0), failure: { kind: "context", message: "long" } }));
    expect(sums.read(7)).toMatchObject({ rows: 7, right: 1, wrong: 2, unscored: 1, failed: 2, outOfContext: 1 });
    expect(sums.read(7).failure).toEqual({ kind: "model", message: "first" });
    sums.change(row("d", failed("first")), row("d", right));
    expect(sums.read(7)).toMatchObject({ right: 2, failed: 1, failure: { message: "second" } });
    // A task without a score did not end early, but failed.
    sums.change(undefined, row("h", { state: "failed", failure: { kind: "context", message: "long" } }));
    sums.change(undefined, row("i", { state: "running" }));
    expect(sums.read(7)).toMatchObject({ rows: 9, failed: 2, outOfContext: 1 });
    const counts = { rows: 9, right: 2, wrong: 2, unscored: 1, failed: 2, outOfContext: 1, calls: 9 };
    const saved = Object.entries(sums.saved().tally).filter(([, count]) => count !== 0);
    expect(Object.fromEntries(saved)).toEqual(counts);
  });

  it("add up spent usage, and have a price only if each row has a price", () => {
    const sums = new RunSums();
    expect(sums.read(0).spent).toEqual({ ...noUsage, seconds: 0 });
    const tokens = { input: 3, output: 5, estimated: false };
    const dear = row("a", {
      calls: 2,
      toolCalls: 3,
      retries: 4,
      cost: 1.5,
      tokens: { ...tokens, estimated: true, cached: 2, reasoning: 1, failed: { input: 6, output: 7 } },
    });
    sums.change(undefined, dear);
    sums.change(undefined, row("b", { calls: 1, cost: 0.5, tokens }));
    expect(sums.read(9).spent).toEqual({
      calls: 3,
      toolCalls: 3,
      retries: 4,
      cost: 2,
      seconds: 9,
      tokens: { input: 6, output: 10, estimated: true, cached: 2, reasoning: 1, failed: { input: 6, output: 7 } },
    });
    const unpriced = row("c", { calls: 1, cost: undefined, tokens });
    sums.change(undefined, unpriced);
    expect(sums.read(9).spent.cost).toBeUndefined();
    sums.change(unpriced, row("c", { calls: 1, cost: 0.25, tokens }));
    expect(sums.read(9).spent.cost).toBe(2.25);
    sums.change(dear, row("a", { tokens }));
    expect(sums.read(9).spent.tokens).toEqual({ input: 9, output: 15, estimated: false });
  });

  it("count unread answers and tasks that ended early, by cause", () => {
    const sums = new RunSums();
    const unread = row("a", { score: scoreOf(0), cause: cut });
    sums.change(undefined, unread);
    sums.change(undefined, row("b", { score: scoreOf(0), cause: cut }));
    sums.change(undefined, row("c", { score: scoreOf(0), cause: { cause: "read" } as Cause }));
    sums.change(undefined, row("d", { score: scoreOf(0), failure: { kind: "model", message: "" } }));
    expect(sums.read(0).unread).toEqual({ "cut at 20 tokens": 2, "without a reply": 1 });
    sums.change(unread, row("a", right));
    expect(sums.read(0).unread).toEqual({ "cut at 20 tokens": 1, "without a reply": 1 });
    sums.change(row("b", { score: scoreOf(0), cause: cut }), row("b", right));
    expect(sums.read(0).unread).toEqual({ "without a reply": 1 });
  });

  it("report the tasks per minute over the last minute, or over half a second at least", () => {
    const ended = (...spans: readonly (readonly [from: number, to: number])[]) => {
      const sums = new RunSums();
      for (const [at, [from, to]] of spans.entries())
        sums.change(row(`${at}`, { state: "running", from }), row(`${at}`, { ...right, from, to }));
      return sums;
    };
    expect(new RunSums().rate(0)).toBeUndefined();
    expect(ended([0, 20_000], [10_000, 30_000]).rate(30_000)).toBe(4);
    expect(ended([0, 100]).rate(100)).toBe(120);
    // Exactly one minute ago still counts; a millisecond earlier does not.
    expect(ended([0, 1000]).rate(61_000)).toBe(1);
    expect(ended([0, 1000]).rate(61_001)).toBeUndefined();
    expect(ended([0, 1000], [0, 50_000]).rate(62_000)).toBe(1);
    // Rows that were not running before, or are still running, have not just ended.
    const sums = new RunSums();
    sums.change(undefined, row("a", right));
    sums.change(row("b", right), row("b", right));
    sums.change(row("c", { state: "running" }), row("c", { state: "running" }));
    expect([sums.rate(0), sums.speed(0)]).toEqual([undefined, undefined]);
  });

  it("report the tasks and tokens of one minute only, although nobody asks for them in between", () => {
    const sums = new RunSums();
    for (let minute = 0; minute < 5; minute++) {
      const [from, to] = [minute * 60_000, minute * 60_000 + 30_000];
      const tokens = { input: 0, output: 60, estimated: false };
      sums.change(row(`${minute}`, { state: "running", from }), row(`${minute}`, { ...right, from, to, tokens }));
    }
    // Exactly one minute lies between the last two ends.
    expect([sums.rate(270_000), sums.speed(270_000)]).toEqual([2, 2]);
    // The earlier times do not come back if the clock was set back.
    expect([sums.rate(210_000), sums.speed(210_000)]).toEqual([4, 4]);
  });

  it("report the output tokens per second over the last minute, without those of earlier minutes", () => {
    const sums = new RunSums();
    expect(sums.speed(0)).toBeUndefined();
    const replied = (task: string, from: number, to: number, ...[before, after]: readonly number[]) => {
      const at = (output = 0, state: "running" | "scored" = "running") =>
        row(task, { state, from, to, tokens: { input: 1, output, estimated: false } });
      sums.change(at(before), at(after));
    };
    // The task replies a second time, after 600 tokens of an attempt that was interrupted.
    replied("a", 0, 10_000, 600, 900);
    expect(sums.speed(10_000)).toBe(30);
    replied("b", 4_000, 20_000, 0, 100);
    expect(sums.speed(20_000)).toBe(20);
    expect(sums.speed(70_000)).toBeCloseTo(400 / 60);
    expect(sums.speed(70_001)).toBeCloseTo(100 / 60);
    expect(sums.speed(80_001)).toBeUndefined();
    // A short reply counts as half a second; an event without new tokens is no reply.
    replied("c", 90_000, 90_100, 0, 50);
    expect(sums.speed(90_100)).toBe(100);
    replied("c", 90_000, 90_200, 50, 50);
    expect(sums.speed(90_200)).toBe(100);
    // A row that was not running before was taken from another run.
    sums.change(row("d", right), row("d", { ...right, tokens: { input: 1, output: 500, estimated: false } }));
    expect(sums.speed(90_200)).toBe(100);
  });

  it("are the same after they are saved and restored, and include later failures when the rows arrive", () => {
    const rows = [row("a", right), row("b", failed("first")), row("c", failed("second"))];
    const sums = new RunSums();
    for (const each of rows) sums.change(undefined, each);
    const restored = new RunSums();
    restored.restore(sums.saved());
    expect(restored.read(5)).toEqual(sums.read(5));
    restored.change(rows[1], row("b", right));
    expect(restored.read(5).failure).toBeUndefined();
    restored.complete(rows);
    restored.change(rows[1], row("b", right));
    expect(restored.read(5).failure).toMatchObject({ message: "second" });
    const empty = new RunSums();
    empty.restore({ tally: {} });
    expect(empty.read(0)).toEqual(new RunSums().read(0));
    expect(empty.saved().failed).toBeUndefined();
  });

  it("are computed again in the order of the rows, unless the rows change in the meantime", () => {
    const costs = [0.1, 0.2, 0.3].map((cost, at) => row(`${at}`, { cost }));
    const sums = new RunSums();
    for (const each of costs.toReversed()) sums.change(undefined, each);
    const before = sums.read(0).spent.cost;
    atOnce(sums.countAnew(costs, () => false));
    expect(sums.read(0).spent.cost).toBe(before);
    atOnce(sums.countAnew(costs, () => true));
    expect(sums.read(0).spent.cost).toBe(0.1 + 0.2 + 0.3);
  });
});
