/**
 * Keeps the memory of the program near the size of the data in use. A long run discards almost everything it allocates. By
 * default, the JavaScript engine collects discarded data only when it has grown to several times the size of the data in use.
 */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { releaseGarbage } from "./release-bytes.ts";

/** Size in bytes beyond which the space of new objects no longer doubles. */
export const mostNew = 32 * 1024 * 1024;
/** Number of tasks from which on the heap is collected more often, at the cost of a twelfth of the time. */
export const manyTasks = 20_000;
/** Maximum garbage in such a run, as a percentage of the data in use, before it is collected. */
const discarded = 50;

/** Returns the growth factor of the space for new objects at this size: it doubles or stays. */
export const growthAt = (size: number): 1 | 2 => (size < mostNew ? 2 : 1);

/**
 * Keeps this program's heap small from now on; called before a run of `tasks` tasks, because earlier work may have enlarged the
 * space for new objects.
 */
export function keepHeapLean(tasks: number): void {
  if (tasks >= manyTasks) setFlagsFromString(`--heap-growing-percent=${discarded}`);
  if (isKept) return;
  isKept = true;
  if (newSpace() > mostNew) releaseGarbage();
  limitNew();
  new PerformanceObserver(limitNew).observe({ entryTypes: ["gc"] });
}
let isKept = false;

/** Number of objects before which garbage is collected; this takes up to 70 ms. */
const manyObjects = 500_000;

/**
 * Keeps the space for new objects as large as it is while so many objects are made that stay: it would grow with them, and not
 * become smaller again. Returns a function that ends this.
 */
export function holdNewSpace(objects: number): () => void {
  if (objects >= manyObjects) releaseGarbage();
  holds += 1;
  limitNew();
  return () => {
    holds -= 1;
    if (isKept || holds > 0) limitNew();
    else setFlagsFromString(`--semi-space-growth-factor=${usualGrowth}`);
  };
}
let holds = 0;
/** The engine's own growth factor. */
const usualGrowth = 2;

function limitNew(): void {
  setFlagsFromString(`--semi-space-growth-factor=${holds > 0 ? 1 : growthAt(newSpace())}`);
}

const newSpace = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
