/**
 * What is to happen when a signal is aborted. To take one listener more, a signal looks through all it has: those of hundreds of
 * requests, in a run that has so many in flight.
 */
import { type Clock, machineClock } from "./clock.ts";

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `aborted`, which must not throw, when the signal is aborted; where it was before, nothing is called. Returns the end of
 * that.
 */
export function whenAborted(signal: AbortSignal, aborted: () => void): () => void {
  const all = listeners.get(signal) ?? listening(signal);
  all.add(aborted);
  return () => void all.delete(aborted);
}

function listening(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  listeners.set(signal, all);
  signal.addEventListener(
    "abort",
    () => {
      for (const aborted of all) aborted();
    },
    { once: true },
  );
  return all;
}

/** Resolves after `milliseconds`; rejects with the signal's reason as soon as it is aborted. */
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
