import { publicRow } from "../../../source/engine/log/rows/row-notes.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readLog } from "../../../source/engine/log/file/log-reader.ts";
import { Log } from "../../../source/engine/log/file/log.ts";
import { ContextProblem, ModelProblem, OutageProblem } from "../../../source/engine/models/problem.ts";
import { Problem } from "../../../source/engine/problem.ts";
import { Runner, type RunnerOptions } from "../../../source/engine/run/runner.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Event, Model, RunSpec, Chunk, ModelRequest, Score, Task } from "../../../source/engine/types.ts";
import { until } from "../../until.ts";
import { openTestClock } from "../work/test-clock.ts";
import { toySpec } from "../models/toy.ts";
import { ask } from "../../../source/engine/run/ask.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";

const tasks = (count: number): Task[] =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, question: "", input: 0, answer: 0, facets: {} }));

/** Asks `requests` times and answers with the last reply. */
const asking = (requests: number): Strategy => ({
  name: "direct",
  title: "Direct",
  needs: "stages",
  revision: 1,
  roles: ["model"],
  async *run(context) {
    let text = "";
    for (let index = 0; index < requests; index++) {
      const messages = [{ role: "user" as const, content: `${context.task.id}?` }];
      ({ text } = yield* ask(context, { role: "model", stage: "plan", messages }));
      yield { type: "answer", answer: text };
    }
  },
});

/** Asks with a tool in every case. */
const offering = (requests: number): Strategy => ({
  ...asking(requests),
  async *run(context) {
    const question = { role: "model", stage: "step", messages: [{ role: "user", content: "Find it" }] } as const;
    for (let index = 0; index < requests; index++) {
      const { text } = yield* ask(context, { ...question, tools: [{ name: "find", description: "", parameters: {} }] });
      yield { type: "answer", answer: text };
    }
  },
});

type Reply = (request: ModelRequest) => AsyncIterable<Chunk>;
const say = (text: string, input = 6, output = 4): Reply =>
  async function* () {
    yield { type: "text", text };
    yield { type: "usage", input, output, estimated: false };
    yield { type: "finish", reason: "stop" };
  };
const fail = (problem: Error): Reply =>
  // oxlint-disable-next-line require-yield
  async function* () {
    throw problem;
  };
/** Never replies until it is aborted. */
const silent: Reply = async function* ({ signal }) {
  yield { type: "text", text: "half" };
  signal.throwIfAborted();
  await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
};

const right = (value: number | undefined): Score => ({ value, metrics: {}, checks: [], errors: [] });
const scoring = (score: LoadedSuite["score"]) =>
  ({ suite: { revision: 1 }, warnings: [], asks: { stages: () => [] }, score }) as unknown as LoadedSuite;
const answered = scoring((_, { answer }) => Promise.resolve(right(answer === undefined ? 0 : 1)));

let folder: string;
let log: Log;
let table: RowTable;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-runner-"));
  table = new RowTable();
  log = new Log(join(folder, "events.jsonl"), undefined, { take: (event) => table.take(event) });
});
afterEach(() => {
  log.close();
  rmSync(folder, { recursive: true });
});

type Made = Partial<RunnerOptions> & { readonly reply?: Reply; readonly judge?: Reply };
function runner({ reply = say("yes"), judge, spec = toySpec, ...more }: Made): Runner {
  const price = { input: 100_000, output: 100_000 };
  const model = (name: string): Model => {
    const stream = name === "lab/judge" && judge !== undefined ? judge : reply;
    return { name, readsAnswerKey: false, price, stream };
  };
  return new Runner({
    spec,
    loaded: answered,
    strategy: asking(1),
    pool: [],
    log,
    model,
    tasks: tasks(6),
    concurrency: 1,
    changed: () => {},
    ...more,
  });
}

