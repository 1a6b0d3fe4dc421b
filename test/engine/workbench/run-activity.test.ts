import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Runner } from "../../../source/engine/run/runner.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { Mistake } from "../../../source/engine/types.ts";
import {
  afterEvent,
  idle,
  type RunActivity,
  type RunActivityEvent,
} from "../../../source/engine/workbench/runs/run-activity.ts";
import { until } from "../../until.ts";
import { cellNamed, runsOf } from "./temporary-session.ts";
import { tinySessions } from "./tiny-suite.ts";

// No transition uses the runner.
const runner = {} as Runner;
const before = { failed: true, message: "The disk is full" };
const activities = {
  idle: { kind: "idle", ...before },
  correcting: { kind: "correcting", ...before },
  queued: { kind: "queued", stopped: false, ...before },
  "queued, stopped": { kind: "queued", stopped: true, ...before },
  loading: { kind: "loading", stopped: false, doing: "grouping 3 APIs" },
  "loading, stopped": { kind: "loading", stopped: true, doing: undefined },
  running: { kind: "running", runner },
  paused: { kind: "paused", runner },
  stopping: { kind: "stopping", runner },
} satisfies Record<string, RunActivity>;
const events = {
  start: { type: "start" },
  correct: { type: "correct" },
  progress: { type: "progress", doing: "reading" },
  execute: { type: "execute", runner },
  pause: { type: "pause" },
  resume: { type: "resume" },
  stop: { type: "stop" },
  ended: { type: "ended", failed: false, message: "3 tasks keep their old score", unclosed: undefined },
  corrected: { type: "corrected", unclosed: undefined },
} satisfies Record<RunActivityEvent["type"], RunActivityEvent>;

const loading = { kind: "loading", stopped: false, doing: undefined };
const ended = { kind: "idle", failed: false, message: "3 tasks keep their old score" };
/** The result of each event for each activity; omitted events have no effect. */
const changes: Record<keyof typeof activities, Partial<Record<keyof typeof events, unknown>>> = {
  idle: { start: loading, correct: { kind: "correcting", ...before } },
  correcting: { start: { kind: "queued", stopped: false, ...before }, corrected: { kind: "idle", ...before } },
  queued: { stop: { kind: "queued", stopped: true, ...before }, corrected: loading },
  "queued, stopped": { corrected: { kind: "idle", ...before } },
  loading: {
    stop: { kind: "loading", stopped: true, doing: "grouping 3 APIs" },
    progress: { kind: "loading", stopped: false, doing: "reading" },
    execute: { kind: "running", runner },
    ended,
  },
  "loading, stopped": { progress: { kind: "loading", stopped: true, doing: "reading" }, ended },
  running: { pause: { kind: "paused", runner }, stop: { kind: "stopping", runner }, ended },
  paused: { resume: { kind: "running", runner }, stop: { kind: "stopping", runner }, ended },
  stopping: { ended },
};

describe.each(Object.keys(activities) as (keyof typeof activities)[])("a run that is %s", (name) => {
  test.each(Object.keys(events) as (keyof typeof events)[])("follows the table of transitions on `%s`", (type) => {
    const activity: RunActivity = activities[name];
    const next = afterEvent(activity, events[type]);
    if (type in changes[name]) expect(next).toEqual(changes[name][type]);
    else expect(next).toBe(activity);
  });
});

describe("a log that cannot be closed", () => {
  const unclosed = "No space";

  test("makes a successful run fail", () => {
    const well = { type: "ended", failed: false, message: undefined, unclosed } as const;
    expect(afterEvent(activities.running, well)).toEqual({ kind: "idle", failed: true, message: unclosed });
    expect(afterEvent({ ...idle, kind: "correcting" }, { type: "corrected", unclosed })).toEqual({
      kind: "idle",
      failed: true,
      message: unclosed,
    });
  });

  test("does not hide an earlier failure", () => {
    const badly = { type: "ended", failed: true, message: "No such model", unclosed } as const;
    expect(afterEvent(activities.loading, badly)).toMatchObject({ failed: true, message: "No such model" });
    expect(afterEvent(activities.correcting, { type: "corrected", unclosed })).toMatchObject(before);
  });
});

