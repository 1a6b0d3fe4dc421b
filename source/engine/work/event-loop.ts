/** Long work in this thread that yields to the event loop: input, signals and timers are handled in between. */
import { setImmediate } from "node:timers/promises";

/** Resolves once what waits now has been handled: a frame, input, timers that are due. */
export const nextIteration = (): Promise<void> => setImmediate();

/** Resolves in an iteration in which nobody else's turn is: several long works under way keep input waiting no longer than one. */
export function nextTurn(): Promise<void> {
  last = last.then(nextIteration);
  return last;
}
let last = Promise.resolve();

/** How long the event loop may be kept waiting, in milliseconds. */
const longest = 5;

/**
 * Gives a function to be awaited between pieces of work: it yields to the event loop when the last time is long enough ago,
 * and rejects with the signal's reason when it is aborted. Pieces should take a millisecond or two.
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