test("a prompt that is stopped before it is sent is not counted", async () => {
  let asked = 0;
  const waiting: Reply = async function* (request) {
    asked += 1;
    if (asked <= 2) return yield* say("yes")(request);
    request.waits?.(true);
    const { signal } = request;
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  };
  const made = runner({ reply: waiting, concurrency: 4 });
  const ended = made.run();
  await until(() => expect(asked).toBe(6));
  expect(table.sums().spent.calls).toBe(6);
  made.stop();
  await ended;
  expect(table.sums().spent.calls).toBe(2);
  expect(table.used.steps).toBe(2);
  const counted = table
    .rows()
    .map(publicRow)
    .map(({ state, calls, counts }) => [state, calls, counts["stage:plan"]]);
  expect(counted.toSorted()).toEqual([...Array(4).fill(["failed", 0, 0]), ...Array(2).fill(["scored", 1, 1])]);
});

const budget = (of: RunSpec["budget"]): RunSpec => ({ ...toySpec, budget: of });
const states = () => table.rows().map(({ state, failure }) => failure?.kind ?? state);
const events = () => {
  log.flush();
  const all: Event[] = [];
  readLog(join(folder, "events.jsonl"), (event) => all.push(event));
  return all;
};

describe("limits of a run and of its tasks", () => {
  test("end a task at the task's limit, and score its answer so far", async () => {
    const end = await runner({ spec: budget({ task: { steps: 2 } }), strategy: asking(5), tasks: tasks(2) }).run();
    expect(end).toEqual({ reason: "done", bugs: 0 });
    for (const row of table.rows()) {
      expect(publicRow(row)).toMatchObject({
        state: "scored",
        calls: 2,
        score: { value: 1 },
        failure: { kind: "budget", message: "The task reached its limit of 2 steps" },
      });
    }
  });

  test.each([
    [{ steps: 1 }, "1 step", 1],
    [{ tokens: 15 }, "15 tokens", 2],
    [{ cost: 2.5 }, "2.5 cost", 3],
  ])("apply to each task: %j", async (task, words, calls) => {
    await runner({ spec: budget({ task }), strategy: asking(5), tasks: tasks(1) }).run();
    expect(publicRow(table.row("t0")!)).toMatchObject({
      calls,
      failure: { message: `The task reached its limit of ${words}` },
    });
  });

  test("abort a silent model when the task's seconds are used up, and score the answer so far", async () => {
    const clock = openTestClock();
    const running = runner({ spec: budget({ task: { seconds: 5 } }), reply: silent, tasks: tasks(2), clock }).run();
    await clock.advance(4999);
    expect(states()).toEqual(["running"]);
    await clock.advance(5001);
    const end = await running;
    expect(end).toEqual({ reason: "done", bugs: 0 });
    expect(table.row("t1")).toMatchObject({
      state: "scored",
      score: { value: 0 },
      failure: { kind: "timeout", message: "The task reached its limit of seconds" },
    });
    expect(events().filter((event) => event.type === "text")).toMatchObject([{ text: "half" }, { text: "half" }]);
  });

  test("end a run at the run's limit; unfinished tasks stay open and do not count as wrong", async () => {
    const end = await runner({ spec: budget({ run: { steps: 5 } }), strategy: asking(2), concurrency: 3 }).run();
    expect(end).toEqual({
      reason: "stopped",
      message: "The run reached its limit of 5 steps",
      rule: "budget",
      bugs: 0,
    });
    expect(table.rows().reduce((sum, row) => sum + row.counted.calls, 0)).toBe(5);
    expect(table.rows().filter(({ score }) => score?.value === 0)).toEqual([]);
    expect(new Set(states())).toEqual(new Set(["scored", "stopped"]));
  });

  test("abort requests in flight when the run's seconds are used up", async () => {
    const clock = openTestClock();
    const running = runner({ spec: budget({ run: { seconds: 5 } }), reply: silent, concurrency: 2, clock }).run();
    await clock.advance(4999);
    expect(states()).toEqual(["running", "running"]);
    await clock.advance(1);
    const end = await running;
    expect(end).toMatchObject({ reason: "stopped", message: "The run reached its limit of 5 seconds" });
    expect(states()).toEqual(["stopped", "stopped"]);
  });
});

