import { whenAborted } from "../../work/abort-listeners.ts";
import { type Clock, machineClock } from "../../work/clock.ts";

/** Resolves after `milliseconds`; throws the signal's reason as soon as it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal, clock: Clock = machineClock): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const timer = clock.setTimeout(() => {
      letGo();
      resolve();
    }, milliseconds);
    const letGo = whenAborted(signal, () => {
      clock.clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
