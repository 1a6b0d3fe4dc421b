/**
 * Shares one listener per signal, because a signal searches all its listeners when it adds one, and a run may have hundreds of
 * requests in flight.
 */
import { type Clock, machineClock } from "./clock.ts";
import { factOf } from "./fact.ts";

/**
 * Calls `aborted`, which must not throw, when the signal is aborted, but not if it already is. Returns a function that stops
 * listening.
 */
export function whenAborted(signal: AbortSignal, aborted: () => void): () => void {
  const all = listeners(signal);
  all.add(aborted);
  return () => void all.delete(aborted);
}

const listeners = factOf((signal: AbortSignal): Set<() => void> => {
  const all = new Set<() => void>();
  signal.addEventListener(
    "abort",
    () => {
      for (const aborted of all) aborted();
    },
    { once: true },
  );
  return all;
});

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

/**
 * Resolves like the promise, which continues for other users; rejects with the signal's reason as soon as the signal is aborted.
 */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const letGo = whenAborted(signal, () => reject(signal.reason as Error));
    promise.then(resolve, reject).finally(letGo);
  });
}
