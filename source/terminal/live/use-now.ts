/** The wall clock, for what changes although no event arrives: the spinner, and how long a request has been idle. */
import { useEffect, useReducer, useSyncExternalStore } from "react";

/** Milliseconds between two states of the spinner. */
const step = 200;
/** Milliseconds after which the screen is rendered where nothing else has given reason to: more than between frames of a run that streams. */
const tick = 250;

/** Milliseconds since 1970, in steps of the spinner; while active, it is never older than a tick. */
export function useNow(isActive: boolean): number {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const now = useSyncExternalStore(unheard, read, read);
  useEffect(() => {
    if (!isActive) return;
    const timer = setTimeout(renderAgain, tick);
    return () => clearTimeout(timer);
  }, [isActive, now]);
  return now;
}

const unheard = () => () => {};

function read(): number {
  return Math.floor(Date.now() / step) * step;
}

/** Counts the steps, for the spinner. */
export function frameAt(now: number): number {
  return Math.floor(now / step);
}