describe("an endpoint that stays unreachable", () => {
  const away = new OutageProblem("Endpoint lab has not answered for 15 minutes");

  test("pauses the run; after resuming, all tasks are scored", async () => {
    let isAway = false;
    const reply: Reply = (request) => (isAway ? fail(away) : say("yes"))(request);
    let asked = 0;
    const counted: Reply = (request) => {
      isAway ||= ++asked === 3;
      return reply(request);
    };
    const pauses: (string | undefined)[] = [];
    const made: Runner = runner({ reply: counted, concurrency: 2, pausing: () => pauses.push(made.pauseReason) });
    const running = made.run();
    await until(() => expect([made.running(), made.paused]).toEqual([[], true]));
    expect(pauses).toEqual([away.message]);
    expect(new Set(states())).toEqual(new Set(["scored", "stopped"]));
    expect(table.rows().filter(({ score }) => score?.value === 0)).toEqual([]);
    isAway = false;
    asked = 10;
    made.resume();
    expect(await running).toEqual({ reason: "done", bugs: 0 });
    expect(states()).toEqual(Array.from({ length: 6 }, () => "scored"));
  });

  test("is reported as the reason if the paused run is stopped", async () => {
    const made = runner({ reply: fail(away) });
    const running = made.run();
    await until(() => expect(made.paused).toBe(true));
    made.stop();
    expect(await running).toEqual({ reason: "stopped", message: away.message, bugs: 0 });
  });
});

describe("a prompt that exceeds the model's context", () => {
  const full: Reply = fail(new ContextProblem("400 prompt is too long"));

  test("ends the task with this reason, and the answer so far is scored", async () => {
    const reply: Reply = (request) => (++asked % 2 === 0 ? full : say("yes"))(request);
    let asked = 0;
    const end = await runner({ reply, strategy: asking(5), tasks: tasks(2) }).run();
    expect(end).toEqual({ reason: "done", bugs: 0 });
    for (const row of table.rows())
      expect(row).toMatchObject({
        state: "scored",
        counted: { calls: 2 },
        score: { value: 1 },
        failure: { kind: "context" },
      });
    expect(table.sums()).toMatchObject({ right: 2, failed: 0, outOfContext: 2 });
  });

  test("fails the task without a score if only the judge's prompt is too long", async () => {
    const judged = scoring(async (_, __, { ask: askJudge }) => right(Number(await askJudge!("judge", []))));
    await runner({ loaded: judged, spec: { ...toySpec, judge: "lab/judge" }, judge: full, tasks: tasks(1) }).run();
    expect(table.row("t0")).toMatchObject({ state: "failed", score: undefined, failure: { kind: "judge" } });
  });
});

test("a task whose time limit ends while its model is unreachable is not scored", async () => {
  const clock = openTestClock();
  const away: Reply = async function* ({ signal }) {
    yield { type: "retry", attempt: 1, status: undefined, error: "connect ECONNREFUSED", wait: 60_000 };
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  };
  const running = runner({ spec: budget({ task: { seconds: 5 } }), reply: away, tasks: tasks(1), clock }).run();
  await clock.advance(5000);
  await running;
  expect(table.row("t0")).toMatchObject({ state: "failed", score: undefined, failure: { kind: "model" } });
});

