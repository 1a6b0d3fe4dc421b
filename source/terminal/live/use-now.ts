/** The wall clock, for what changes although no event arrives: the spinner, and how long a request has been idle. */
import { useCallback, useSyncExternalStore } from "react";

/** Milliseconds between two renders. */
const tick = 200;

/** Milliseconds since 1970, in steps of a tick; re-renders at every tick while active. */
export function useNow(isActive: boolean): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (!isActive) return () => {};
      const timer = setInterval(listener, tick);
      return () => clearInterval(timer);
    },
    [isActive],
  );
  return useSyncExternalStore(subscribe, read, read);
}

function read(): number {
  return Math.floor(Date.now() / tick) * tick;
}

/** Counts the ticks, for the spinner. */
export function frameAt(now: number): number {
  return Math.floor(now / tick);
}
