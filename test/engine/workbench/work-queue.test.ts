import { describe, expect, it } from "vitest";
import { WorkQueue } from "../../../source/engine/workbench/figures/work-queue.ts";

/** Opens a queue; returns it with the number of reported changes and the names of started work. */
function openQueue() {
  const started: string[] = [];
  let changes = 0;
  const queue = new WorkQueue(() => (changes += 1));
  const want = (name: string, of = "", work: (signal: AbortSignal) => Promise<unknown> = () => Promise.resolve()) =>
    queue.want(name, of, (signal) => {
      started.push(`${name} ${of}`.trim());
      return work(signal);
    });
  return { queue, want, started, changes: () => changes };
}

describe("the queue of work that cells need", () => {
  it("starts on request only, and does each piece of work once", async () => {
    const { queue, want, started, changes } = openQueue();
    want("rows");
    want("rows");
    expect(started).toEqual([]);
    queue.begin();
    want("rows");
    queue.begin();
    expect(started).toEqual(["rows"]);
    expect(await queue.finish()).toBe(true);
    expect(await queue.finish()).toBe(false);
    expect([started, changes()]).toEqual([["rows"], 1]);
  });

  it("ends work that newer work replaces, and reports no change for it", async () => {
    const { queue, want, started, changes } = openQueue();
    const reasons: unknown[] = [];
    const never = (signal: AbortSignal) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject((reasons.push(signal.reason), signal.reason as Error))),
      );
    want("figures", "one text", never);
    queue.begin();
    want("figures", "another text");
    want("figures", "one text", never);
    queue.begin();
    expect(reasons).toEqual([]);
    want("figures", "another text");
    expect(await queue.finish()).toBe(true);
    expect(reasons).toMatchObject([{ message: "Newer work replaced this work" }]);
    expect([started, changes()]).toEqual([["figures one text", "figures another text"], 1]);
  });

  it("reports no change for work that failed or had no result, and this work can be tried again", async () => {
    const { queue, want, started, changes } = openQueue();
    want("data", "", () => Promise.reject(new Error("Expected data, got none")));
    want("tasks", "", () => Promise.resolve(false));
    expect(await queue.finish()).toBe(false);
    want("data");
    expect(await queue.finish()).toBe(true);
    expect([started, changes()]).toEqual([["data", "tasks", "data"], 1]);
  });
});
