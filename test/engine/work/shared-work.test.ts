import { describe, expect, it } from "vitest";
import { SharedWork } from "../../../source/engine/work/shared-work.ts";
import type { Monitor } from "../../../source/engine/work/monitor.ts";

/** A waiting caller: the progress it receives, and a way to leave. */
function waiting() {
  const leaving = new AbortController();
  const reported: string[] = [];
  const monitor: Monitor = { signal: leaving.signal, progress: (doing) => void reported.push(doing) };
  return { monitor, reported, leave: () => leaving.abort(new Error("left")) };
}

/** Work that runs until the test finishes it, and records when it was cancelled. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const begun: Monitor[] = [];
  const make = (monitor: Monitor) => {
    begun.push(monitor);
    monitor.signal.addEventListener("abort", () => reject(monitor.signal.reason));
    return promise;
  };
  return { make, begun, finish: resolve, fail: reject };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("work with several waiting callers", () => {
  it("is done once, and all callers get progress reports, including callers that arrive late", async () => {
    const shared = new SharedWork<string>();
    const [one, two, toolkits] = [waiting(), waiting(), work()];
    const first = shared.do("toolkits", one.monitor, toolkits.make);
    await turn();
    toolkits.begun[0]!.progress("embedding");
    const second = shared.do("toolkits", two.monitor, toolkits.make);
    await turn();
    toolkits.begun[0]!.progress("grouping");
    expect([one.reported, two.reported]).toEqual([
      ["embedding", "grouping"],
      ["embedding", "grouping"],
    ]);
    expect(shared.known("toolkits")).toBeUndefined();
    toolkits.finish("made");
    expect(await Promise.all([first, second])).toEqual(["made", "made"]);
    expect([toolkits.begun.length, shared.known("toolkits")]).toEqual([1, "made"]);
    expect(await shared.do("toolkits", waiting().monitor, () => Promise.reject(new Error("not again")))).toBe("made");
  });

  it("runs while a caller waits, is cancelled after the last caller leaves, and starts again for a later caller", async () => {
    const shared = new SharedWork<string>();
    const [one, two, three, toolkits, anew] = [waiting(), waiting(), waiting(), work(), work()];
    const first = shared.do("toolkits", one.monitor, toolkits.make);
    const second = shared.do("toolkits", two.monitor, toolkits.make);
    await turn();
    one.leave();
    await expect(first).rejects.toThrow("left");
    expect(toolkits.begun[0]!.signal.aborted).toBe(false);
    two.leave();
    await expect(second).rejects.toThrow("left");
    expect(toolkits.begun[0]!.signal.aborted).toBe(true);
    const third = shared.do("toolkits", three.monitor, anew.make);
    await turn();
    anew.finish("made anew");
    expect(await third).toBe("made anew");
  });

  it("restarts after a failure, and does not start for callers that have left", async () => {
    const shared = new SharedWork<string>();
    await expect(
      shared.do("toolkits", waiting().monitor, () => Promise.reject(new Error("no endpoint"))),
    ).rejects.toThrow("no endpoint");
    expect(await shared.do("toolkits", waiting().monitor, () => Promise.resolve("made"))).toBe("made");
    const gone = waiting();
    gone.leave();
    const never = work();
    await expect(shared.do("others", gone.monitor, never.make)).rejects.toThrow("left");
    await turn();
    expect(never.begun).toHaveLength(0);
  });
});
