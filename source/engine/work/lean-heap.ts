/**
 * Keeps the memory of the program near what is in use. A long run discards almost everything it allocates; by itself, the JavaScript
 * engine lets the discarded part grow to several times the rest before it collects it.
 */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { releaseGarbage } from "./release-bytes.ts";

/** Bytes of new objects beyond which their space no longer doubles, which costs no time. */
export const mostNew = 32 * 1024 * 1024;
/** Tasks of a run from which on the heap is collected more often, which costs a twelfth of the time. */
export const manyTasks = 20_000;
/** Percent of what is in use that may be discarded before it is collected in such a run. */
const discarded = 50;

/** By how much the space of new objects of this size may grow at a time: it doubles, or stays. */
export const growthAt = (size: number): 1 | 2 => (size < mostNew ? 2 : 1);

/** Applies to this program from now on, before a run of so many tasks. What was loaded before may have made the space large. */
export function keepHeapLean(tasks: number): void {
  if (tasks >= manyTasks) setFlagsFromString(`--heap-growing-percent=${discarded}`);
  if (isKept) return;
  isKept = true;
  if (newSpace() > mostNew) releaseGarbage();
  limitNew();
  new PerformanceObserver(limitNew).observe({ entryTypes: ["gc"] });
}
let isKept = false;

function limitNew(): void {
  setFlagsFromString(`--semi-space-growth-factor=${growthAt(newSpace())}`);
}

const newSpace = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
