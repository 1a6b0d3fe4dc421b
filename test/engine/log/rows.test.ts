/** The summed events of a task: counted and spent. */
import { describe, expect, it, test } from "vitest";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import type { Event, RunSpec, TaskEvent } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";

const price = { input: 1_000_000, output: 2_000_000 };

/** A table with these events, one second apart. */
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

test("failed attempts at a request are counted, and their tokens are listed separately", () => {
  const again = { ...retry, usage: { input: 4, output: 1, estimated: true } };
  const row = told(...begun, prompt(0), retry, again, { ...again, attempt: 2 }, usage(0)).row("a")!;
  expect([row.counted.retries, row.spent.retries]).toEqual([3, 3]);
  expect(row.counted.tokens).toEqual({ input: 5, output: 3, estimated: false, failed: { input: 8, output: 2 } });
  expect([row.counted.calls, row.counted.cost]).toEqual([1, 11]);
});

test("a reused answer counts with its original time, but not as spent", () => {
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

test("the summed cost of a run is known only if every task has a price", () => {
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

test("a restarted attempt resets the counted usage but not the spent usage, and the run's usage includes both", () => {
  const table = told(...begun, prompt(0), usage(0), failed, begun[1]!, prompt(0), usage(0));
  const { counted, spent } = table.row("a")!;
  expect([counted.calls, spent.calls]).toEqual([1, 2]);
  expect(table.used).toEqual({ steps: 2, tokens: 16, cost: 22, seconds: 5 });
  expect(table.total).toBe(7);
});

test("events with equal times, or after the clock was set back, add no time to a run", () => {
  const table = new RowTable(() => price);
  const moments = [0, 0, 1000, 1000, 400, 400];
  for (const [seq, event] of [...begun, prompt(0), usage(0), prompt(1), usage(1)].entries())
    table.take({ task: "a", ...event, seq, at: moments[seq]! } as Event);
  expect(table.used.seconds).toBe(1);
});

test("a cell that joins a run does not stop running tasks, whereas a new start of the run does", () => {
  const again = { ...begun[0]!, choice: { id: "c" } };
  const secondsOf = (start: object) => told(...begun, prompt(0), start, usage(0)).used.seconds;
  expect(secondsOf({ ...again, joins: true })).toBe(3);
  expect(secondsOf(again)).toBe(1);
});

/** A table with events at the given times. */
function toldAt(...events: readonly (readonly [at: number, event: object])[]): RowTable {
  const table = new RowTable(() => price);
  for (const [seq, [at, event]] of events.entries()) table.take({ task: "a", ...event, seq, at } as Event);
  return table;
}
const scored = (value: number) => ({
  type: "scored",
  score: { value, metrics: {}, checks: [], errors: [] },
  suiteRevision: 1,
});

test("the time of a task ends with its last event, and a later new score adds no time", () => {
  const table = toldAt([1000, begun[0]!], [2000, begun[1]!], [3500, prompt(0)], [5000, scored(0)], [90_000, scored(1)]);
  const row = table.row("a")!;
  expect([row.from, row.to, row.counted.seconds, row.state, row.score!.value]).toEqual([2000, 5000, 3, "scored", 1]);
  expect(table.used.seconds).toBe(3);
});

test("a result takes the time until it arrives, and is not the judge's; a beginning task takes time of the run", () => {
  const result = { type: "result", callId: "c", name: "t", result: { ok: true, observation: "", status: 0 } };
  const other = { ...begun[1]!, task: "b" };
  const table = toldAt([0, begun[0]!], [0, begun[1]!], [1000, prompt(0)], [3000, result], [4000, other]);
  const { counted, judging } = table.row("a")!;
  expect([counted.seconds, counted.toolCalls, judging, table.used.seconds]).toEqual([3, 1, undefined, 4]);
  // The score of a task that a killed program left takes none.
  const left = toldAt([0, begun[0]!], [0, begun[1]!], [0, begun[0]!], [0, other], [5000, scored(1)]);
  expect([left.used.seconds, left.row("a")!.state]).toEqual([0, "scored"]);
});

test("a table that takes over another table continues with all that the other table knew", () => {
  const start = { ...begun[0]!, spec: bareSpec("made"), warnings: ["start"], choice: { id: "c", tasks: ["a"] } };
  const text = { type: "text", request: 0, text: "an answer" };
  const refused = { type: "shipment-refused", message: "no" };
  const note = { type: "note", kind: "answer-from:r9 none", text: "" };
  const other = told(begun[0]!, { ...start, joins: true }, begun[1]!, refused, prompt(0), note, text);
  const known = (of: RowTable) => [
    [of.spec, of.run, of.total, of.choices, of.refused, of.used, of.ended],
    [of.rows(), of.row("a"), of.row("z"), of.sums(), of.warnings, of.taken],
    [of.begun(), of.isOpen(), of.isOpen("c"), of.isComplete],
  ];
  const before = known(other);
  const table = told({ ...begun[0]!, run: "s", total: 2 }, { ...begun[1]!, task: "z" });
  const changed: string[] = [];
  table.watch((task) => changed.push(task));
  table.rows();
  table.become(other);
  expect(known(table)).toEqual(before);
  expect(changed).toEqual(["z", "a"]);
  const take = (at: number, event: object) => table.take({ task: "a", ...event, seq: 9, at } as Event);
  take(8000, usage(0));
  take(8000, { type: "finish", request: 0, reason: "stop" });
  take(9000, scored(0));
  const { counted, cause, notes } = table.row("a")!;
  expect([counted.seconds, counted.cost, cause?.cause, table.used.seconds]).toEqual([7, 11, "read", 7]);
  expect(notes.some((each) => each.type === "reply")).toBe(false);
  // Rows that the other table had not read yet are read by this table.
  const unread = new RowTable();
  unread.restore(atOnce(table.summary(bareSpec("made"))), () => table.rows());
  const reader = new RowTable();
  reader.become(unread);
  expect([reader.isComplete, reader.rows().length]).toEqual([false, 1]);
});

test("an attempt that continues has its open requests, and its cause", () => {
  const start = { ...begun[0]!, spec: bareSpec("made") };
  const text = { type: "text", request: 1, text: "an answer" };
  const asked = [begun[1]!, prompt(0), prompt(1, { saved: 100 }), prompt(2, { role: "judge" }), text];
  const events = asked.map((event, seq) => ({ task: "a", ...event, seq, at: 0 })) as TaskEvent[];
  const table = told(start, ...asked, scored(0), { type: "note", kind: "x", text: "" }, start);
  expect(table.begun()).toEqual([]);
  table.goOn("a", events);
  expect(table.begun()).toEqual(["a"]);
  const take = (event: object) => table.take({ task: "a", ...event, seq: 9, at: 8000 } as Event);
  const tokens = () =>
    [table.row("a")!.counted, table.row("a")!.spent, table.row("a")!.judging!].map((one) => one.tokens);
  const of = (...times: readonly number[]) =>
    times.map((count) => ({ input: 5 * count, output: 3 * count, estimated: false }));
  take(usage(0));
  expect([tokens(), table.used.tokens]).toEqual([of(1, 1, 0), 8]);
  take(usage(1));
  expect([tokens(), table.used.tokens]).toEqual([of(2, 1, 0), 8]);
  take(usage(2));
  expect([tokens(), table.used.tokens]).toEqual([of(3, 2, 1), 16]);
  take({ type: "finish", request: 1, reason: "stop" });
  take({ type: "note", kind: "end", text: "step limit" });
  take(scored(0));
  expect([table.begun(), table.row("a")!.cause]).toMatchObject([[], { cause: "limit", detail: "step limit" }]);
});

test("times are added in whole milliseconds", () => {
  // 1.001 * 1000 is slightly less than 1001.
  const table = toldAt([0, begun[0]!], [0, begun[1]!], [1001, prompt(0)], [2002, usage(0)]);
  expect([table.used.seconds, table.row("a")!.counted.seconds, table.sums().spent.seconds]).toEqual([
    2.002, 2.002, 2.002,
  ]);
  const saved = {
    type: "result",
    callId: "c",
    name: "t",
    result: { ok: true, observation: "", status: 0 },
    saved: 500_000,
  };
  const reused = toldAt([0, begun[0]!], [0, begun[1]!], [0, prompt(0, { saved: 300_000 })], [0, saved]);
  expect(reused.row("a")!.counted.seconds).toBe(800);
});

test("usage of an unknown request counts as sent to no judge, and contains the cached tokens and the thinking tokens", () => {
  const { counted, spent, judging } = told(...begun, { ...usage(9), cached: 2, reasoning: 1 }).row("a")!;
  const tokens = { input: 5, output: 3, estimated: false, cached: 2, reasoning: 1 };
  expect([counted.tokens, spent.tokens, judging]).toStrictEqual([tokens, tokens, undefined]);
  expect(told(...begun, usage(9)).row("a")!.spent.tokens).toStrictEqual({ input: 5, output: 3, estimated: false });
});

test("settings that a task left unset are noted once each", () => {
  const { notes } = told(begun[0]!, { ...begun[1]!, unset: ["topP", "seed"] }).row("a")!;
  expect(notes).toEqual(["topP", "seed"].map((setting) => ({ type: "unset", setting, times: 1 })));
});

test("a row contains only the mistakes that no person rejected", () => {
  const errors = [{ kind: "order" }, { kind: "no-mistake" }];
  const row = (given: readonly object[]) =>
    told(...begun, {
      type: "scored",
      score: { value: 0, metrics: {}, checks: [], errors: given },
      suiteRevision: 1,
    }).row("a")!;
  expect(row(errors).score!.errors).toEqual([{ kind: "order" }]);
  expect(row(errors.slice(0, 1)).score!.errors).toEqual([{ kind: "order" }]);
});

describe("the cause of a reply that was scored while it was interrupted", () => {
  const start = { ...begun[0]!, spec: bareSpec("made") };
  const text = (request: number, said: string) => ({ type: "text", request, text: said });
  const noted = { type: "note", kind: "x", text: "" };
  const timeout = { type: "failed", failure: { kind: "timeout", message: "3 seconds" } };
  const budget = { type: "failed", failure: { kind: "budget", message: "3 steps" } };
  const form = (said: string) => (said === "[1]" ? ({ got: said, extent: "closed" } as const) : undefined);
  const causeIn = (...events: readonly object[]) => {
    const table = new RowTable(undefined, form);
    const other = { ...begun[1]!, task: "b" };
    const all = [
      start,
      other,
      begun[1]!,
      prompt(0, { messages: [{ role: "user", content: "Say which train leaves" }] }),
    ];
    for (const [seq, event] of [...all, ...events].entries())
      table.take({ task: "a", ...event, seq, at: seq } as Event);
    return table.row("a")!.cause?.cause;
  };

  it("is the time limit if that ended the task directly after its score", () => {
    expect(causeIn(text(0, "Well"), scored(0))).toBe("other-form");
    expect(causeIn(text(0, "Well"), scored(0), timeout)).toBe("limit");
  });

  it("stays as it is if anything else came between", () => {
    expect(causeIn(text(0, "Well"), scored(0), noted, timeout)).toBe("other-form");
    expect(causeIn(text(0, "Well"), scored(0), { ...noted, task: "b" }, timeout)).toBe("other-form");
    expect(causeIn(text(0, "Well"), scored(0), { ...budget, task: "b" }, timeout)).toBe("other-form");
  });

  it("is found again with the score that follows a failure that allows one", () => {
    const finish = { type: "finish", request: 0, reason: "stop" };
    const echo = text(0, "Say which train leaves");
    expect(causeIn(echo, finish, budget)).toBe("echo");
    expect(causeIn(echo, finish, budget, scored(0))).toBe("echo");
    expect(causeIn(echo, finish, budget, scored(0.5))).toBe("other-form");
    const away = { type: "failed", failure: { kind: "model", message: "away" } };
    expect(causeIn(echo, finish, away)).toBe("environment");
    expect(causeIn(echo, finish, away, scored(0.5))).toBe("read");
    // After its score the attempt has ended: a failure changes only what was read.
    expect(causeIn(echo, finish, scored(0), budget)).toBe("echo");
    expect(causeIn(text(0, "[1]"), finish, scored(0), budget)).toBe("limit");
  });

  it("keeps the limit that ended the task before its score", () => {
    const finish = { type: "finish", request: 0, reason: "stop" };
    const end = { type: "note", kind: "end", text: "step limit" };
    const table = new RowTable(undefined, form);
    for (const [seq, event] of [start, begun[1]!, prompt(0), text(0, "[1]"), finish, end, scored(0), budget].entries())
      table.take({ task: "a", ...event, seq, at: seq } as Event);
    expect(table.row("a")!.cause).toMatchObject({ cause: "limit", detail: "step limit" });
  });
});

test("a task that a person holds uses no time", () => {
  const note = (kind: string) => ({ type: "note", kind, text: "" });
  const table = toldAt(
    [0, begun[0]!],
    [0, begun[1]!],
    [1000, note("held")],
    [9000, note("released")],
    [11_000, failed],
  );
  expect([table.used.seconds, table.row("a")!.counted.seconds]).toEqual([3, 3]);
});

test("a cell's selection of tasks ends separately from the whole run, and is open until then", () => {
  const choice = { id: "c", tasks: ["a"] };
  const table = told({ ...begun[0]!, total: 1, choice }, begun[1]!);
  expect([table.isOpen("c"), table.isOpen(), table.total]).toEqual([true, false, 0]);
  expect(table.choices).toEqual(new Map([["c", { tasks: ["a"], total: 1 }]]));
  expect(table.begun()).toEqual(["a"]);
  const end = (more: object) => table.take({ type: "run-ended", seq: 9, at: 9000, ...more } as Event);
  table.take({ ...begun[0]!, joins: true, seq: 5, at: 5000 } as unknown as Event);
  end({ reason: "done", choice: "c" });
  // The tasks of the whole run are still running.
  expect([table.isOpen("c"), table.isOpen(), table.ended, table.begun()]).toEqual([false, true, undefined, ["a"]]);
  expect(table.choices.get("c")).toEqual({ tasks: ["a"], total: 1, ended: { reason: "done" } });
  end({ reason: "stopped", message: "by you", rule: "r" });
  expect([table.isOpen(), table.begun()]).toEqual([false, []]);
  expect(table.ended).toEqual({ reason: "stopped", message: "by you", rule: "r" });
  end({ reason: "done", choice: "unknown" });
  expect(table.choices.get("unknown")).toEqual({ total: 0, ended: { reason: "done" } });
  // All tasks once more: earlier ends do not count.
  table.take({ ...begun[0]!, total: 3, seq: 10, at: 10_000 } as unknown as Event);
  expect([table.ended, table.total]).toEqual([undefined, 3]);
});

test("a run that begins again ends the cells, tasks, requests and attempts that a killed program left", () => {
  const text = { type: "text", request: 0, text: "x" };
  const start = { ...begun[0]!, spec: bareSpec("made") };
  const left = [{ ...start, choice: { id: "c", tasks: ["a"] } }, begun[1]!, prompt(0), text];
  const killed = told(...left);
  expect([killed.isOpen("c"), killed.isOpen(), killed.begun()]).toEqual([true, false, ["a"]]);
  const again = told(...left, start);
  expect([again.isOpen("c"), again.isOpen(), again.begun()]).toEqual([false, true, []]);
  // The score does not belong to the attempt that was left.
  expect(told(...left, start, scored(0)).row("a")!.cause).toBeUndefined();
  const finish = { type: "finish", request: 0, reason: "stop" };
  const continued = told(...left, { ...start, joins: true }, finish, scored(0));
  expect(continued.row("a")!.cause).toEqual({ cause: "read", request: 0, from: 0, to: 1 });
});

test("a run in which several cells execute tasks is closed by the last cell that ends", () => {
  const start = (id: string) => ({ ...begun[0]!, total: 1, joins: true, choice: { id, tasks: ["a"] } });
  const end = (choice: string) => ({ type: "run-ended", reason: "done", choice });
  const one = told(start("c"), start("d"), begun[1]!, end("c"));
  expect([one.isOpen("c"), one.isOpen("d"), one.begun()]).toEqual([false, true, ["a"]]);
  const both = told(start("c"), start("d"), begun[1]!, end("c"), end("d"));
  expect([both.isOpen("c"), both.isOpen("d"), both.begun()]).toEqual([false, false, []]);
});

test("a prompt that was cancelled before it was sent is not counted, and neither is its stage", () => {
  const unsent = (request: number) => ({ type: "note", kind: "unsent", text: "", data: { request, stage: "plan" } });
  const table = told(...begun, prompt(0), prompt(1, { role: "judge" }), unsent(1));
  const { counted, spent, judging, notes } = table.row("a")!;
  expect([counted.calls, spent.calls, judging!.calls, table.used.steps]).toEqual([1, 1, 0, 1]);
  expect(table.sums().spent.calls).toBe(1);
  expect(notes).toContainEqual({ type: "stage", stage: "plan", times: 1 });
  expect(notes).toContainEqual({ type: "note", kind: "unsent", times: 1 });
});

test("the judge's cost is part of the task's cost, and is listed separately, too", () => {
  const asked = prompt(1, { role: "judge" });
  const { counted, judging } = told(...begun, prompt(0), usage(0), asked, usage(1)).row("a")!;
  expect([counted.calls, counted.cost, counted.seconds]).toEqual([2, 22, 4]);
  expect(judging).toMatchObject({ calls: 1, cost: 11, seconds: 1, tokens: { input: 5, output: 3 } });
});

test("a cached reply is noted, and takes no time", () => {
  const { counted, notes } = told(...begun, prompt(0, { saved: "cache" })).row("a")!;
  expect([counted.calls, counted.seconds]).toEqual([1, 1]);
  expect(notes).toContainEqual({ type: "reply", how: "cached", times: 1 });
});

test("a reply is empty if neither text nor a call has arrived since its last attempt started", () => {
  const finish = { type: "finish", request: 0, reason: "stop" };
  const text = { type: "text", request: 0, text: "x" };
  const empty = (...events: readonly object[]) =>
    told(...begun, prompt(0), ...events, finish)
      .row("a")!
      .notes.some((note) => note.type === "reply" && note.how === "empty");
  expect(empty()).toBe(true);
  expect(empty(text)).toBe(false);
  expect(empty({ type: "call", request: 0, call: { id: "c", name: "t", text: "", arguments: {} } })).toBe(false);
  expect(empty(text, retry)).toBe(true);
  expect(empty(text, { type: "thinking", request: 0, text: "x" })).toBe(false);
  expect(empty(text, { type: "thinking", request: 0, text: "x", textBefore: true })).toBe(true);
  expect(empty({ ...text, request: 1 })).toBe(true);
  // Another attempt counts its requests anew.
  expect(empty(text, finish, begun[1]!, prompt(0))).toBe(true);
});

test("a failure after the score leaves the task scored, whereas a failure before the score does not", () => {
  const budget = { type: "failed", failure: { kind: "budget", message: "used up" } };
  expect(told(...begun, scored(1), budget).row("a")).toMatchObject({ state: "scored", failure: { kind: "budget" } });
  expect(told(...begun, budget).row("a")!.state).toBe("failed");
  expect(told(...begun, budget, scored(1)).row("a")!.state).toBe("scored");
});

test("a watcher receives each changed row until it stops watching", () => {
  const table = told(...begun);
  const seen: string[] = [];
  const { version } = table;
  const end = table.watch((task) => seen.push(task));
  const rows = table.rows();
  expect(table.rows()).toBe(rows);
  table.take({ task: "a", ...prompt(0), seq: 2, at: 0 } as unknown as Event);
  table.take({ task: "unknown", ...prompt(0), seq: 3, at: 0 } as unknown as Event);
  expect([seen, table.version]).toEqual([["a"], version + 1]);
  expect(table.rows()).not.toBe(rows);
  end();
  table.take({ task: "a", ...usage(0), seq: 4, at: 0 } as unknown as Event);
  expect(seen).toEqual(["a"]);
});

test("a summary restores everything but the rows, which are read on demand", () => {
  const table = told(...begun, prompt(0), usage(0), { type: "shipment-refused", task: "a" }, scored(1));
  table.take({ type: "run-ended", reason: "done", seq: 9, at: 9000 } as Event);
  const summary = atOnce(table.summary({} as RunSpec));
  expect(summary).toMatchObject({ run: "r", total: 7, refused: 1, ended: { reason: "done" } });
  expect(summary).not.toHaveProperty("choices");
  const restored = new RowTable(() => price);
  let read = 0;
  restored.restore(summary, () => {
    read += 1;
    return table.rows();
  });
  expect([restored.isComplete, restored.isOpen(), restored.refused, read]).toEqual([false, false, 1, 0]);
  expect(restored.sums()).toEqual(table.sums());
  expect(restored.used).toEqual(table.used);
  expect(restored.row("a")).toEqual(table.row("a"));
  expect([restored.isComplete, restored.rows().length, read]).toEqual([true, 1, 1]);
  // Tasks of a killed run count as running as far as its log shows.
  const killed = new RowTable();
  killed.restore({ ...summary, ended: undefined }, () => []);
  expect(killed.isOpen()).toBe(true);
  expect(atOnce(told(...begun).summary({} as RunSpec))).not.toHaveProperty("refused");
});

describe("a restored table", () => {
  const restored = (table: RowTable, into = new RowTable(() => price)) => {
    into.restore(atOnce(table.summary(bareSpec("made"))), () => table.rows());
    return into;
  };
  const cut = { type: "finish", request: 0, reason: "length" };

  it("has the rows, the warnings and the choices of the saved table", () => {
    const choice = { id: "c", tasks: ["a"] };
    const source = { type: "note", kind: "answer-from:r9 none", text: "" };
    const table = told({ ...begun[0]!, warnings: ["start"], choice }, begun[1]!, prompt(0), source, cut);
    expect(restored(table).rows()).toEqual(table.rows());
    const again = restored(table);
    expect([again.warnings, again.taken, again.choices]).toEqual([table.warnings, table.taken, table.choices]);
    expect(again.warnings).toContain("1 of 1 reply cut at maxTokens or at the context limit");
    expect([again.warnings[0], again.taken, again.isOpen(), again.isOpen("c")]).toEqual([
      "start",
      [{ source: { run: "r9", judge: undefined }, answers: 1 }],
      false,
      false,
    ]);
    // Rows that were asked for before do not hide the restored rows.
    const asked = new RowTable(() => price);
    expect([asked.version, asked.rows()]).toEqual([0, []]);
    expect(restored(table, asked).rows()).toHaveLength(1);
  });

  it("knows a later failure if the first failed task begins again", () => {
    const other = { task: "b" };
    const tool = { type: "failed", failure: { kind: "tool", message: "gone" } };
    const model = { type: "failed", failure: { kind: "model", message: "away" } };
    const again = restored(told(...begun, { ...begun[1]!, ...other }, tool, { ...model, ...other }));
    expect(again.sums().failure).toEqual(tool.failure);
    again.take({ task: "a", ...begun[1]!, seq: 9, at: 9000 } as unknown as Event);
    expect(again.sums().failure).toEqual(model.failure);
  });

  it("has costs that are added in the order of the rows, unless rows are on disk", () => {
    const ended = (table: RowTable) => {
      let seq = 0;
      const take = (event: object) => table.take({ seq: seq++, at: 0, ...event } as Event);
      take(begun[0]!);
      for (const task of ["a", "b", "c"]) take({ ...begun[1]!, task });
      for (const [task, input] of [
        ["c", 3],
        ["b", 2],
        ["a", 1],
      ] as const) {
        take({ ...prompt(0), task });
        take({ type: "usage", task, request: 0, input, output: 0, estimated: false });
      }
      return table;
    };
    const cheap = () => ({ input: 100_000, output: 0 });
    const inOrder = 0.1 + 0.2 + 0.3;
    const table = ended(new RowTable(cheap));
    expect(table.sums().spent.cost).not.toBe(inOrder);
    expect(restored(table).sums().spent.cost).toBe(inOrder);
    const stored = { rows: { blocks: [[0, 1, 2, 3]] } as never, grow: false };
    const onDisk = ended(new RowTable(cheap, undefined, stored));
    expect([onDisk.isStored, table.isStored]).toEqual([true, false]);
    expect(restored(onDisk).sums().spent.cost).not.toBe(inOrder);
  });
});
