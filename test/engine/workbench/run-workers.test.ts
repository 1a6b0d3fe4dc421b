import { describe, expect, it } from "vitest";
import { LiveStream } from "../../../source/engine/log/live-stream.ts";
import { trajectoryOf } from "../../../source/engine/log/trajectory.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";
import { runWorkers, workerTexts } from "../../../source/engine/workbench/runs/run-status.ts";

const started = (task: string, name?: string): TaskEvent => ({
  type: "started",
  seq: 0,
  at: 0,
  task,
  facets: {},
  question: "?",
  ...(name !== undefined && { worker: { name, attempt: "1" } }),
});
const events = [started("a", "node2"), started("b", "node1"), started("c", "node2"), started("d")];
const live = (task: string) =>
  new LiveStream(
    task,
    events.filter((event) => event.task === task),
  );

describe("the workers of a run", () => {
  it("are listed with the number of their unfinished tasks", () => {
    expect(runWorkers(["a", "b", "c", "d", "none"], live)).toEqual({
      workers: [
        { worker: "node1", tasks: 1 },
        { worker: "node2", tasks: 2 },
      ],
    });
  });

  it("are undefined if this program executes the run", () => {
    expect(runWorkers(["d"], live)).toEqual({});
  });

  it("are listed if there is room for them, otherwise counted", () => {
    const workers = Array.from({ length: 30 }, (_, index) => ({ worker: `node${index}`, tasks: 4 }));
    expect(workerTexts(workers).slice(-2)).toEqual(["node7: 4 tasks", "22 more workers: 88 tasks"]);
    expect(workerTexts([{ worker: "node1", tasks: 1 }])).toEqual(["node1: 1 task"]);
  });
});

it("a trajectory shows the worker of its last attempt", () => {
  expect(trajectoryOf("a", [started("a", "node1"), started("a", "node2")]).worker).toBe("node2");
  expect(trajectoryOf("a", [started("a", "node1"), started("a")])).not.toHaveProperty("worker");
});