describe("a model that fails a task", () => {
  const down = () => new ModelProblem("connect ECONNREFUSED", { attempts: 4 });
  test.each([
    ["is down", down()],
    ["rejects the key", new ModelProblem("401 wrong key", { status: 401, attempts: 1 })],
    ["has no such model", new ModelProblem("404 no such model", { status: 404, attempts: 1 })],
  ])("ends the run after three tasks, with the reason, if the model %s", async (_, problem) => {
    const end = await runner({ reply: fail(problem) }).run();
    expect(end).toEqual({ reason: "failed", message: problem.message, bugs: 0 });
    expect(states()).toEqual(["model", "model", "model"]);
  });

  test("ends the run at the first task if the failure is permanent, for example a used-up quota", async () => {
    const problem = new ModelProblem("429 no money left", { status: 429, attempts: 1, hopeless: true });
    const end = await runner({ reply: fail(problem), concurrency: 1 }).run();
    expect(end).toEqual({ reason: "failed", message: problem.message, bugs: 0 });
    expect(states()).toEqual(["model"]);
  });

  test("ends the task after ten requests if it never calls a tool, and the answer so far is scored", async () => {
    const made = runner({ tasks: tasks(1), strategy: offering(12) });
    expect(await made.run()).toEqual({ reason: "done", bugs: 0 });
    const row = table.rows()[0]!;
    expect(publicRow(row)).toMatchObject({
      state: "scored",
      failure: undefined,
      calls: 10,
      counts: { "no-tool-call": 1, end: 1 },
    });
    expect(table.warnings).toContain(
      "1 task ended after 10 requests in a row without a readable action (no-tool-call)",
    );
  });

  test("ends a run of a single task at the first failure", async () => {
    expect(await runner({ reply: fail(down()), tasks: tasks(1) }).run()).toMatchObject({ reason: "failed" });
  });

  test("does not end the run if its server only rejects requests", async () => {
    const end = await runner({ reply: fail(new ModelProblem("400 too long", { status: 400, attempts: 1 })) }).run();
    expect(end).toEqual({ reason: "done", bugs: 0 });
    expect(states()).toEqual(Array.from({ length: 6 }, () => "model"));
  });

  test("ends the run only if three tasks in a row fail: a task that reaches the model resets the count", async () => {
    let asked = 0;
    const replies = [fail(down()), fail(down()), fail(new Problem("parse", "nonsense"))];
    const end = await runner({ reply: (request) => replies[asked++ % 3]!(request) }).run();
    expect(end).toEqual({ reason: "done", bugs: 0 });
    expect(states()).toEqual(["model", "model", "parse", "model", "model", "parse"]);
    // An answer that could not be parsed is still scored.
    expect(table.row("t2")).toMatchObject({ state: "scored", score: { value: 0 } });
  });
});

describe("bugs of the program", () => {
  test("are recorded and counted if they are in a scorer, and do not end the run", async () => {
    const score: LoadedSuite["score"] = (task) => {
      if (task.id === "t1") throw new TypeError("x is not a function");
      return Promise.resolve(right(1));
    };
    expect(await runner({ loaded: scoring(score) }).run()).toEqual({ reason: "done", bugs: 1 });
    expect(table.row("t1")).toMatchObject({
      state: "failed",
      score: undefined,
      failure: { kind: "bug", message: "TypeError: x is not a function" },
    });
  });

  test("end the run at the third occurrence of a bug, and the other tasks stay open until the program is fixed", async () => {
    const score: LoadedSuite["score"] = () => Promise.reject(new TypeError("x is not a function"));
    const end = await runner({ loaded: scoring(score) }).run();
    expect(end).toEqual({ reason: "failed", message: "TypeError: x is not a function", bugs: 3 });
    expect(states()).toEqual(["bug", "bug", "bug"]);
  });

  test("do not end the run if the bugs differ from each other", async () => {
    const score: LoadedSuite["score"] = ({ id }) => Promise.reject(new TypeError(`${id} is not a function`));
    expect(await runner({ loaded: scoring(score) }).run()).toEqual({ reason: "done", bugs: 6 });
  });

  test("are recorded if the choice of demonstrations throws, and the run still ends", async () => {
    const loaded = {
      ...answered,
      shots: () => {
        throw new RangeError("no pool");
      },
    };
    const end = await runner({ loaded, spec: { ...toySpec, shots: 1 }, tasks: tasks(2) }).run();
    expect(end).toEqual({ reason: "done", bugs: 2 });
    expect(states()).toEqual(["bug", "bug"]);
  });

  test("end the run if the log cannot be written to", async () => {
    const made = runner({});
    log.close();
    const end = await made.run();
    expect(end).toMatchObject({ reason: "failed", bugs: 1 });
    expect(end.message).toContain("to be open");
  });
});

