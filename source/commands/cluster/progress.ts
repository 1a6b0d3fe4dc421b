/** What `planwright cluster` says on the way. */
import type { GroupingProgress } from "../../engine/clustering/methods/grouping.ts";
import { progressText } from "../../engine/clustering/methods/progress-text.ts";

export type ClusterOutput = { stdout(text: string): void; stderr(text: string): void; readonly signal: AbortSignal };

/** How often progress is told, in milliseconds. */
const often = 2000;

/** Tells now and then how far clustering is. */
export function progressTo(io: ClusterOutput): (progress: GroupingProgress) => void {
  let told = performance.now();
  return (progress) => {
    if (performance.now() - told < often) return;
    told = performance.now();
    io.stderr(`${progressText(progress)}\n`);
  };
}

/** Progress in words, now and then. */
export function teller(io: ClusterOutput, did: string): (done: number, total: number) => void {
  let told = performance.now();
  return (done, total) => {
    if (performance.now() - told < often) return;
    told = performance.now();
    io.stderr(`${did} ${done} of ${total}\n`);
  };
}