describe("an active run of a session", () => {
  const { sessions, suite, behaviour } = tinySessions();
  const errorKinds = ["value", "place"].map((name) => ({ name, title: name }));
  beforeEach(() => void Object.assign(suite, { errorKinds }));

  const error: Mistake = { kind: "value", step: 1 };
  const opened = async () => {
    behaviour.score = async () => ({ value: 0, metrics: { right: 0 }, checks: [], errors: [error] });
    const session = await sessions.open("```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n", { suites: [suite] });
    const cell = cellNamed(session, "main");
    const stateOf = () => runsOf(session, "main")[0]!;
    return { session, cell, stateOf };
  };

  test("executes nothing if it is requested during a correction and stopped before the correction is written", async () => {
    const { session, cell, stateOf } = await opened();
    await session.run(cell);
    const { run, calls } = stateOf();
    let score = () => {};
    const asked = new Promise<void>((resolve) => {
      behaviour.score = () =>
        new Promise((scored) => {
          score = () => scored({ value: 0, metrics: { right: 0 }, checks: [], errors: [error] });
          resolve();
        });
    });
    const corrected = session.correct({ run, task: "t0" }, error, "place", "it was so");
    await asked;
    const again = session.run(cell, [{ run, task: "t0" }]);
    expect(stateOf().status).toBe("done");
    session.stop(cell);
    score();
    await Promise.all([corrected, again]);
    expect(stateOf()).toMatchObject({ status: "done", calls });
    expect(session.rows(run)[0]!.score!.errors[0]).toMatchObject({ kind: "place" });
  });

  test("reports that its toolkits are being made, and ends without a failure if it is stopped during that time", async () => {
    let prepared = () => {};
    const preparing = new Promise<void>((resolve) => (prepared = resolve));
    const { open } = suite;
    Object.assign(suite, {
      async open(from: Parameters<Suite["open"]>[0]) {
        const toolkits = {
          made: () => ({}),
          take: async () => {},
          prepare: (
            _: unknown,
            __: unknown,
            { signal, progress }: { signal: AbortSignal; progress(doing: string): void },
          ) =>
            new Promise<void>((_, reject) => {
              signal.addEventListener("abort", () => reject(signal.reason));
              progress("grouping 3 APIs");
              prepared();
            }),
          requests: () => [],
          clusters: () => Promise.resolve(undefined),
        };
        return { ...(await open(from)), toolkits };
      },
    });
    const { session, cell, stateOf } = await opened();
    const running = session.run(cell);
    await preparing;
    expect(stateOf()).toMatchObject({ status: "loading", preparing: "grouping 3 APIs" });
    session.stop(cell);
    await running;
    expect(stateOf()).toMatchObject({ status: "ready", preparing: undefined, message: undefined, calls: 0 });
  });

  test("is done even if its rows cannot be saved next to the log, because the log contains them", async () => {
    const { session, cell, stateOf } = await opened();
    for (const name of ["rows.jsonl", "events.index"])
      mkdirSync(join(sessions.path, "runs", stateOf().run, name), { recursive: true });
    await session.run(cell);
    expect(stateOf()).toMatchObject({ status: "done", message: undefined });
    const { counts } = stateOf();
    await session.close();
    const again = await opened();
    expect(again.stateOf()).toMatchObject({ status: "done", counts });
  });

  test("is stopping from the time its own limit is reached until the tasks in flight have ended", async () => {
    const { session, cell, stateOf } = await opened();
    session.edit(cell, "suite: tiny\nmodel: builtin/oracle\nbudget: {run: {steps: 3}}\n");
    let release = () => {};
    let reach = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const score = behaviour.score;
    behaviour.score = async (task, ...rest) => {
      if (task.id === "t0") reach();
      await (task.id === "t0" ? released : reached);
      return score(task, ...rest);
    };
    session.setConcurrency(cell, 2);
    const running = session.run(cell);
    await until(() => expect(stateOf()).toMatchObject({ status: "stopping", counts: { running: 1 } }));
    release();
    await running;
    expect(stateOf()).toMatchObject({ status: "partial", message: "The run reached its limit of 3 steps", calls: 3 });
  });
});
