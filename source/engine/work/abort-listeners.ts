/** What is to happen when a signal is aborted. To take one more, a signal looks through all it has: hundreds, where a run has as many requests. */

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `aborted` once when the signal is aborted; it must not throw. Returns the end of that. A signal that was aborted before calls nothing. */
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
