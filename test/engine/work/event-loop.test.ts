import { expect, test, describe, it, vi } from "vitest";
import { nextTurn } from "../../../source/engine/work/event-loop.ts";
import { whenAborted } from "../../../source/engine/work/abort-listeners.ts";

test("long tasks alternate: only one of them continues between two iterations of the event loop", async () => {
  let iteration = 0;
  let isOver = false;
  const tick = () => {
    iteration += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const at: number[] = [];
  const work = async () => {
    for (let turn = 0; turn < 5; turn++) {
      await nextTurn();
      at.push(iteration);
    }
  };
  await Promise.all([work(), work(), work()]);
  isOver = true;
  expect(at).toHaveLength(15);
  expect(new Set(at).size).toBe(15);
});

describe("actions that follow the abort of a signal", () => {
  it("happen once, in order, unless they are withdrawn", () => {
    const controller = new AbortController();
    const happened: string[] = [];
    whenAborted(controller.signal, () => happened.push("first"));
    const takeBack = whenAborted(controller.signal, () => happened.push("never"));
    whenAborted(controller.signal, () => happened.push("last"));
    takeBack();
    controller.abort();
    controller.abort();
    expect(happened).toEqual(["first", "last"]);
  });

  it("share one listener of the signal", () => {
    const { signal } = new AbortController();
    const listens = vi.spyOn(signal, "addEventListener");
    const ends = Array.from({ length: 100 }, () => whenAborted(signal, () => {}));
    for (const end of ends) end();
    whenAborted(signal, () => {});
    expect(listens).toHaveBeenCalledTimes(1);
  });
});
