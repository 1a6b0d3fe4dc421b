/** Long work in this thread that yields to the event loop, which handles input, signals and timers in between. */
import { setImmediate } from "node:timers/promises";

/** Resolves once pending events have been handled: a frame, input, timers that have expired. */
export const nextIteration = (): Promise<void> => setImmediate();

/** Resolves in a separate iteration of the event loop, so that several long tasks delay input no longer than one. */
export function nextTurn(): Promise<void> {
  last = last.then(nextIteration);
  return last;
}
let last = Promise.resolve();

/** Longest time in milliseconds without yielding to the event loop. */
const longest = 5;

/**
 * Returns a function to await between parts of the work: it yields to the event loop if the last time is long enough ago, and
 * rejects with the signal's reason if it is aborted. A part should take a millisecond or two.
 */
export function eventLoopYielder(signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  const pause = async () => {
    await nextTurn();
    signal?.throwIfAborted();
    since = performance.now();
  };
  return () => (performance.now() - since < longest ? undefined : pause());
}
