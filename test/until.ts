/** Waits for a condition as long as the runner allows a test: without its own limit, so no test fails for being slow. */
import { hrtime } from "node:process";
import { onTestFailed, onTestFinished, vi } from "vitest";

/**
 * Milliseconds until the second check, and at most between two quick checks. A check slows down the work that is waited for, so a
 * slow check is followed by a pause of twice its time.
 */
const soonest = 5;
const latest = 25;
const slowest = 100;
// The machine's own timer, whatever a test puts in its place.
const { setTimeout: machineTimeout } = globalThis;

/**
 * Repeats `look` until it throws nothing, and returns its value. A test that ends before reports what the last look threw. Timers that
 * a test has replaced are advanced a little before each further look.
 */
export async function until<T>(look: () => T | Promise<T>): Promise<T> {
  let ended = false;
  let missing: unknown;
  let pause = soonest;
  onTestFinished(() => void (ended = true));
  onTestFailed(({ task }) => explain(task.result?.errors, missing));
  for (;;) {
    const from = hrtime.bigint();
    try {
      const found = await look();
      missing = undefined;
      return found;
    } catch (error) {
      missing = error;
    }
    if (ended) throw missing;
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(soonest);
    else pause = Math.min(latest, pause * 1.1);
    const took = Number(hrtime.bigint() - from) / 1e6;
    await new Promise((resolve) => machineTimeout(resolve, Math.max(pause, Math.min(slowest, 2 * took))));
  }
}

function explain(errors: { message: string }[] | undefined, missing: unknown): void {
  const first = errors?.[0];
  if (first !== undefined && missing !== undefined)
    first.message += `\nWaited until this was so no longer: ${(missing as Error).message}`;
}
