/** The clock of timed code: the machine's own clock, or a clock that a test advances. */

/** A pending call. */
export type Timer = {
  /** Starts the timer again. */
  refresh(): unknown;
  /** Allows the program to end before the timer. */
  unref(): unknown;
};

export type Clock = {
  /** Returns milliseconds since a fixed moment; never decreases. */
  now(): number;
  /** Calls `then` once, after this many milliseconds. */
  setTimeout(then: () => void, milliseconds: number): Timer;
  clearTimeout(timer: Timer | undefined): void;
};

export const machineClock: Clock = {
  now: () => performance.now(),
  // Looked up at every call, so that replaced global timers are used here too.
  setTimeout: (then, milliseconds) => setTimeout(then, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/**
 * Calls `act` repeatedly, each time this many milliseconds after the previous call has ended, until the returned function is
 * called. Does not keep the program alive.
 */
export function repeatedly(clock: Clock, milliseconds: number, act: () => unknown): () => void {
  let timer: Timer | undefined;
  const later = () => {
    timer = clock.setTimeout(() => void again(), milliseconds);
    timer.unref();
  };
  const again = async () => {
    await act();
    if (timer !== undefined) later();
  };
  later();
  return () => {
    clock.clearTimeout(timer);
    timer = undefined;
  };
}
