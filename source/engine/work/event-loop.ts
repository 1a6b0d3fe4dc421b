/** Long work in this thread, in turns: a screen, a signal and a timer get their say in between. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** How long the event loop may wait for its turn, in milliseconds. */
const turn = 20;

/**
 * Gives a function to be awaited between pieces of work: it lets the event loop turn when the last turn is long enough
 * ago, and rejects with the signal's reason when it is aborted. Pieces should take a few milliseconds.
 */
export function eventLoopYielder(signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  const pause = async () => {
    await nextTurn();
    signal?.throwIfAborted();
    since = performance.now();
  };
  return () => (performance.now() - since < turn ? undefined : pause());
}
