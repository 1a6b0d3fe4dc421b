/** How much this program's thread has to do: the machine's own account of it, or one that a test keeps. */
import { performance } from "node:perf_hooks";

export type Workload = {
  /** Milliseconds in which the thread had something to do, since some moment. */
  worked(): number;
  /** Calls `then` when all is done that follows from what is done now, before anything else is begun. */
  whenDone(then: () => void): void;
};

export const machineWorkload: Workload = {
  worked: () => performance.eventLoopUtilization().active,
  // What a microtask leaves for the next tick comes after all microtasks.
  whenDone: (then) => queueMicrotask(() => process.nextTick(then)),
};
