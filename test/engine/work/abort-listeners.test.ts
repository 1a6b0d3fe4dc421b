import { describe, expect, it, vi } from "vitest";
import { whenAborted } from "../../../source/engine/work/abort-listeners.ts";

describe("what is to happen when a signal is aborted", () => {
  it("happens once, in order, but for what was taken back", () => {
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

  it("is one listener of the signal, however much it is", () => {
    const { signal } = new AbortController();
    const listens = vi.spyOn(signal, "addEventListener");
    const ends = Array.from({ length: 100 }, () => whenAborted(signal, () => {}));
    for (const end of ends) end();
    whenAborted(signal, () => {});
    expect(listens).toHaveBeenCalledTimes(1);
  });
});