describe("judges of a run", () => {
  const judged = scoring(async (_, __, { ask: askJudge }) => {
    const reply = await askJudge?.("judge", [{ role: "user", content: "How good?" }]);
    return right(reply === undefined ? undefined : Number(reply));
  });
  const spec: RunSpec = { ...toySpec, judge: "lab/judge" };

  test("are asked through the log, so that their calls and tokens count", async () => {
    await runner({ loaded: judged, spec, judge: say("0.5", 30, 1), tasks: tasks(2) }).run();
    expect(publicRow(table.row("t0")!)).toMatchObject({
      score: { value: 0.5 },
      calls: 2,
      tokens: { input: 36, output: 5 },
      counts: { "stage:plan": 1, "stage:judge": 1 },
    });
    const prompts = events().filter((event) => event.type === "prompt");
    expect(prompts.map(({ role, model }) => `${role} ${model}`)).toEqual([
      "model builtin/oracle",
      "judge lab/judge",
      "model builtin/oracle",
      "judge lab/judge",
    ]);
  });

  test("leave the score undefined, not 0, if no judge is configured", async () => {
    await runner({ loaded: judged, tasks: tasks(1) }).run();
    expect(table.row("t0")).toMatchObject({ state: "scored", score: { value: undefined } });
  });

  test("fail the task with the cause `judge` if they cannot be reached, and end the run like any model", async () => {
    const down = new ModelProblem("connect ECONNREFUSED", { attempts: 4 });
    const end = await runner({ loaded: judged, spec, judge: fail(down) }).run();
    expect(end).toMatchObject({ reason: "failed", message: "The judge: connect ECONNREFUSED" });
    expect(states()).toEqual(["judge", "judge", "judge"]);
  });
});

describe("the user of a run", () => {
  test("pauses the run: requests in flight end, and no request starts until the user resumes the run", async () => {
    const made = runner({ concurrency: 2 });
    const running = made.run();
    made.pause();
    await until(() => expect(made.running()).toEqual([]));
    expect(made.paused).toBe(true);
    expect(table.rows()).toHaveLength(2);
    made.resume();
    expect(await running).toEqual({ reason: "done", bugs: 0 });
    expect(table.rows()).toHaveLength(6);
  });

  test("stops the run, even a paused run: tasks in flight are executed again next time", async () => {
    const made = runner({ reply: silent, concurrency: 4 });
    const running = made.run();
    await until(() => expect(made.live("t0")?.events.some(({ type }) => type === "text")).toBe(true));
    made.pause();
    made.stop();
    expect(await running).toEqual({ reason: "stopped", bugs: 0 });
    expect(states()).toEqual(["stopped", "stopped", "stopped", "stopped"]);
    expect(table.rows().every(({ score }) => score === undefined)).toBe(true);
  });

  test("changes the concurrency of the run while it is active", async () => {
    const made = runner({ reply: silent });
    const running = made.run();
    expect(made.running()).toHaveLength(1);
    made.setConcurrency(4);
    expect(made.running()).toHaveLength(4);
    made.setConcurrency(0);
    expect(made.concurrency).toBe(1);
    made.setConcurrency(Number.NaN);
    expect(made.concurrency).toBe(1);
    made.stop();
    await running;
  });
});

test("text of a stream that pauses is on disk within a second", async () => {
  const clock = openTestClock();
  const made = runner({ reply: silent, tasks: tasks(1), clock });
  const running = made.run();
  await clock.advance(1000);
  expect(events()).toContainEqual(expect.objectContaining({ type: "text", text: "half" }));
  made.stop();
  await running;
});
