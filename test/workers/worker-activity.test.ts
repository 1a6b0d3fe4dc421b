import { describe, expect, it } from "vitest";
import type { TaskEvent } from "../../source/engine/types.ts";
import { WorkerActivity } from "../../source/workers/presence.ts";
import { openTestClock } from "../engine/work/test-clock.ts";

const usage = (output: number): TaskEvent => ({
  type: "usage",
  seq: 1,
  at: 0,
  task: "t",
  request: 0,
  input: 1000,
  output,
  estimated: false,
});

describe("the report of a worker's activity", () => {
  it("lists the tasks in hand, and counts ended and failed tasks", () => {
    const activity = new WorkerActivity(openTestClock());
    const first = activity.begin({ run: "r", task: "1" });
    const second = activity.begin({ run: "r", task: "2" });
    const third = activity.begin({ run: "other", task: "1" });
    expect(activity.now()).toMatchObject({
      ended: 0,
      failed: 0,
      tasks: [
        { run: "r", task: "1" },
        { run: "r", task: "2" },
        { run: "other", task: "1" },
      ],
    });
    first("scored");
    second("failed");
    expect(activity.now()).toMatchObject({ ended: 2, failed: 1, tasks: [{ run: "other", task: "1" }] });
    // The task was aborted, so the worker that executes it again counts it.
    third();
    expect(activity.now()).toMatchObject({ ended: 2, failed: 1, tasks: [] });
  });

  it("reports the models' tokens per second over the last minute", async () => {
    const clock = openTestClock();
    const activity = new WorkerActivity(clock);
    activity.take(usage(60));
    expect(activity.now().tokensPerSecond).toBe(60);
    await clock.advance(30_000);
    activity.take(usage(120));
    expect(activity.now().tokensPerSecond).toBe(180 / 30);
    await clock.advance(30_000);
    expect(activity.now().tokensPerSecond).toBe(120 / 60);
    await clock.advance(30_000);
    expect(activity.now().tokensPerSecond).toBe(0);
  });

  it("reports the load of the machine", () => {
    expect(new WorkerActivity(openTestClock()).now().load).toBeGreaterThanOrEqual(0);
  });
});
