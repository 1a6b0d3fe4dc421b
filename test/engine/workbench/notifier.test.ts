import { describe, expect, test, vi } from "vitest";
import { Notifier } from "../../../source/engine/workbench/runs/notifier.ts";
import { openTestClock } from "../work/test-clock.ts";

test("listeners are notified of a user's action immediately, and of run events once per frame", async () => {
  const clock = openTestClock();
  const notifier = new Notifier(clock);
  const heard = vi.fn();
  const leave = notifier.subscribe(heard);
  for (let index = 0; index < 1000; index++) notifier.soon();
  expect(heard).not.toHaveBeenCalled();
  await clock.advance(50);
  expect(heard).toHaveBeenCalledTimes(1);
  notifier.soon();
  notifier.now();
  await clock.advance(500);
  expect(heard).toHaveBeenCalledTimes(2);
  leave();
  notifier.now();
  expect(heard).toHaveBeenCalledTimes(2);
  expect(notifier.version).toBe(3);
});

test("a change after the end starts no timer, which would keep the program from ending", () => {
  const clock = openTestClock();
  const notifier = new Notifier(clock);
  notifier.soon();
  expect(clock.due()).toEqual([50]);
  notifier.close();
  notifier.soon();
  expect(clock.due()).toEqual([]);
  const idle = new Notifier(clock);
  idle.close();
  idle.soon();
  expect(clock.due()).toEqual([]);
});

describe("screen updates during a streaming run", () => {
  /** Each frame blocks the thread for this many milliseconds. */
  function open(frame: number) {
    const clock = openTestClock();
    let worked = 0;
    const notifier = new Notifier(clock, { worked: () => worked, whenDone: (then) => then() });
    let frames = 0;
    notifier.subscribe(() => {
      frames += 1;
      worked += frame;
    });
    /** Returns the number of frames drawn in two seconds while streams block the thread for this share of the time. */
    const stream = async (share: number) => {
      const before = frames;
      for (let passed = 0; passed < 2_000; passed += 10) {
        notifier.soon();
        await clock.advance(10);
        worked += 10 * share;
      }
      return frames - before;
    };
    return { notifier, stream };
  }

  test("are as frequent as an idle thread allows, even if a frame is slow", async () => {
    expect(await open(4).stream(0.3)).toBe(40);
    expect(await open(20).stream(0.3)).toBe(40);
  });

  test("take at most a twenty-fifth of a busy thread's time, or occur five times a second", async () => {
    expect(await open(1).stream(0.9)).toBe(40);
    // The first after 50 milliseconds, then one every 75.
    expect(await open(3).stream(0.9)).toBe(27);
    expect(await open(30).stream(0.9)).toBe(10);
  });

  test("become more frequent again when the thread is less busy", async () => {
    const { stream } = open(8);
    expect(await stream(0.9)).toBe(10);
    expect(await stream(0.3)).toBeGreaterThan(35);
  });

  test("do not delay a user's action", async () => {
    const { notifier, stream } = open(8);
    await stream(0.9);
    const heard = vi.fn();
    notifier.subscribe(heard);
    notifier.now();
    notifier.now();
    expect(heard).toHaveBeenCalledTimes(2);
  });
});
