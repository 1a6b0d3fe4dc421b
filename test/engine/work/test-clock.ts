/** A clock that stands still until a test advances it. */
import { machineClock, type Clock, type Timer } from "../../../source/engine/work/clock.ts";

export type TestClock = Clock & {
  /** Advances time, running timers that become due in order; before each, pending promises are settled. */
  advance(milliseconds: number): Promise<void>;
  /** Milliseconds until each pending timer, the next one first. */
  due(): readonly number[];
};

type Due = Timer & { at: number; readonly order: number; readonly call: () => void };

export function openTestClock(): TestClock {
  const due = new Set<Due>();
  let now = 0;
  let made = 0;
  const next = (until: number) =>
    [...due].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];
  const advance = async (milliseconds: number) => {
    const until = now + milliseconds;
    await settled();
    for (let timer = next(until); timer !== undefined; timer = next(until)) {
      now = Math.max(now, timer.at);
      due.delete(timer);
      timer.call();
      await settled();
    }
    now = until;
  };
  return {
    now: () => now,
    setTimeout(then, milliseconds) {
      const timer: Due = {
        at: now + milliseconds,
        order: made++,
        call: then,
        refresh() {
          timer.at = now + milliseconds;
          due.add(timer);
        },
        unref: () => {},
      };
      due.add(timer);
      return timer;
    },
    clearTimeout(timer) {
      if (timer !== undefined) due.delete(timer as Due);
    },
    advance,
    due: () => [...due].map(({ at }) => at - now).sort((a, b) => a - b),
  };
}

/** The machine's clock, except timers of `least` milliseconds or more, which the test clock controls. */
export function nearClock(far: TestClock, least: number): Clock {
  return {
    now: machineClock.now,
    setTimeout: (then, milliseconds) => (milliseconds >= least ? far : machineClock).setTimeout(then, milliseconds),
    clearTimeout(timer) {
      far.clearTimeout(timer);
      machineClock.clearTimeout(timer);
    },
  };
}

/** Iterations of the event loop in which settled promises continue; no timer advances. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
